#include "icount/explain/call_sites.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

#include "icount/base/checked.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/inlined_code.h"

namespace icount {
namespace {

// So much of the calls are in the inlined function.
constexpr long double kNearlyAll = 0.9L;
// A lambda whose symbol is not known: its name says nothing.
constexpr std::string_view kCallOperator = "operator()";

/// Calls inside an inlined function, those that are in others inside it included.
struct Frame {
  BothSides calls{};
  std::array<std::vector<uint32_t>, 2> chain;  ///< by side: inlined functions from the outermost to this one
};
/// By names from the outermost inlined function inwards; empty: all calls.
using Frames = std::map<std::vector<std::string_view>, Frame>;

/// A chain without the inlined functions around a loop; whole where the loop is told to be in another one.
std::vector<uint32_t> without_those_around(const OpenedFunction& opened, size_t side, std::optional<uint32_t> region,
                                           std::vector<uint32_t> chain) {
  if (!region || *region == 0) return chain;
  const uint32_t loop = opened.regions[*region].loops[side].front();
  const std::vector<uint32_t> around =
      inlined_chain(*opened.code[side], inlined_around(opened.shapes[side], loop, *opened.code[side]));
  if (around.size() > chain.size() || !std::equal(around.begin(), around.end(), chain.begin())) return chain;
  chain.erase(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(around.size()));
  return chain;
}

void add_calls(Frames& frames, const OpenedFunction& opened, size_t side, const std::vector<uint32_t>& chain,
               int64_t calls) {
  std::vector<std::string_view> path;
  for (size_t depth = 0;; ++depth) {
    Frame& frame = frames[path];
    frame.calls[side] = saturating_add(frame.calls[side], calls);
    frame.chain[side].assign(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(depth));
    if (depth == chain.size()) return;
    path.push_back(opened.code[side]->inlined[chain[depth] - 1].name);
  }
}

Frames frames_of_calls(const OpenedFunction& opened, const CalleeNodes& of_callee, uint32_t callee,
                       std::optional<uint32_t> region) {
  Frames frames;
  for (size_t side = 0; side < 2; ++side) {
    const FunctionShape& shape = opened.shapes[side];
    for (uint32_t b = 0; b < shape.blocks.size(); ++b) {
      if (region && opened.region_of(side, b) != *region) continue;
      for (const FlowCall& call : shape.calls_of(shape.blocks[b])) {
        if (call.callee >= of_callee[side].size() || of_callee[side][call.callee] != callee) continue;
        const uint32_t inlined = shape.flow.instructions[call.from].inlined;
        add_calls(frames, opened, side,
                  without_those_around(opened, side, region, inlined_chain(*opened.code[side], inlined)), call.calls);
      }
    }
  }
  return frames;
}

}  // namespace

std::optional<CauseInlined> inlined_around_calls(const OpenedFunction& opened, const CalleeNodes& of_callee,
                                                 uint32_t callee, std::optional<uint32_t> region) {
  if (!opened.has_names) return std::nullopt;
  const Frames frames = frames_of_calls(opened, of_callee, callee, region);
  if (frames.empty()) return std::nullopt;
  const BothSides& all = frames.at({}).calls;
  const auto weight = [&](const Frame& frame) {
    return static_cast<long double>(all[0] == all[1] ? frame.calls[0] + frame.calls[1]
                                                     : frame.calls[1] - frame.calls[0]);
  };
  const long double whole = weight(frames.at({}));
  const Frame* innermost = nullptr;
  size_t depth = 0;
  for (const auto& [path, frame] : frames) {
    if (path.size() <= depth || whole == 0 || weight(frame) / whole < kNearlyAll) continue;
    innermost = &frame;
    depth = path.size();
  }
  if (innermost == nullptr) return std::nullopt;
  const size_t side = innermost->calls[1] > 0 ? 1 : 0;
  const InlinedCode& one = opened.code[side]->inlined[opened.frame_to_name(side, innermost->chain[side]) - 1];
  if (one.name.starts_with(kCallOperator)) return std::nullopt;
  return CauseInlined{one.name, std::string(base_of_path(opened.code[side]->files[one.file])), one.call_line};
}

}  // namespace icount
