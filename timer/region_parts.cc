#include "icount/timer/region_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>

#include "icount/base/file.h"
#include "icount/callgraph/function_code.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/own_profile.h"
#include "icount/counter/named_counts.h"
#include "icount/harness/stub_source.h"
#include "icount/timer/measuring_loop.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStub = "stub";
constexpr int kMostThreads = 500;  // Valgrind's own limit

fs::path part_path(const fs::path& dir, int pid, int part) { return dir / fmt::format("cg.{}.{}", pid, part); }

/// A file as text. Names are looked up once for all regions of this process, which run the same objects.
FileBytes load_part(const fs::path& path) {
  static std::mutex one_at_a_time;
  static CountsNamer namer;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  return namer.load_profile(path);
}

/// The part's files: one, or one per thread that Callgrind counted by itself.
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

/// Never empty: a part that was asked for and is not there could not be written.
std::vector<std::pair<int, fs::path>> require_thread_files(const fs::path& dir, int pid, int part) {
  auto files = find_thread_files(dir, pid, part);
  if (files.empty()) fail_incomplete(part_path(dir, pid, part), "it was not written");
  return files;
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
    named.object = renamed(objects_, named.object,
                           [this](const std::string& name) { return name == executable_ ? std::string(kStub) : name; });
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

CostGraph load_region(const fs::path& dir, int pid, int part, const ParseOptions& options, RegionStart start,
                      KeptCode kept) {
  const auto files = require_thread_files(dir, pid, part);
  const fs::path& path = files[0].second;
  const auto parse = [&](std::string_view bytes) {
    return parse_own_profile(bytes, path, options, LastPart::kClientRequest, part);
  };
  std::string all;  // threads one behind the other, as --combine-dumps writes them
  if (files.size() > 1)
    for (const auto& [thread, file] : files) {
      parse_own_total(load_file(file).view(), file);  // whole by itself: the next header would hide what it lacks
      all += load_text(file);
    }
  Profile profile = parse(all.empty() ? load_part(path).view() : all);
  if (profile.parts.size() != files.size() && profile.creator != kCounterCreator)
    fail_incomplete(path, fmt::format("{} parts in {} files", profile.parts.size(), files.size()));
  if (start == RegionStart::kAfterLastPart)
    for (ProfilePart& one : profile.parts) one.first_block = one.last_block = -1;
  return make_cost_graph(std::move(profile), kept);
}

std::vector<ThreadTotal> load_thread_totals(const fs::path& dir, int pid, int part) {
  std::vector<ThreadTotal> totals;
  for (const auto& [thread, file] : require_thread_files(dir, pid, part)) {
    const FileBytes bytes = load_file(file);
    if (!is_counts_file(bytes.view())) {
      totals.push_back({thread, parse_own_total(bytes.view(), file)});
      continue;
    }
    for (const CountsPart& counted : parse_counts(bytes.view(), file.string()))
      for (const CountedThread& one : counted.threads)
        totals.push_back({std::max(static_cast<int>(one.thread), 1), one.total});
  }
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
  if (graph.code && find_object(*graph.code, executable.string())) {
    auto code = std::make_shared<ProfileCode>(*graph.code);
    for (CodeObject& object : code->objects)
      if (object.name == executable) object.name = kStub;
    graph.code = std::move(code);
  }
  fold_measuring_loop(graph);
}

void use_plain_names(CallStacks& stacks, const fs::path& executable) {
  PlainNames names(stacks.strings, executable);
  for (CallFrame& frame : stacks.frames)
    if (frame.kind == FrameKind::kFunction) names.use(frame);
  fold_measuring_loop(stacks);
}

void keep_part(const fs::path& dir, int pid, int part, const fs::path& to) {
  const auto files = find_thread_files(dir, pid, part);
  if (files.size() == 1) save_file(to, load_part(files[0].second).view());
}

void remove_parts(const fs::path& dir, int pid, int parts) {
  std::error_code ignored;  // what stays goes with the folder
  fs::remove(dir / fmt::format("cg.{}", pid), ignored);
  for (int part = 1; part <= parts; ++part)
    for (const auto& [thread, file] : find_thread_files(dir, pid, part)) fs::remove(file, ignored);
}

}  // namespace icount
