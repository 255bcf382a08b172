#include "icount/shapes/function_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "icount/base/checked.h"
#include "icount/callgraph/components.h"
#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

// A loop is written where so much of its control is, and has one entry that so many of its passes take.
constexpr double kNearlyAll = 0.9;

struct FileLines {
  std::set<uint64_t> lines;
  int64_t executions = 0;

  void add(uint64_t line, int64_t times) {
    lines.insert(line);
    executions = saturating_add(executions, std::max<int64_t>(times, 1));
  }
};
using LinesByFile = std::map<std::string_view, FileLines>;

/// The own file, or the one that was executed most.
const LinesByFile::value_type& choose_file(const LinesByFile& by_file, std::string_view own) {
  if (const auto found = by_file.find(own); found != by_file.end()) return *found;
  return *std::max_element(by_file.begin(), by_file.end(),
                           [](const auto& a, const auto& b) { return a.second.executions < b.second.executions; });
}

std::span<const ShapeEdge> edges_out_of(const FunctionShape& shape, uint32_t block) {
  const auto [first, last] = std::equal_range(shape.edges.begin(), shape.edges.end(), ShapeEdge{block, 0, 0},
                                              [](const ShapeEdge& x, const ShapeEdge& y) { return x.from < y.from; });
  return {first, last};
}

/// Without folders. `frame` as in line_seen_from.
std::string_view file_of_frame(uint32_t frame, const ProfileCode& code, std::string_view own_file) {
  return base_of_path(frame == 0 ? own_file : std::string_view(code.files[code.inlined[frame - 1].file]));
}

}  // namespace

std::string LoopPlace::text() const {
  if (first_line == 0) return fmt::format("{:#x}", address);
  if (first_line == last_line) return fmt::format("{}:{}", file, first_line);
  return fmt::format("{}:{}-{}", file, first_line, last_line);
}

std::vector<uint32_t> control_of_loop(const FunctionShape& shape, uint32_t loop) {
  const ShapeLoop& of = shape.loops[loop];
  std::vector<uint32_t> control, own;
  for (const uint32_t b : of.blocks) {
    const ShapeBlock& block = shape.blocks[b];
    for (uint32_t i = block.first; i < block.end && block.loop == loop; ++i) own.push_back(i);
    const std::span<const ShapeEdge> edges = edges_out_of(shape, b);
    const bool ends = std::any_of(edges.begin(), edges.end(), [&](const ShapeEdge& edge) {
      return edge.to == of.header || !shape.is_inside(edge.to, loop);
    });
    if (ends && block.end > block.first) control.push_back(block.end - 1);
  }
  return control.empty() ? own : control;
}

uint32_t inlined_around(const FunctionShape& shape, uint32_t loop, const ProfileCode& code) {
  int64_t all = 0;
  std::map<uint32_t, int64_t> inside;  // by inlined function, those inside of it included
  for (const uint32_t i : control_of_loop(shape, loop)) {
    const Instruction& one = shape.flow.instructions[i];
    all = saturating_add(all, one.executions);
    for (uint32_t at = one.inlined; at != 0; at = code.inlined[at - 1].outer)
      inside[at] = saturating_add(inside[at], one.executions);
  }
  uint32_t around = 0;  // an inner one has a higher number than those around it
  for (const auto& [number, executions] : inside)
    if (static_cast<double>(executions) >= kNearlyAll * static_cast<double>(all)) around = number;
  return around;
}

bool is_controlled_by_stub(const FunctionShape& shape, uint32_t loop, const ProfileCode& code) {
  const std::vector<uint32_t> control = control_of_loop(shape, loop);
  return std::any_of(control.begin(), control.end(), [&](uint32_t i) {
    return base_of_path(code.files[shape.flow.instructions[i].file]) == kMeasuringLoopFile;
  });
}

SeenLine line_seen_from(uint32_t frame, const Instruction& one, const ProfileCode& code, std::string_view own_file) {
  uint32_t below = 0;
  for (uint32_t at = one.inlined; at != frame; at = code.inlined[at - 1].outer) {
    if (at == 0) return {base_of_path(code.files[one.file]), one.line};  // moved here from outside of the frame
    below = at;
  }
  if (below == 0) return {base_of_path(code.files[one.file]), one.line};
  return {file_of_frame(frame, code, own_file), code.inlined[below - 1].call_line};
}

