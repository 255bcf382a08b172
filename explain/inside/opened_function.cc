#include "icount/explain/inside/opened_function.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "icount/base/checked.h"
#include "icount/callgraph/name_parts.h"
#include "icount/explain/inside/inlined_code.h"
#include "icount/explain/inside/loop_matching.h"
#include "icount/shapes/function_shape.h"

namespace icount {
CodeFlow flow_of_function(const FoldedGraph& side, const ProfileCode& code, uint32_t function, uint64_t shift) {
  const CostGraph& graph = *side.graph;
  if (code.events != graph.event_count()) return {.closed = "its costs are of other events"};
  const std::string_view object = side.functions[function].object;
  std::vector<const FunctionCode*> pieces;
  for (const FunctionCode& piece : code.functions)
    if (side.folded_of[piece.function] == function && graph.object(piece.function) == object) pieces.push_back(&piece);
  const auto number_of = [&](FunctionIndex f) {
    const uint32_t folded = side.folded_of[f];
    return folded == function && graph.object(f) != object ? kNoFunction : folded;
  };
  const auto is_call = [&](FunctionIndex caller, FunctionIndex callee) {
    return begins_invocation(name_parts(graph.name(caller)).tags, name_parts(graph.name(callee)).tags);
  };
  return make_code_flow(pieces, graph.event_count(), side.event, function, number_of, is_call, shift);
}

namespace {

/// Where an instruction falls through to; nothing where it does not, or is the last.
std::optional<uint64_t> next_address(const CodeFlow& flow, const Instruction& one) {
  const Instruction* const next = &one + 1;
  if (one.falls == 0 || next == flow.instructions.data() + flow.instructions.size()) return std::nullopt;
  return next->address;
}

/// Targets of the instructions that jump to one place only.
std::map<uint64_t, uint64_t> single_targets(const CodeFlow& flow) {
  std::map<uint64_t, uint64_t> targets;
  for (size_t j = 0; j < flow.jumps.size(); ++j) {
    const uint32_t from = flow.jumps[j].from;
    const bool several =
        (j > 0 && flow.jumps[j - 1].from == from) || (j + 1 < flow.jumps.size() && flow.jumps[j + 1].from == from);
    if (!several) targets[flow.instructions[from].address] = flow.instructions[flow.jumps[j].to].address;
  }
  return targets;
}

/// Whether an instruction of `other` begins inside one of `flow`.
bool begins_inside(const CodeFlow& flow, const CodeFlow& other) {
  for (const Instruction& one : flow.instructions) {
    const auto next = next_address(flow, one);
    if (!next) continue;
    const auto found = std::upper_bound(other.instructions.begin(), other.instructions.end(), one.address,
                                        [](uint64_t wanted, const Instruction& each) { return wanted < each.address; });
    if (found != other.instructions.end() && found->address < *next) return true;
  }
  return false;
}

}  // namespace

const Instruction* find_instruction(const CodeFlow& flow, uint64_t address) {
  const auto found = std::lower_bound(flow.instructions.begin(), flow.instructions.end(), address,
                                      [](const Instruction& one, uint64_t wanted) { return one.address < wanted; });
  return found != flow.instructions.end() && found->address == address ? &*found : nullptr;
}

bool is_same_code(const CodeFlow& a, const CodeFlow& b) {
  size_t common = 0;
  for (const Instruction& one : a.instructions) {
    const Instruction* const other = find_instruction(b, one.address);
    if (!other) continue;
    ++common;
    const auto here = next_address(a, one), there = next_address(b, *other);
    if (here && there && *here != *there) return false;
    if ((one.returns && other->falls > 0) || (other->returns && one.falls > 0)) return false;
  }
  if (2 * common < std::min(a.instructions.size(), b.instructions.size())) return false;
  if (begins_inside(a, b) || begins_inside(b, a)) return false;
  const auto targets = single_targets(a), others = single_targets(b);
  return std::all_of(targets.begin(), targets.end(), [&](const auto& jump) {
    const auto other = others.find(jump.first);
    return other == others.end() || other->second == jump.second;
  });
}

std::vector<uint64_t> common_starts(const CodeFlow& a, const CodeFlow& b) {
  const std::vector<uint64_t> of_a = block_starts(a), of_b = block_starts(b);
  std::set<uint64_t> starts(of_a.begin(), of_a.end());
  starts.insert(of_b.begin(), of_b.end());
  std::map<uint64_t, int> sides;
  for (const Instruction& one : a.instructions) sides[one.address] |= 1;
  for (const Instruction& one : b.instructions) sides[one.address] |= 2;
  int before = 0;
  uint64_t last = 0;
  for (const auto& [address, present] : sides) {
    if (present != before || address - last > kLongestInstruction) starts.insert(address);
    before = present;
    last = address;
  }
  return {starts.begin(), starts.end()};
}

namespace {

/// Where the function is entered most.
uint64_t entry_address(const CodeFlow& flow) {
  const Instruction* entry = &flow.instructions.front();
  for (const Instruction& one : flow.instructions)
    if (one.entered > entry->entered) entry = &one;
  return entry->address;
}

/// The file that most of the function's own code is of, without what was inlined into it: Callgrind books a function in
/// the file of the line that it saw first, which may be an inlined one's. Empty where its code has no lines.
std::string_view file_of_own_code(const OpenedFunction& opened) {
  std::map<std::string_view, int64_t> executions;
  for (size_t side = 0; side < 2; ++side)
    for (const Instruction& one : opened.shapes[side].flow.instructions)
      if (one.inlined == 0 && one.line != 0) {
        int64_t& sum = executions[opened.code[side]->files[one.file]];
        sum = saturating_add(sum, one.executions);
      }
  const auto most = std::max_element(executions.begin(), executions.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == executions.end() ? std::string_view() : most->first;
}

/// What one side's region comes to: the most entries of a loop in it, and all of its iterations.
void count_region(const FunctionShape& shape, Region& region, size_t side) {
  int64_t entries = 0, iterations = 0;
  for (const uint32_t l : region.loops[side]) {
    const ShapeLoop& loop = shape.loops[l];
    bool nested = false;
    for (uint32_t at = loop.parent; at != kNoLoop && !nested; at = shape.loops[at].parent)
      nested = std::find(region.loops[side].begin(), region.loops[side].end(), at) != region.loops[side].end();
    if (!nested) entries = std::max(entries, loop.entries);
    iterations = saturating_add(iterations, nested ? loop.back : loop.iterations);
  }
  region.entries[side] = entries;
  region.iterations[side] = iterations;
}

void make_common_regions(OpenedFunction& opened) {
  std::set<uint32_t> nests = same_source_nests(opened, 0);
  nests.merge(same_source_nests(opened, 1));
  opened.regions.resize(1);
  for (auto& of : opened.region_of_loop) of.assign(opened.shapes[0].loops.size(), 0);
  for (uint32_t l = 0; l < opened.shapes[0].loops.size(); ++l) {
    uint32_t region = 0;
    if (nests.contains(l)) {
      region = opened.region_of_loop[0][opened.shapes[0].loops[l].parent];
    } else {
      region = static_cast<uint32_t>(opened.regions.size());
      opened.regions.emplace_back();
      const uint32_t parent = opened.shapes[0].loops[l].parent;
      const uint32_t around = parent == kNoLoop ? 0 : opened.region_of_loop[0][parent];
      opened.regions[region].parent = {around, around};
    }
    for (size_t side = 0; side < 2; ++side) {
      opened.regions[region].loops[side].push_back(l);
      opened.region_of_loop[side][l] = region;
    }
  }
}

/// For every line of base the line of head that its instructions have there.
void map_lines_by_address(OpenedFunction& opened) {
  for (const Instruction& one : opened.shapes[0].flow.instructions)
    if (const Instruction* const other = find_instruction(opened.shapes[1].flow, one.address);
        other && one.line != 0 && other->line != 0)
      opened.lines[opened.line_of(0, one)] = opened.line_of(1, *other);
}

using LinesByFile = std::map<std::string_view, std::pair<uint64_t, uint64_t>>;  // first and last line

void widen(LinesByFile& lines, LineKey line) {
  if (line.second == 0) return;
  const auto [at, fresh] = lines.try_emplace(line.first, line.second, line.second);
  at->second.first = std::min(at->second.first, line.second);
  at->second.second = std::max(at->second.second, line.second);
}

}  // namespace

void find_measuring_loop(OpenedFunction& opened) {
  for (uint32_t r = 1; r < opened.regions.size(); ++r) {
    Region& region = opened.regions[r];
    const size_t side = region.loops[1].empty() ? 0 : 1;
    Region& around = opened.regions[region.parent[side]];
    const bool is_outermost = &around == &opened.regions[0];
    region.measuring = (is_outermost || around.measuring) &&
                       is_controlled_by_stub(opened.shapes[side], region.loops[side].front(), *opened.code[side]);
    if (region.measuring) around.measuring = false;
  }
}

LineKey OpenedFunction::line_of(size_t side, const Instruction& one) const {
  return {base_of_path(code[side]->files[one.file]), one.line};
}

LineKey OpenedFunction::own_line_of(size_t side, const Instruction& one) const {
  const ProfileCode& of = *code[side];
  std::string_view path = of.files[one.file];
  uint64_t line = one.line;
  for (uint32_t at = one.inlined; at != 0 && is_library_file(path);) {
    const InlinedCode& inlined = of.inlined[at - 1];
    line = inlined.call_line;
    at = inlined.outer;
    path = at == 0 ? file : std::string_view(of.files[of.inlined[at - 1].file]);
  }
  return {base_of_path(path), is_library_file(path) ? 0 : line};
}

bool OpenedFunction::is_knot(uint32_t region) const {
  for (size_t side = 0; side < 2; ++side)
    for (const uint32_t loop : regions[region].loops[side])
      if (shapes[side].loops[loop].knot) return true;
  return false;
}

uint32_t OpenedFunction::header_of(size_t side, uint32_t region) const {
  const auto& loops = regions[region].loops[side];
  return region == 0 || loops.empty() ? kNoLoop : shapes[side].loops[loops.front()].header;
}

int64_t OpenedFunction::last_tests(size_t side, uint32_t region, int64_t figure_of_header) const {
  const ShapeLoop& loop = shapes[side].loops[regions[region].loops[side].front()];
  if (loop.heads <= 0 || loop.head_exits <= 0) return 0;
  return static_cast<int64_t>(static_cast<__int128>(figure_of_header) * loop.head_exits / loop.heads);
}

LoopPlace OpenedFunction::place_of(uint32_t region) const {
  const size_t side = regions[region].loops[1].empty() ? 0 : 1;
  // Lines that only one side has in the loop may have been moved in or inlined.
  std::set<LineKey> of_both;
  if (!same_code && regions[region].on_both()) {
    std::set<LineKey> in_base;
    const auto each_line = [&](size_t of, auto&& tell) {
      for (const uint32_t l : regions[region].loops[of])
        for (const uint32_t block : shapes[of].loops[l].blocks)
          for (uint32_t i = shapes[of].blocks[block].first; i < shapes[of].blocks[block].end; ++i)
            tell(line_of(of, shapes[of].flow.instructions[i]));
    };
    each_line(0, [&](LineKey line) {
      if (const auto there = lines.find(line); there != lines.end()) in_base.insert(there->second);
    });
    each_line(1, [&](LineKey line) {
      if (line.second != 0 && in_base.contains(line)) of_both.insert(line);
    });
  }
  using Counts = std::function<bool(const Instruction&)>;
  // A loop that the head did not run has its lines in the base.
  const auto place_on = [&](size_t of) {
    const auto counts = [&](const Instruction& one) { return of_both.contains(line_of(of, one)); };
    return loop_place(shapes[of], regions[region].loops[of].front(), *code[of], file,
                      of_both.empty() ? Counts() : Counts(counts));
  };
  LoopPlace place = place_on(side);
  if (place.first_line == 0 && side == 1 && !regions[region].loops[0].empty() && same_code) place = place_on(0);
  place.address += shifts[side];
  return place;
}

LoopPlace OpenedFunction::replaced_place(uint32_t region) const {
  LoopPlace place = loop_place(shapes[0], regions[region].loops[0].front(), *code[0], file);
  place.address += shifts[0];
  return place;
}

std::optional<CauseInlined> OpenedFunction::inlined_of(uint32_t region) const {
  if (region == 0) return std::nullopt;
  return inlined_of(region, regions[region].loops[1].empty() ? 0 : 1);
}

std::optional<CauseInlined> OpenedFunction::inlined_of(uint32_t region, size_t side) const {
  const uint32_t inlined = inlined_around(shapes[side], regions[region].loops[side].front(), *code[side]);
  if (inlined == 0) return std::nullopt;
  const InlinedCode& one = code[side]->inlined[inlined - 1];
  return CauseInlined{one.name, std::string(base_of_path(code[side]->files[one.file])), one.line};
}

std::optional<CauseInlined> OpenedFunction::entered_by(uint32_t region, uint32_t around) const {
  if (region == 0) return std::nullopt;
  const size_t side = regions[region].loops[1].empty() ? 0 : 1;
  const std::vector<InlinedCode>& inlined = code[side]->inlined;
  const auto loop_of = [&](uint32_t of) { return regions[of].loops[side].front(); };
  std::vector<uint32_t> outside;
  if (around != 0 && !regions[around].loops[side].empty())
    outside = inlined_chain(*code[side], inlined_around(shapes[side], loop_of(around), *code[side]));
  std::vector<uint32_t> entered =
      inlined_chain(*code[side], inlined_around(shapes[side], loop_of(region), *code[side]));
  const auto [last, other] = std::mismatch(entered.begin(), entered.end(), outside.begin(), outside.end());
  entered.erase(entered.begin(), last);
  if (entered.empty()) return std::nullopt;
  const InlinedCode& one = inlined[frame_to_name(side, entered) - 1];
  return CauseInlined{one.name, std::string(base_of_path(code[side]->files[one.file])), one.call_line};
}

uint32_t OpenedFunction::frame_to_name(size_t side, const std::vector<uint32_t>& chain) const {
  const std::vector<InlinedCode>& inlined = code[side]->inlined;
  size_t found = 0;
  while (found + 1 < chain.size()) {
    const InlinedCode &one = inlined[chain[found] - 1], &inside = inlined[chain[found + 1] - 1];
    const bool is_of_own_file = base_of_path(code[side]->files[one.file]) == base_of_path(file);
    if (!is_of_own_file || inside.call_line == one.line) break;
    ++found;
  }
  return chain[found];
}

std::set<uint32_t> same_source_nests(const OpenedFunction& opened, size_t side) {
  // The outer one of two false nests has no line before or behind those of the inner one, as a real loop's head would
  // be.
  const FunctionShape& shape = opened.shapes[side];
  std::set<uint32_t> nests;
  for (uint32_t l = 0; l < shape.loops.size(); ++l) {
    const ShapeLoop& loop = shape.loops[l];
    if (loop.parent == kNoLoop || shape.loops[loop.parent].knot) continue;
    LinesByFile inner, outer;
    const auto add = [&](uint32_t block, LinesByFile& lines) {
      for (uint32_t i = shape.blocks[block].first; i < shape.blocks[block].end; ++i)
        widen(lines, opened.line_of(side, shape.flow.instructions[i]));
    };
    for (const uint32_t block : loop.blocks) add(block, inner);
    for (const uint32_t block : shape.loops[loop.parent].blocks)
      if (shape.blocks[block].loop == loop.parent) add(block, outer);
    if (inner.empty() || outer.contains(kMeasuringLoopFile)) continue;
    const std::string_view own = base_of_path(opened.file);
    std::set<std::string_view> files;
    if (inner.contains(own) || outer.contains(own)) {
      files.insert(own);
    } else {
      for (const auto& [file, lines] : inner) files.insert(file);
      for (const auto& [file, lines] : outer) files.insert(file);
    }
    const bool one_loop = std::all_of(files.begin(), files.end(), [&](std::string_view file) {
      const auto in = inner.find(file), out = outer.find(file);
      return in != inner.end() &&
             (out == outer.end() || (out->second.first >= in->second.first && out->second.second <= in->second.second));
    });
    if (one_loop) nests.insert(l);
  }
  return nests;
}

OpenedFunction open_function(const std::array<const FoldedGraph*, 2>& sides,
                             const std::array<const ProfileCode*, 2>& code, const std::array<uint32_t, 2>& functions,
                             const CalleeNodes& callees, const SameLines& same_lines) {
  OpenedFunction opened;
  opened.code = code;
  opened.file = sides[1]->functions[functions[1]].file;
  opened.has_names = true;
  for (size_t side = 0; side < 2; ++side) {
    const CodeObject* const object = find_object(*code[side], sides[side]->functions[functions[side]].object);
    opened.has_names = opened.has_names && object && object->has_names;
  }
  std::array<CodeFlow, 2> flows = {flow_of_function(*sides[0], *code[0], functions[0]),
                                   flow_of_function(*sides[1], *code[1], functions[1])};
  for (const CodeFlow& flow : flows)
    if (opened.closed.empty()) opened.closed = flow.closed;
  if (!opened.closed.empty()) return opened;
  const uint64_t shift = entry_address(flows[1]) - entry_address(flows[0]);
  CodeFlow moved = shift == 0 ? flows[1] : flow_of_function(*sides[1], *code[1], functions[1], shift);
  opened.same_code = moved.closed.empty() && is_same_code(flows[0], moved);
  if (opened.same_code) {
    opened.shifts = {0, shift};
    const std::vector<uint64_t> starts = common_starts(flows[0], moved);
    opened.shapes = {make_blocks(std::move(flows[0]), starts), make_blocks(std::move(moved), starts)};
    find_loops(opened.shapes[0], opened.shapes[1]);
  } else {
    opened.shapes = {make_shape(std::move(flows[0])), make_shape(std::move(flows[1]))};
  }
  for (const FunctionShape& shape : opened.shapes)
    if (opened.closed.empty()) opened.closed = shape.closed;
  if (!opened.closed.empty()) return opened;
  const std::string_view own_file = opened.has_names ? file_of_own_code(opened) : std::string_view();
  if (!own_file.empty()) opened.file = own_file;
  if (opened.same_code) {
    map_lines_by_address(opened);
    make_common_regions(opened);
  } else {
    match_loops(opened, callees);
    pair_known_lines(opened, same_lines);
  }
  for (uint32_t r = 1; r < opened.regions.size(); ++r)
    for (size_t side = 0; side < 2; ++side) count_region(opened.shapes[side], opened.regions[r], side);
  find_measuring_loop(opened);
  if (!opened.same_code) find_reshaped(opened, callees);
  return opened;
}

}  // namespace icount
