#include "icount/explain/match/folded_graph.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "icount/base/checked.h"
#include "icount/base/hash.h"
#include "icount/callgraph/linkage_jumps.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/flow/flow_table.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

/// One function of the cost graph with its name taken apart and the key by which pieces find each other. Keys, and so
/// the order of folded functions, come from names: the order in which a profile lists its records is seen by nothing
/// behind.
struct Piece {
  uint64_t key = 0;
  FunctionIndex function = 0;
  NameParts parts;
};

/// Jumped to by its own function, or entered by the unwinder as the landing of an exception; Callgrind takes both for
/// calls.
bool is_never_called(std::string_view tags) { return tags.find(".cold") != std::string_view::npos; }

/// .part and .cold hold code of an invocation that began elsewhere; .isra, .constprop and the like are whole functions.
bool holds_part_of_a_call(std::string_view tags) {
  return tags.find(".part") != std::string_view::npos || is_never_called(tags);
}

/// Hashes of a graph's strings, each made when it is first asked for.
class StringHashes {
 public:
  explicit StringHashes(const StringPool& strings) : strings_(strings), hashes_(strings.size(), 0) {}
  uint64_t of(StringId id) {
    if (hashes_[id] == 0) hashes_[id] = hash64(strings_.view(id));
    return hashes_[id];
  }

 private:
  const StringPool& strings_;
  std::vector<uint64_t> hashes_;  ///< 0: not made yet
};

uint64_t mixed(uint64_t a, uint64_t b) { return a * 0x9E3779B97F4A7C15u + b; }

std::vector<Piece> take_apart(const CostGraph& graph, bool raw_names, const std::set<std::string_view>& whole) {
  std::vector<Piece> pieces(graph.functions.size());
  StringHashes hashes(graph.strings);
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    const Function& function = graph.functions[f];
    Piece& piece = pieces[f];
    piece.function = f;
    piece.parts.base = graph.name(f);
    if (raw_names) {
      piece.key = mixed(mixed(hash64(piece.parts.base), hashes.of(function.object)), hashes.of(function.file));
      continue;
    }
    if (whole.contains(graph.object(f)))
      piece.parts.base = base_of_path(graph.object(f));
    else
      piece.parts = name_parts(piece.parts.base);
    piece.key = mixed(hash64(piece.parts.base), hashes.of(function.object));
  }
  return pieces;
}

/// Whether one symbol (same tags, same level) stands in two files: then the files tell two functions apart. The pieces
/// are in the order of fold(): those of one symbol are neighbours.
bool same_symbol_in_two_files(const CostGraph& graph, const Piece* begin, const Piece* end) {
  return std::adjacent_find(begin, end, [&](const Piece& a, const Piece& b) {
           return a.parts.level == b.parts.level && a.parts.tags == b.parts.tags &&
                  graph.functions[a.function].file != graph.functions[b.function].file;
         }) != end;
}

class Folder {
 public:
  Folder(const CostGraph& graph, size_t event, bool raw_names, const std::set<std::string_view>& whole)
      : graph_(graph), raw_(raw_names), whole_(whole) {
    folded_.graph = &graph;
    folded_.event = event;
    folded_.total = graph.totals[event];
    folded_.folded_of.assign(graph.functions.size(), kNoFunction);
    pieces_ = take_apart(graph, raw_names, whole);
    if (raw_names) return;
    jumps_ = find_linkage_jumps(graph, event);
    for (const SharedEnd& one : find_shared_ends(graph, event))
      if (jumps_[one.end] == kNoJump)
        jumps_[one.end] = one.of;
      else
        shared_.push_back(one);
  }

  FoldedGraph fold() {
    std::vector<Piece> sorted = pieces_;
    std::erase_if(sorted, [this](const Piece& piece) { return is_jump(piece.function); });
    // The whole function comes first in its run and gives it its file.
    std::sort(sorted.begin(), sorted.end(), [this](const Piece& a, const Piece& b) {
      if (a.key != b.key) return a.key < b.key;
      const auto rest = [this](const Piece& piece) {
        return std::tuple(piece.parts.base, piece.parts.tags.size(), piece.parts.level, piece.parts.tags,
                          graph_.file(piece.function), graph_.object(piece.function));
      };
      return rest(a) < rest(b);
    });
    for (size_t begin = 0, end; begin < sorted.size(); begin = end) {
      end = begin + 1;
      while (end < sorted.size() && sorted[end].key == sorted[begin].key &&
             sorted[end].parts.base == sorted[begin].parts.base)
        ++end;
      add_run(sorted.data() + begin, sorted.data() + end);
    }
    add_jumps();
    add_edges();
    return std::move(folded_);
  }

 private:
  bool is_whole(FunctionIndex f) const { return whole_.contains(graph_.object(f)); }
  bool is_jump(FunctionIndex f) const { return !raw_ && jumps_[f] != kNoJump; }