LoopPlace loop_place(const FunctionShape& shape, uint32_t loop, const ProfileCode& code, std::string_view own_file,
                     const std::function<bool(const Instruction&)>& counts) {
  const ShapeLoop& of = shape.loops[loop];
  LoopPlace place;
  place.address = shape.blocks[of.header].address;
  const uint32_t frame = inlined_around(shape, loop, code);
  LinesByFile decisive, all;
  auto call = shape.flow.calls.begin();
  for (const uint32_t b : of.blocks) {
    const ShapeBlock& block = shape.blocks[b];
    const std::span<const ShapeEdge> edges = edges_out_of(shape, b);
    bool decides = edges.size() > 1;
    for (const ShapeEdge& edge : edges) decides = decides || edge.to == of.header;
    for (uint32_t i = block.first; i < block.end; ++i) {
      const Instruction& one = shape.flow.instructions[i];
      while (call != shape.flow.calls.end() && call->from < i) ++call;
      const bool calls = call != shape.flow.calls.end() && call->from == i;
      const SeenLine seen = line_seen_from(frame, one, code, own_file);
      if (seen.line == 0 || (counts && !counts(one))) continue;
      all[seen.file].add(seen.line, one.executions);
      if (calls || (decides && i + 1 == block.end)) decisive[seen.file].add(seen.line, one.executions);
    }
  }
  const std::string_view own = file_of_frame(frame, code, own_file);
  const bool enough = !decisive.empty() && (decisive.contains(own) || !all.contains(own));
  const LinesByFile& chosen = enough ? decisive : all;
  if (chosen.empty()) return place;
  const auto& [file, lines] = choose_file(chosen, own);
  place.file = file;
  place.first_line = *lines.lines.begin();
  place.last_line = *lines.lines.rbegin();
  return place;
}

