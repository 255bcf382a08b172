#include "timer/region_parts.h"

#include <fmt/format.h>

#include <map>
#include <system_error>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "callgrind/cost_graph_builder.h"
#include "callgrind/parser.h"
#include "harness/stub_source.h"
#include "timer/measuring_loop.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTrigger = "Client Request";

fs::path part_path(const fs::path& dir, int pid, int part) { return dir / fmt::format("cg.{}.{}", pid, part); }

/// "/icount/stmt" -> "stmt": the folder that harness/compile gives to generated code.
std::string plain_file_name(std::string_view name) {
  constexpr std::string_view kFolder = "/icount/";
  return std::string(name.starts_with(kFolder) ? name.substr(kFolder.size()) : name);
}

/// Strings of one pool under their plain names, each worked out once.
class PlainNames {
 public:
  PlainNames(StringPool& strings, const fs::path& executable) : strings_(strings), executable_(executable.string()) {}

  StringId file(StringId id) {
    return renamed(files_, id, [](const std::string& name) { return plain_file_name(name); });
  }
  /// A function or a frame.
  template <typename Named>
  void use(Named& named) {
    named.name = renamed(names_, named.name, [](const std::string& name) { return plain_function_name(name); });
    named.file = file(named.file);
    named.object = renamed(objects_, named.object, [this](const std::string& name) { return name == executable_ ? std::string("stub") : name; });
  }

 private:
  template <typename Plain>
  StringId renamed(std::map<StringId, StringId>& known, StringId id, Plain plain) {
    const auto [at, fresh] = known.emplace(id, id);
    if (fresh) at->second = strings_.intern(plain(std::string(strings_.view(id))));
    return at->second;
  }

  StringPool& strings_;
  std::string executable_;
  std::map<StringId, StringId> names_, files_, objects_;
};

}  // namespace

CostGraph load_region(const fs::path& dir, int pid, int part, bool keep_lines) {
  const fs::path path = part_path(dir, pid, part);
  ParseOptions options;
  options.keep_lines = keep_lines;
  Profile profile = parse_profile(load_file(path).view(), path.string(), options);
  if (profile.parts.size() != 1 || profile.parts[0].trigger.find(kTrigger) == std::string::npos)
    throw Error(ErrorKind::kMalformed, fmt::format("{}: not written at the end of the measured region (its trigger is \"{}\")",
                                                   path.string(), profile.parts.empty() ? "" : profile.parts[0].trigger));
  return make_cost_graph(std::move(profile));
}

int64_t load_region_total(const fs::path& dir, int pid, int part) {
  std::error_code error;
  const fs::path path = part_path(dir, pid, part);
  if (!fs::exists(path, error)) return 0;
  const FileBytes bytes = load_file(path);
  constexpr std::string_view kKey = "\ntotals: ";
  const size_t at = bytes.view().rfind(kKey);
  if (at == std::string_view::npos) return 0;
  const std::string_view rest = bytes.view().substr(at + kKey.size());
  return parse_int64(rest.substr(0, rest.find_first_of(" \n"))).value_or(0);
}

void use_plain_names(CostGraph& graph, const fs::path& executable) {
  PlainNames names(graph.strings, executable);
  for (Function& function : graph.functions) names.use(function);
  for (Row& row : graph.rows) row.file = names.file(row.file);
  for (LineRow& row : graph.lines) row.file = names.file(row.file);
  fold_measuring_loop(graph);
}

void use_plain_names(CallStacks& stacks, const fs::path& executable) {
  PlainNames names(stacks.strings, executable);
  for (CallFrame& frame : stacks.frames)
    if (frame.kind == FrameKind::kFunction) names.use(frame);
  fold_measuring_loop(stacks);
}

void remove_parts(const fs::path& dir, int pid, int parts) {
  std::error_code ignored;  // what stays goes with the folder
  fs::remove(dir / fmt::format("cg.{}", pid), ignored);
  for (int part = 1; part <= parts; ++part) fs::remove(part_path(dir, pid, part), ignored);
}

}  // namespace icount
