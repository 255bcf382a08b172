#include "icount/inputs/diff_side.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <future>
#include <initializer_list>
#include <memory>
#include <optional>
#include <system_error>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/program_paths.h"
#include "icount/inputs/load_profile.h"
#include "icount/inputs/measure_program.h"
#include "icount/inputs/open_store.h"
#include "icount/inputs/run_files.h"
#include "icount/objects/name_code.h"
#include "icount/store/result_file.h"

namespace icount {
namespace {

constexpr std::string_view kEndings[] = {
    ".icount", ".expected", ".json",  ".jsonl", ".sqlite", ".db",    ".gz",    ".xz",        ".zst",
    ".zip",    ".tar",      ".csv",   ".tsv",   ".txt",    ".md",    ".html",  ".htm",       ".toml",
    ".yml",    ".yaml",     ".ini",   ".log",   ".xml",    ".sarif", ".svg",   ".png",       ".pdf",
    ".pb",     ".folded",   ".pprof", ".data",  ".cg",     ".diff",  ".patch", ".callgrind", ".speedscope"};

/// What profilers call what they write, whatever follows or precedes.
constexpr std::string_view kProfiles[] = {"callgrind.out", "cachegrind.out", "massif.out", "dhat.out",
                                          "profile.out",   "gmon.out",       "perf.data"};

/// What editors, tools and people append to the name of a copy.
constexpr std::string_view kBackups[] = {".bak",  ".backup", ".orig", ".old",  ".new", ".save", ".saved",
                                         ".copy", ".tmp",    ".temp", ".part", ".swp", ".rej",  "~",
                                         "-copy", "_copy",   " copy", "-old",  "_old", "-bak",  "_bak"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Length of the name without a number that tells copies apart: ".1", "-2", " (3)", ".~4~".
size_t without_number(std::string_view name) {
  size_t end = name.size();
  const char close = end > 0 && (name[end - 1] == ')' || name[end - 1] == '~') ? name[--end] : '\0';
  const size_t behind = end;
  while (end > 0 && is_digit(name[end - 1])) --end;
  if (end == behind) return name.size();
  if (close != '\0' && (end == 0 || name[--end] != (close == ')' ? '(' : '~'))) return name.size();
  const size_t number = end;
  while (end > 0 && std::string_view(".-_ ").find(name[end - 1]) != std::string_view::npos) --end;
  return close != '\0' || end < number ? end : name.size();
}

/// Length of the name without one thing that copies have.
size_t without_backup(std::string_view name) {
  if (const size_t shorter = without_number(name); shorter < name.size()) return shorter;
  for (const std::string_view backup : kBackups)
    if (name.ends_with(backup)) return name.size() - backup.size();
  return name.size();
}

}  // namespace

bool is_named_like_data(const std::filesystem::path& path) {
  std::string name = path.filename().string();
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const std::string_view profile : kProfiles)
    if (name.find(profile) != std::string::npos) return true;
  while (true) {
    for (const std::string_view ending : kEndings)
      if (name.ends_with(ending)) return true;
    const size_t shorter = without_backup(name);
    if (shorter == name.size()) return false;
    name.resize(shorter);
  }
}

namespace {

/// A file of the user's to be run: it says so, and so does its name, or --run.
bool is_program(const std::string& path, std::string_view bytes, bool run) {
  const bool can_run = (bytes.starts_with("\x7f"
                                          "ELF") ||
                        bytes.starts_with("#!")) &&
                       ::access(path.c_str(), X_OK) == 0;
  if (can_run && !run && (is_named_like_data(path) || is_named_like_data(real_path(path))))
    throw Error(
        ErrorKind::kUsage,
        path + ": is a program with the name of a data file; `icount diff` and `icount report` run it with --run");
  return can_run;
}

/// A side that was read from a file. Of a profile, what happens inside functions has no names of its objects yet.
struct ReadSide {
  DiffSide side;
  std::shared_ptr<CostGraph> unnamed;  ///< the side's own graph
  std::filesystem::file_time_type written;
};

/// Both sides at once: they mostly ran the same libraries.
void name_inside(std::initializer_list<std::optional<ReadSide>*> sides) {
  std::vector<CodeToName> graphs;
  std::vector<DiffSide*> named;
  for (std::optional<ReadSide>* side : sides)
    if (*side && (*side)->unnamed) {
      graphs.push_back({(*side)->unnamed.get(), (*side)->written});
      named.push_back(&(*side)->side);
    }
  CodeNamer().name(graphs);
  for (size_t i = 0; i < graphs.size(); ++i)
    if (const std::string said = describe_misplaced_code(graphs[i].misplaced); !said.empty())
      named[i]->warnings.push_back(fmt::format("{}: {}", named[i]->name, said));
}

ReadSide profile_side(const std::string& text, const FileBytes& bytes, KeptCode code) {
  LoadedProfile profile = parse_profile_insides(bytes, text, code);
  ReadSide read{.side = {.name = text, .warnings = std::move(profile.warnings)}};
  DiffSide& side = read.side;
  Result& result = side.file.results.emplace_back();
  result.label = {text};
  result.event = profile.graph.events.front();
  result.counts = {profile.graph.totals.front()};
  const auto graph = std::make_shared<CostGraph>(std::move(profile.graph));
  result.graph = graph;
  result.stacks = std::move(profile.stacks);
  std::error_code error;
  read.written = std::filesystem::last_write_time(text, error);
  if (graph->code && !error) read.unnamed = graph;
  return read;
}

DiffSide saved_side(const std::string& text, std::string_view bytes) {
  LoadedResults loaded = parse_result_file(bytes, text);
  if (loaded.file.results.empty()) throw Error(ErrorKind::kCannotJudge, text + ": contains no result to compare");
  return {.name = text, .saved = true, .warnings = std::move(loaded.warnings), .file = std::move(loaded.file)};
}

DiffSide measured_side(const std::string& text, const std::vector<std::string>& argv, const DiffSideOptions& options,
                       CommandContext& context) {
  DiffSide side{.name = text};
  MeasureProgramOptions measure;
  measure.argv = argv;
  measure.reuse = argv.size() == 1 && !options.fresh;
  measure.time_limit_s = options.time_limit_s;
  measure.jumps = options.jumps;
  measure.code = options.code;
  measure.again_by_chance = true;
  side.file.results = measure_program(measure, context);
  for (const Result& result : side.file.results)
    if (!result.ok())
      throw Error(ErrorKind::kTool, text + ": " + result.error + "; failed benchmarks are not compared");
  return side;
}

/// "@REF" that is no file: a run of the history.
bool is_stored(const std::string& text) {
  std::error_code ignored;
  return text.starts_with('@') && !std::filesystem::exists(text, ignored);
}

DiffSide stored_side(const std::string& text, const DiffSideOptions& options, const CommandContext& context) {
  History history(chosen_store(options.store, context), OpenMode::kRead);
  const RunInfo run = find_run(history, text);
  DiffSide side{.name = text, .saved = true, .file = history.load(run.id), .commit = run.tag.commit.hash};
  if (side.file.results.empty()) throw Error(ErrorKind::kCannotJudge, text + ": contains no result to compare");
  return side;
}

/// What a file alone tells; nullopt when the side has to be measured. Touches nothing but the file: both sides do this
/// at once.
std::optional<ReadSide> read_side(const std::string& text, const DiffSideOptions& options) {
  std::error_code ignored;
  if (!std::filesystem::exists(text, ignored)) return std::nullopt;
  const FileBytes bytes = load_run_file(text);
  if (looks_like_result_file(bytes.view())) return ReadSide{.side = saved_side(text, bytes.view())};
  if (is_program(text, bytes.view(), options.run)) return std::nullopt;
  return profile_side(text, bytes, options.code);
}

/// The program and arguments that a side is measured by; an Error where there is nothing to run.
std::vector<std::string> find_command(const std::string& text) {
  std::error_code ignored;
  if (std::filesystem::exists(text, ignored)) return {text.find('/') == std::string::npos ? "./" + text : text};
  const bool is_command = text.find_first_of(" \t\n") != std::string::npos;
  std::vector<std::string> argv = is_command ? split_command(text) : std::vector{text};
  if (argv.empty() || text.empty())
    throw Error(ErrorKind::kUsage, "'" + text +
                                       "': neither a file nor a command; BASE and HEAD are each a profile, a saved "
                                       "result, a program or a quoted command line");
  if (find_program(argv[0]).empty()) {
    if (!is_command) throw Error(ErrorKind::kIo, text + ": cannot read: No such file or directory");
    throw Error(ErrorKind::kIo,
                "'" + text + "': neither a file nor a command; " + argv[0] + ": " + describe_missing_program(argv[0]));
  }
  return argv;
}

/// What no file alone tells: a stored run, or something to be measured.
DiffSide fetch_side(const std::string& text, const DiffSideOptions& options, CommandContext& context) {
  return is_stored(text) ? stored_side(text, options, context)
                         : measured_side(text, find_command(text), options, context);
}

constexpr auto kOnAThreadIfOneIsToBeHad = std::launch::async | std::launch::deferred;

}  // namespace

DiffSides load_diff_sides(const std::string& base, const std::string& head, const DiffSideOptions& options,
                          CommandContext& context) {
  auto reading_head = std::async(kOnAThreadIfOneIsToBeHad, read_side, head, options);
  std::optional<ReadSide> base_side = read_side(base, options), head_side = reading_head.get();
  // Before one of them is measured, which may take long.
  if (!base_side && !is_stored(base)) find_command(base);
  if (!head_side && !is_stored(head)) find_command(head);
  if (!base_side) base_side = ReadSide{.side = fetch_side(base, options, context)};
  if (!head_side) head_side = ReadSide{.side = fetch_side(head, options, context)};
  name_inside({&base_side, &head_side});
  for (const ReadSide* read : {&*base_side, &*head_side})
    for (const std::string& warning : read->side.warnings) context.warn(warning);
  return {std::move(base_side->side), std::move(head_side->side)};
}

DiffSide load_diff_side(const std::string& text, const DiffSideOptions& options, CommandContext& context) {
  std::optional<ReadSide> read = read_side(text, options);
  if (!read) read = ReadSide{.side = fetch_side(text, options, context)};
  name_inside({&read});
  for (const std::string& warning : read->side.warnings) context.warn(warning);
  return std::move(read->side);
}

DiffSide load_kept_side(const std::string& text, CommandContext& context) {
  if (is_stored(text)) return stored_side(text, {}, context);
  LoadedResults loaded = load_result_file(text);
  for (const std::string& warning : loaded.warnings) context.warn(warning);
  return {.name = text, .saved = true, .file = std::move(loaded.file)};
}

}  // namespace icount