namespace {

// Beyond these a function stays closed: nobody reads its listing, and each level of nesting is a search of its own.
constexpr size_t kMostBlocks = 200'000;
constexpr int kDeepest = 48;

void close(FunctionShape& shape, std::string reason) {
  shape = {};
  shape.closed = std::move(reason);
}

void add_edges(FunctionShape& shape) {
  std::vector<uint32_t> block_of(shape.flow.instructions.size());
  for (uint32_t b = 0; b < shape.blocks.size(); ++b)
    for (uint32_t i = shape.blocks[b].first; i < shape.blocks[b].end; ++i) block_of[i] = b;
  std::vector<ShapeEdge> edges;
  for (const FlowJump& jump : shape.flow.jumps)
    edges.push_back({block_of[jump.from], block_of[jump.to], jump.followed});
  for (uint32_t i = 0; i + 1 < block_of.size(); ++i)
    if (const int64_t falls = shape.flow.instructions[i].falls; falls > 0 && block_of[i] != block_of[i + 1])
      edges.push_back({block_of[i], block_of[i + 1], falls});
  std::sort(edges.begin(), edges.end(),
            [](const ShapeEdge& a, const ShapeEdge& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
  for (const ShapeEdge& edge : edges) {
    if (!shape.edges.empty() && shape.edges.back().from == edge.from && shape.edges.back().to == edge.to)
      shape.edges.back().times = saturating_add(shape.edges.back().times, edge.times);
    else
      shape.edges.push_back(edge);
  }
}

/// The edges that leave and that reach each block, so that a loop is looked at without the rest of the function.
class EdgeIndex {
 public:
  EdgeIndex(std::span<const ShapeEdge> edges, size_t blocks)
      : edges_(edges), first_out_(blocks + 1, 0), first_in_(blocks + 1, 0), by_target_(edges.size()) {
    for (const ShapeEdge& edge : edges) {
      ++first_out_[edge.from + 1];
      ++first_in_[edge.to + 1];
    }
    for (size_t b = 0; b < blocks; ++b) {
      first_out_[b + 1] += first_out_[b];
      first_in_[b + 1] += first_in_[b];
    }
    std::vector<uint32_t> next = first_in_;
    for (uint32_t e = 0; e < edges.size(); ++e) by_target_[next[edges[e].to]++] = e;
  }

  /// `edges` are sorted by their source.
  std::span<const ShapeEdge> out_of(uint32_t block) const {
    return edges_.subspan(first_out_[block], first_out_[block + 1] - first_out_[block]);
  }
  /// By index.
  std::span<const uint32_t> into(uint32_t block) const {
    return std::span(by_target_).subspan(first_in_[block], first_in_[block + 1] - first_in_[block]);
  }
  const ShapeEdge& edge(uint32_t e) const { return edges_[e]; }

 private:
  std::span<const ShapeEdge> edges_;
  std::vector<uint32_t> first_out_, first_in_, by_target_;
};

/// The edges of both sides with their sums, and the search for loops on them.
class LoopFinder {
 public:
  LoopFinder(const FunctionShape& one, const FunctionShape& other) : inside_(one.blocks.size(), 0) {
    const bool alone = &one == &other;
    for (const ShapeEdge& edge : one.edges) weights_[{edge.from, edge.to}] = edge.times;
    for (const ShapeBlock& block : one.blocks) entered_.push_back(block.entered);
    if (!alone) {
      for (const ShapeEdge& edge : other.edges) {
        int64_t& weight = weights_[{edge.from, edge.to}];
        weight = saturating_add(weight, edge.times);
      }
      for (size_t b = 0; b < entered_.size(); ++b) entered_[b] = saturating_add(entered_[b], other.blocks[b].entered);
    }
    for (const auto& [ends, weight] : weights_) edges_.push_back({ends.first, ends.second, weight});
    index_.emplace(edges_, one.blocks.size());
  }

  /// False when they nest too deep.
  bool find() {
    std::vector<uint32_t> all(inside_.size());
    for (uint32_t b = 0; b < all.size(); ++b) all[b] = b;
    search(all, kNoLoop);
    for (uint32_t at = 0; at < loops_.size(); ++at) {  // grows while it is walked
      if (loops_[at].knot) continue;
      if (loops_[at].depth == kDeepest) return false;
      const std::vector<uint32_t> blocks = loops_[at].blocks;
      search(blocks, at);
    }
    return true;
  }

  std::vector<ShapeLoop> take() { return std::move(loops_); }

 private:
  /// Components among `blocks` without the edges into the parent's header.
  void search(const std::vector<uint32_t>& blocks, uint32_t parent) {
    const uint32_t cut = parent == kNoLoop ? kNoLoop : loops_[parent].header;
    for (uint32_t i = 0; i < blocks.size(); ++i) inside_[blocks[i]] = i + 1;
    std::vector<Arc> arcs;
    std::vector<bool> repeats(blocks.size(), false);
    for (uint32_t i = 0; i < blocks.size(); ++i)
      for (const ShapeEdge& edge : index_->out_of(blocks[i])) {
        const uint32_t to = edge.to;
        if (inside_[to] == 0 || to == cut) continue;
        arcs.push_back({i, inside_[to] - 1});
        if (to == blocks[i]) repeats[i] = true;
      }
    const Components components = find_components(blocks.size(), arcs);
    const Components::Members members = components.members();
    std::vector<std::vector<uint32_t>> found;
    for (uint32_t c = 0; c < components.count(); ++c) {
      const auto of = members.of(c);
      if (of.size() == 1 && !repeats[of[0]]) continue;
      std::vector<uint32_t> loop;
      for (const uint32_t i : of) loop.push_back(blocks[i]);
      found.push_back(std::move(loop));
    }
    for (const uint32_t block : blocks) inside_[block] = 0;
    std::sort(found.begin(), found.end());  // by the first block's address
    for (std::vector<uint32_t>& loop : found) add_loop(std::move(loop), parent);
  }

  void add_loop(std::vector<uint32_t> blocks, uint32_t parent) {
    for (const uint32_t block : blocks) inside_[block] = 1;
    std::map<uint32_t, int64_t> into;
    for (const uint32_t block : blocks)
      if (entered_[block] > 0) into[block] = entered_[block];
    for (const uint32_t block : blocks)
      for (const uint32_t e : index_->into(block))
        if (inside_[edges_[e].from] == 0) into[block] = saturating_add(into[block], edges_[e].times);
    for (const uint32_t block : blocks) inside_[block] = 0;
    ShapeLoop loop;
    loop.header = blocks.front();
    int64_t all = 0, most = -1;
    for (const auto& [block, times] : into) {
      all = saturating_add(all, times);
      if (times <= most) continue;
      most = times;
      loop.header = block;
    }
    loop.blocks = std::move(blocks);
    loop.parent = parent;
    loop.depth = parent == kNoLoop ? 1 : loops_[parent].depth + 1;
    loop.irreducible = into.size() > 1;
    loop.knot = into.size() > 2 && static_cast<double>(most) < kNearlyAll * static_cast<double>(all);
    loops_.push_back(std::move(loop));
  }

  std::map<std::pair<uint32_t, uint32_t>, int64_t> weights_;
  std::vector<ShapeEdge> edges_;
  std::optional<EdgeIndex> index_;
  std::vector<int64_t> entered_;  // by block
  std::vector<uint32_t> inside_;  // by block, while one set is looked at
  std::vector<ShapeLoop> loops_;
};

/// The figures of a side's loops.
class LoopCounter {
 public:
  explicit LoopCounter(FunctionShape& shape)
      : shape_(shape), index_(shape.edges, shape.blocks.size()), inside_(shape.blocks.size(), false) {}

  void count() {
    for (uint32_t i = 0; i < shape_.loops.size(); ++i) {
      for (const uint32_t block : shape_.loops[i].blocks) shape_.blocks[block].loop = i;
      count(shape_.loops[i]);
    }
  }

 private:
  void count(ShapeLoop& loop) {
    for (const uint32_t block : loop.blocks) inside_[block] = true;
    const ShapeBlock& header = shape_.blocks[loop.header];
    int64_t exits = header.left, turns = 0;
    bool repeats = false;
    for (const uint32_t block : loop.blocks) {
      loop.entries = saturating_add(loop.entries, shape_.blocks[block].entered);
      for (const uint32_t e : index_.into(block))
        if (!inside_[index_.edge(e).from]) loop.entries = saturating_add(loop.entries, index_.edge(e).times);
      if (index_.out_of(block).size() > 2) turns = saturating_add(turns, shape_.blocks[block].executions);
    }
    for (const uint32_t e : index_.into(loop.header))
      if (inside_[index_.edge(e).from]) loop.back = saturating_add(loop.back, index_.edge(e).times);
    for (const ShapeEdge& edge : index_.out_of(loop.header)) {
      if (!inside_[edge.to]) exits = saturating_add(exits, edge.times);
      if (edge.to == loop.header) repeats = true;
    }
    for (const uint32_t block : loop.blocks) inside_[block] = false;
    loop.heads = header.executions;
    loop.head_exits = repeats || loop.blocks.size() == 1 ? 0 : std::min(exits, loop.heads);
    loop.iterations = loop.heads - loop.head_exits;
    if (!loop.knot) return;
    loop.head_exits = 0;
    loop.iterations = turns > 0 ? turns : loop.entries;
  }

  FunctionShape& shape_;
  EdgeIndex index_;
  std::vector<bool> inside_;
};

}  // namespace

std::span<const FlowCall> FunctionShape::calls_of(const ShapeBlock& block) const {
  const auto before = [](const FlowCall& call, uint32_t at) { return call.from < at; };
  const auto begin = std::lower_bound(flow.calls.begin(), flow.calls.end(), block.first, before);
  return {begin, std::lower_bound(begin, flow.calls.end(), block.end, before)};
}

bool FunctionShape::is_inside(uint32_t block, uint32_t loop) const {
  for (uint32_t at = blocks[block].loop; at != kNoLoop; at = loops[at].parent)
    if (at == loop) return true;
  return false;
}

std::vector<uint64_t> block_starts(const CodeFlow& flow) {
  const auto& all = flow.instructions;
  std::vector<bool> starts(all.size(), false);
  for (const FlowJump& jump : flow.jumps) {
    starts[jump.to] = true;
    if (jump.from + size_t{1} < all.size()) starts[jump.from + 1] = true;
  }
  for (size_t i = 0; i < all.size(); ++i)
    if (i == 0 || all[i].entered > 0 || all[i].executions != all[i - 1].executions ||
        all[i - 1].falls != all[i].executions)
      starts[i] = true;
  std::vector<uint64_t> addresses;
  for (size_t i = 0; i < all.size(); ++i)
    if (starts[i]) addresses.push_back(all[i].address);
  return addresses;
}

FunctionShape make_blocks(CodeFlow flow, std::span<const uint64_t> starts) {
  FunctionShape shape;
  if (!flow.closed.empty()) {
    shape.closed = flow.closed;
    return shape;
  }
  if (starts.size() > kMostBlocks) {
    close(shape, "it has more than 200,000 blocks");
    return shape;
  }
  shape.flow = std::move(flow);
  const auto& all = shape.flow.instructions;
  uint32_t next = 0;
  for (size_t b = 0; b < starts.size(); ++b) {
    ShapeBlock block{.first = next, .address = starts[b]};
    for (; next < all.size() && (b + 1 == starts.size() || all[next].address < starts[b + 1]); ++next) {
      const Instruction& one = all[next];
      if (next == block.first) block.executions = one.executions;
      block.self = saturating_add(block.self, one.self);
      block.entered = saturating_add(block.entered, saturating_add(one.entered, one.arrived));
      block.left = saturating_add(block.left, one.left);
    }
    block.end = next;
    shape.blocks.push_back(block);
  }
  add_edges(shape);
  return shape;
}

void find_loops(FunctionShape& one, FunctionShape& other) {
  if (!one.closed.empty() || !other.closed.empty()) return;
  LoopFinder finder(one, other);
  if (!finder.find()) {
    for (FunctionShape* shape : {&one, &other}) close(*shape, "its loops are nested too deep");
    return;
  }
  one.loops = finder.take();
  if (&other != &one) {
    other.loops = one.loops;
    LoopCounter(other).count();
  }
  LoopCounter(one).count();
}

FunctionShape make_shape(CodeFlow flow) {
  const std::vector<uint64_t> starts = block_starts(flow);
  FunctionShape shape = make_blocks(std::move(flow), starts);
  find_loops(shape, shape);
  return shape;
}

}  // namespace icount
