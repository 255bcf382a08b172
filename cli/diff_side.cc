#include "cli/diff_side.h"

#include <unistd.h>

#include <filesystem>

#include "base/command_line.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/load_profile.h"
#include "cli/measure_program.h"
#include "store/result_file.h"

namespace icount {
namespace {

bool is_program(const std::string& path, std::string_view bytes) {
  return (bytes.starts_with("\x7f" "ELF") || bytes.starts_with("#!")) && ::access(path.c_str(), X_OK) == 0;
}

DiffSide profile_side(const std::string& text, std::string_view bytes, const CommandContext& context) {
  LoadedProfile profile = parse_profile_graph(bytes, text);
  for (const std::string& warning : profile.warnings) context.warn(warning);
  DiffSide side{.name = text};
  Result& result = side.file.results.emplace_back();
  result.label = {text};
  result.event = profile.graph.events.front();
  result.counts = {profile.graph.totals.front()};
  result.graph = std::make_shared<const CostGraph>(std::move(profile.graph));
  return side;
}

DiffSide saved_side(const std::string& text, std::string_view bytes, const CommandContext& context) {
  LoadedResults loaded = parse_result_file(bytes, text);
  for (const std::string& warning : loaded.warnings) context.warn(warning);
  if (loaded.file.results.empty()) throw Error(ErrorKind::kCannotJudge, text + ": holds no result, nothing to compare with");
  return {.name = text, .saved = true, .file = std::move(loaded.file)};
}

DiffSide measured_side(const std::string& text, const std::vector<std::string>& argv, const DiffSideOptions& options, CommandContext& context) {
  DiffSide side{.name = text};
  MeasureProgramOptions measure;
  measure.argv = argv;
  measure.reuse = argv.size() == 1 && !options.fresh;
  measure.time_limit_s = options.time_limit_s;
  side.file.results.push_back(measure_program(measure, context));
  const Result& result = side.file.results.back();
  if (!result.ok()) throw Error(ErrorKind::kTool, text + ": " + result.error);
  return side;
}

}  // namespace

DiffSide load_diff_side(const std::string& text, const DiffSideOptions& options, CommandContext& context) {
  std::error_code ignored;
  if (std::filesystem::exists(text, ignored)) {
    const FileBytes bytes = load_file(text);
    if (looks_like_result_file(bytes.view())) return saved_side(text, bytes.view(), context);
    if (is_program(text, bytes.view())) return measured_side(text, {std::filesystem::absolute(text).string()}, options, context);
    return profile_side(text, bytes.view(), context);
  }
  const bool is_command = text.find_first_of(" \t\n") != std::string::npos;
  const std::vector<std::string> argv = is_command ? split_command(text) : std::vector{text};
  if (argv.empty()) throw Error(ErrorKind::kUsage, "'" + text + "': neither a file nor a command");
  if (find_program(argv[0]).empty()) {
    if (!is_command) throw Error(ErrorKind::kIo, text + ": No such file or directory");
    throw Error(ErrorKind::kIo, "'" + text + "': neither a file nor a command; there is no program '" + argv[0] + "'");
  }
  return measured_side(text, argv, options, context);
}

}  // namespace icount