  /// They are the beginning of what they jump to, or the end of what jumps to them.
  void add_jumps() {
    for (FunctionIndex f = 0; f < graph_.functions.size(); ++f) {
      if (!is_jump(f)) continue;
      const uint32_t index = folded_.folded_of[jumps_[f]];
      folded_.folded_of[f] = index;
      int64_t& self = folded_.functions[index].self;
      self = checked_add(self, graph_.self_of(f, folded_.event), "self cost");
    }
    for (const SharedEnd& one : shared_) {
      folded_.functions[folded_.folded_of[one.end]].self -= one.cost;
      folded_.functions[folded_.folded_of[one.of]].self += one.cost;
    }
  }

  void add_run(Piece* begin, Piece* end) {
    if (end - begin == 1 || raw_ || is_whole(begin->function) || !same_symbol_in_two_files(graph_, begin, end))
      return add_function(begin, end);
    const auto file_of = [this](const Piece& piece) { return graph_.file(piece.function); };
    std::stable_sort(begin, end, [&](const Piece& a, const Piece& b) { return file_of(a) < file_of(b); });
    for (Piece* next; begin != end; begin = next) {
      next = std::find_if(begin, end, [&](const Piece& piece) { return file_of(piece) != file_of(*begin); });
      add_function(begin, next);
    }
  }

  void add_function(const Piece* begin, const Piece* end) {
    const auto index = static_cast<uint32_t>(folded_.functions.size());
    const bool whole = is_whole(begin->function);
    folded_.functions.push_back({begin->parts.base, whole ? std::string_view() : graph_.file(begin->function),
                                 graph_.object(begin->function), 0, whole});
    int64_t& self = folded_.functions.back().self;
    for (; begin != end; ++begin) {
      folded_.folded_of[begin->function] = index;
      self = checked_add(self, graph_.self_of(begin->function, folded_.event), "self cost");
    }
  }

  bool is_a_call(const Edge& edge) const {
    if (is_jump(edge.caller)) return false;
    if (folded_.folded_of[edge.caller] != folded_.folded_of[edge.callee] || raw_) return true;
    if (is_whole(edge.caller)) return false;
    return begins_invocation(pieces_[edge.caller].parts.tags, pieces_[edge.callee].parts.tags);
  }

  void add_edges() {
    for (uint32_t e = 0; e < graph_.edges.size(); ++e) {
      const Edge& edge = graph_.edges[e];
      if (is_a_call(edge))
        folded_.edges.push_back({folded_.folded_of[edge.caller], folded_.folded_of[edge.callee], edge.calls,
                                 graph_.inclusive_of(e, folded_.event)});
    }
    folded_.first_edge =
        sort_edges(folded_.functions.size(), folded_.edges, [](FoldedEdge& sum, const FoldedEdge& edge) {
          sum.calls = saturating_add(sum.calls, edge.calls);
          sum.inclusive = saturating_add(sum.inclusive, edge.inclusive);
        });
  }

  const CostGraph& graph_;
  bool raw_;
  const std::set<std::string_view>& whole_;
  FoldedGraph folded_;
  std::vector<Piece> pieces_;
  std::vector<FunctionIndex> jumps_;  ///< empty with raw names
  std::vector<SharedEnd> shared_;     ///< in calls of others than the one that it is a piece of
};

}  // namespace

bool begins_invocation(std::string_view caller_tags, std::string_view callee_tags) {
  if (is_never_called(callee_tags)) return false;
  return !holds_part_of_a_call(callee_tags) || callee_tags == caller_tags;
}

FoldedGraph fold_graph(const CostGraph& graph, size_t event, bool raw_names, const std::set<std::string_view>& whole) {
  return Folder(graph, event, raw_names, whole).fold();
}

std::vector<StrippedObject> find_stripped_objects(const CostGraph& base, const CostGraph& head,
                                                  std::string_view event) {
  struct Side {
    std::string_view object;
    size_t functions = 0;
    double named = 0, all = 0;  ///< cost
    double part() const { return all > 0 ? named / all : 0; }
  };
  std::map<std::string_view, std::array<Side, 2>> objects;  // by file name
  for (const auto& [side, graph] : {std::pair(size_t{0}, &base), std::pair(size_t{1}, &head)}) {
    const size_t number = *graph->event_index(event);
    for (FunctionIndex f = 0; f < graph->functions.size(); ++f) {
      Side& of = objects[base_of_path(graph->object(f))][side];
      const auto self = static_cast<double>(graph->self_of(f, number));
      of.object = std::max(of.object, graph->object(f));
      of.named += is_address_name(graph->name(f)) ? 0 : self;
      of.all += self;
      ++of.functions;
    }
  }
  std::vector<StrippedObject> found;
  for (const auto& [name, sides] : objects) {
    // Of fewer nothing follows: those with a name may be the ones that the object exports.
    if (name.empty() || name == "???" || std::min(sides[0].functions, sides[1].functions) < kMany) continue;
    const auto [less, more] = std::minmax({sides[0].part(), sides[1].part()});
    if (more >= kNearlyAll && less <= kHalf)
      found.push_back({{sides[0].object, sides[1].object}, sides[0].part() < sides[1].part() ? size_t{0} : size_t{1}});
  }
  return found;
}

