#include "icount/timer/region_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <tuple>

#include "icount/base/file.h"
#include "icount/callgraph/function_code.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgrind/own_profile.h"
#include "icount/counter/named_counts.h"
#include "icount/harness/stub_source.h"

namespace icount {
namespace {

constexpr std::string_view kName = "(measuring loop)";

bool is_ours(std::string_view name) { return name.starts_with("icount_stub::") || name == "icount_stub_image_entry"; }

void add_row(std::vector<int64_t>& to, size_t at, const std::vector<int64_t>& from, size_t row, size_t width) {
  if (to.size() < (at + 1) * width) to.resize((at + 1) * width);
  for (size_t event = 0; event < width; ++event) to[at * width + event] += from[row * width + event];
}

/// Entries with equal keys added up, in the order of their first.
template <typename Entry, typename KeyOf>
void add_up(std::vector<Entry>& entries, std::vector<int64_t>& costs, size_t width, const KeyOf& key_of) {
  std::map<decltype(key_of(entries[0])), size_t> known;
  std::vector<Entry> kept;
  std::vector<int64_t> kept_costs;
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto [at, fresh] = known.emplace(key_of(entries[i]), kept.size());
    if (fresh) kept.push_back(entries[i]);
    add_row(kept_costs, at->second, costs, i, width);
  }
  entries = std::move(kept);
  costs = std::move(kept_costs);
}

/// Function f becomes renumbered[f]. A statement that asks the loop for its next runs is called by it as well: of the
/// two only the call of the statement stays, without what the loop costs below it.
void renumber(CostGraph& graph, const std::vector<FunctionIndex>& renumbered, FunctionIndex loop) {
  std::vector<Edge> edges;
  std::vector<int64_t> inclusive;
  std::vector<int64_t> called_back(graph.functions.size() * graph.event_count());
  std::map<std::pair<FunctionIndex, FunctionIndex>, size_t> known;
  for (size_t i = 0; i < graph.edges.size(); ++i) {
    const Edge edge{renumbered[graph.edges[i].caller], renumbered[graph.edges[i].callee], graph.edges[i].calls};
    if (edge.callee == loop) {
      if (edge.caller != loop) add_row(called_back, edge.caller, graph.inclusive, i, graph.event_count());
      continue;
    }
    const auto [at, fresh] = known.emplace(std::pair(edge.caller, edge.callee), edges.size());
    if (fresh) edges.push_back({edge.caller, edge.callee, 0});
    edges[at->second].calls += edge.calls;
    add_row(inclusive, at->second, graph.inclusive, i, graph.event_count());
  }
  for (size_t i = 0; i < edges.size(); ++i)
    for (size_t event = 0; edges[i].caller == loop && event < graph.event_count(); ++event)
      inclusive[i * graph.event_count() + event] -= called_back[edges[i].callee * graph.event_count() + event];
  graph.edges = std::move(edges);
  graph.inclusive = std::move(inclusive);
  for (Row& row : graph.rows) {
    row.function = renumbered[row.function];
    if (row.function == loop) row.file = kEmptyString;
  }
  add_up(graph.rows, graph.row_self, graph.event_count(),
         [](const Row& row) { return std::pair(row.function, row.file); });
  for (LineRow& row : graph.lines) {
    row.function = renumbered[row.function];
    if (row.function == loop) row = {loop, kEmptyString, 0};
  }
  if (!graph.lines.empty())
    add_up(graph.lines, graph.line_self, graph.event_count(),
           [](const LineRow& row) { return std::tuple(row.function, row.file, row.line); });
}

constexpr FunctionIndex kNone = 0xffffffff;

/// The statement that was entered before the region began: nobody calls it, or no times. A child that begins with a
/// snapshot returns into it, which Callgrind takes for a call. kNone when there is none.
FunctionIndex find_entered_statement(const CostGraph& graph) {
  std::vector<bool> called(graph.functions.size());
  for (const Edge& edge : graph.edges)
    if (edge.caller != edge.callee && edge.calls > 0) called[edge.callee] = true;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (!called[f] && graph.name(f) == kStatementFunction) return f;
  return kNone;
}

/// One call of the statement by the loop, and the statement under the file of the loop in it: as it is with a snapshot.
void enter_statement(CostGraph& graph, FunctionIndex loop, FunctionIndex statement) {
  const size_t width = graph.event_count();
  std::vector<int64_t> inclusive(graph.self.begin() + static_cast<std::ptrdiff_t>(statement * width),
                                 graph.self.begin() + static_cast<std::ptrdiff_t>((statement + 1) * width));
  for (size_t i = 0; i < graph.edges.size(); ++i)
    if (graph.edges[i].caller == statement && graph.edges[i].callee != statement)
      add_row(inclusive, 0, graph.inclusive, i, width);
  size_t call = 0;
  while (call < graph.edges.size() && (graph.edges[call].caller != loop || graph.edges[call].callee != statement))
    ++call;
  if (call == graph.edges.size()) {
    graph.edges.push_back({loop, statement, 0});
    graph.inclusive.resize(graph.inclusive.size() + width);
  }
  graph.edges[call].calls = 1;
  std::copy(inclusive.begin(), inclusive.end(), graph.inclusive.begin() + static_cast<std::ptrdiff_t>(call * width));
  for (const Row& row : graph.rows)
    if (row.function == statement && graph.strings.view(row.file) == kMeasuringLoopFile)
      graph.functions[statement].file = row.file;
}

}  // namespace

