#include "icount/timer/region_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"
#include "icount/harness/stub_source.h"
#include "icount/timer/measuring_loop.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// Of a client request, and of the monitor's command of harness/stubs/stub_child.h.
constexpr std::string_view kTriggers[] = {"Client Request", "dump region"};
constexpr int kMostThreads = 500;  // Valgrind's own limit

fs::path part_path(const fs::path& dir, int pid, int part) { return dir / fmt::format("cg.{}.{}", pid, part); }

/// The part's files: one, or one per thread.
std::vector<std::pair<int, fs::path>> find_thread_files(const fs::path& dir, int pid, int part) {
  std::error_code error;
  const fs::path whole = part_path(dir, pid, part);
  if (fs::exists(whole, error)) return {{1, whole}};
  std::vector<std::pair<int, fs::path>> files;
  for (int thread = 1; thread <= kMostThreads; ++thread)
    if (fs::path path = dir / fmt::format("cg.{}.{}-{:02d}", pid, part, thread); fs::exists(path, error))
      files.emplace_back(thread, path);
  return files;
}

bool is_of_a_marker(const ProfilePart& part) {
  return std::any_of(std::begin(kTriggers), std::end(kTriggers),
                     [&](std::string_view trigger) { return part.trigger.find(trigger) != std::string::npos; });
}

int64_t load_total(const fs::path& path) {
  const FileBytes bytes = load_file(path);
  constexpr std::string_view kKey = "\ntotals: ";
  const size_t at = bytes.view().rfind(kKey);
  if (at == std::string_view::npos) return 0;
  const std::string_view rest = bytes.view().substr(at + kKey.size());
  return parse_int64(rest.substr(0, rest.find_first_of(" \n"))).value_or(0);
}

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
    named.object = renamed(objects_, named.object, [this](const std::string& name) {
      return name == executable_ ? std::string("stub") : name;
    });
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
  const auto files = find_thread_files(dir, pid, part);
  const fs::path path = files.empty() ? part_path(dir, pid, part) : files[0].second;
  ParseOptions options;
  options.keep_lines = keep_lines;
  std::string all;  // threads one behind the other, as --combine-dumps writes them
  if (files.size() > 1)
    for (const auto& [thread, file] : files) all += load_text(file);
  Profile profile = all.empty() ? parse_profile(load_file(path).view(), path.string(), options)
                                : parse_profile(all, path.string(), options);
  if (profile.parts.size() != std::max<size_t>(1, files.size()) ||
      !std::all_of(profile.parts.begin(), profile.parts.end(), is_of_a_marker))
    throw Error(ErrorKind::kMalformed,
                fmt::format("{}: not written at the end of the measured region (its trigger is \"{}\")", path.string(),
                            profile.parts.empty() ? "" : profile.parts[0].trigger));
  return make_cost_graph(std::move(profile));
}

std::vector<ThreadTotal> load_thread_totals(const fs::path& dir, int pid, int part) {
  std::vector<ThreadTotal> totals;
  for (const auto& [thread, file] : find_thread_files(dir, pid, part)) totals.push_back({thread, load_total(file)});
  return totals;
}

int64_t load_region_total(const fs::path& dir, int pid, int part) {
  int64_t sum = 0;
  for (const ThreadTotal& total : load_thread_totals(dir, pid, part)) sum += total.count;
  return sum;
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
  for (int part = 1; part <= parts; ++part)
    for (const auto& [thread, file] : find_thread_files(dir, pid, part)) fs::remove(file, ignored);
}

}  // namespace icount