std::vector<LineSpan> line_spans(const FoldedGraph& side) {
  const CostGraph& graph = *side.graph;
  std::vector<LineSpan> spans(side.functions.size());
  for (const LineRow& row : graph.lines) {
    if (row.line == 0 || row.file != graph.functions[row.function].file) continue;
    LineSpan& span = spans[side.folded_of[row.function]];
    span.first = span.first == 0 ? row.line : std::min(span.first, row.line);
    span.last = std::max(span.last, row.line);
  }
  return spans;
}

bool is_library_file(std::string_view path) {
  constexpr std::array<std::string_view, 5> kFolders = {"/c++/", "/usr/include/", "/rustc/", "/.cargo/registry/",
                                                        "./stdlib/"};
  return path == "???" || std::any_of(kFolders.begin(), kFolders.end(), [&](std::string_view folder) {
           return path.find(folder) != std::string_view::npos;
         });
}

bool is_system_library(std::string_view path) { return path.starts_with("/usr/lib") || path.starts_with("/lib"); }

SourceLines::SourceLines(const FoldedGraph& side) : folded_(&side), spans_(line_spans(side)) {
  const std::vector<LineRow>& lines = side.graph->lines;
  line_starts_.assign(side.functions.size() + 1, 0);
  for (const LineRow& line : lines) ++line_starts_[side.folded_of[line.function] + 1];
  for (size_t f = 0; f + 1 < line_starts_.size(); ++f) line_starts_[f + 1] += line_starts_[f];
  lines_.resize(lines.size());
  std::vector<uint32_t> next(line_starts_.begin(), line_starts_.end() - 1);
  for (uint32_t i = 0; i < lines.size(); ++i) lines_[next[side.folded_of[lines[i].function]]++] = i;
}

std::vector<LineCost> SourceLines::lines_of(uint32_t function) const {
  const CostGraph& graph = *folded_->graph;
  std::vector<LineCost> lines;
  for (uint32_t i = line_starts_[function]; i < line_starts_[function + 1]; ++i) {
    const LineRow& row = graph.lines[lines_[i]];
    if (row.line == 0) continue;
    lines.push_back({base_of_path(graph.strings.view(row.file)), row.line,
                     graph.line_self[lines_[i] * graph.event_count() + folded_->event], graph.strings.view(row.file)});
  }
  std::sort(lines.begin(), lines.end(),
            [](const LineCost& a, const LineCost& b) { return std::tie(a.file, a.line) < std::tie(b.file, b.line); });
  size_t kept = 0;
  for (const LineCost& line : lines) {
    if (kept > 0 && lines[kept - 1].file == line.file && lines[kept - 1].line == line.line) {
      lines[kept - 1].cost = saturating_add(lines[kept - 1].cost, line.cost);
    } else {
      lines[kept++] = line;
    }
  }
  lines.resize(kept);
  return lines;
}

namespace {

// The first line that costs something moves so far when the head of a function is edited.
constexpr int64_t kEditedHead = 3;

}  // namespace

void LineShifts::add(std::string_view base_file, LineSpan base, std::string_view head_file, LineSpan head) {
  if (base.first == 0 || head.first == 0 || base_file != head_file) return;
  const auto shift = static_cast<int64_t>(head.first - base.first),
             at_end = static_cast<int64_t>(head.last - base.last);
  if (shift != at_end) return;  // edited, or inlined code of this file came in
  shifts_[0][base_file][base.first] = shift;
  shifts_[1][base_file][head.first] = -shift;
}

int64_t LineShifts::of(std::string_view file, uint64_t line, size_t from) const {
  const auto of_file = shifts_[from].find(file);
  if (of_file == shifts_[from].end()) return 0;
  const auto after = of_file->second.upper_bound(line);
  return after == of_file->second.begin() ? after->second : std::prev(after)->second;
}

LineShifts::Place LineShifts::compare(std::string_view file, uint64_t base, uint64_t head) const {
  const auto of_file = shifts_[0].find(file);
  const auto shift = static_cast<int64_t>(head - base);
  if (of_file == shifts_[0].end()) return shift == 0 ? Place::kSame : Place::kPossible;
  const ByLine& shifts = of_file->second;
  const auto after = shifts.upper_bound(base);
  const int64_t above = after == shifts.begin() ? 0 : std::prev(after)->second;
  const bool is_last = after == shifts.end();  // any lines may have been written between the last known one and it
  const int64_t below = is_last ? above : after->second;
  if (shift == above || shift == below) return Place::kSame;
  const bool too_high = shift < std::min(above, below) - kEditedHead,
             too_low = !is_last && shift > std::max(above, below) + kEditedHead;
  return too_high || too_low ? Place::kAnother : Place::kPossible;
}

}  // namespace icount