void fold_measuring_loop(CostGraph& graph) {
  FunctionIndex loop = kNone;
  std::vector<Function> functions;
  std::vector<int64_t> self;
  std::vector<FunctionIndex> renumbered;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    const bool ours = is_ours(graph.name(f));
    const FunctionIndex becomes = ours && loop != kNone ? loop : static_cast<FunctionIndex>(functions.size());
    if (ours) loop = becomes;
    if (becomes == functions.size()) functions.push_back(graph.functions[f]);
    add_row(self, becomes, graph.self, f, graph.event_count());
    renumbered.push_back(becomes);
  }
  if (loop == kNone) return;
  if (graph.code) graph.code = std::make_shared<const ProfileCode>(renumber_functions(*graph.code, renumbered));
  functions[loop].name = graph.strings.intern(kName);
  functions[loop].file = kEmptyString;
  const FunctionIndex entered = find_entered_statement(graph);
  graph.functions = std::move(functions);
  graph.self = std::move(self);
  renumber(graph, renumbered, loop);
  if (entered != kNone) enter_statement(graph, loop, renumbered[entered]);
}

void fold_measuring_loop(CallStacks& stacks) {
  std::vector<CallFrame> frames;
  std::vector<int64_t> self;
  std::vector<uint32_t> renumbered;
  std::vector<bool> loop;
  for (uint32_t i = 0; i < stacks.frames.size(); ++i) {
    CallFrame frame = stacks.frames[i];
    if (frame.parent != kNoFrame) frame.parent = renumbered[frame.parent];
    const bool ours = frame.kind == FrameKind::kFunction && is_ours(stacks.name(i));
    const bool joins = ours && frame.parent != kNoFrame && loop[frame.parent];
    const uint32_t becomes = joins ? frame.parent : static_cast<uint32_t>(frames.size());
    if (ours) {
      frame.name = stacks.strings.intern(kName);
      frame.file = kEmptyString;
    }
    if (!joins) {
      frames.push_back(frame);
      loop.push_back(ours);
    }
    add_row(self, becomes, stacks.self, i, stacks.events.size());
    renumbered.push_back(becomes);
  }
  stacks.frames = std::move(frames);
  stacks.self = std::move(self);
}

namespace {

namespace fs = std::filesystem;

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
    named.object = renamed(objects_, named.object, [this](const std::string& name) {
      return name == executable_ ? std::string(kStubObject) : name;
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
      if (object.name == executable) object.name = kStubObject;
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
