#include "icount/explain/inlined_loop.h"

#include <vector>

#include "icount/base/checked.h"
#include "icount/explain/code_pieces.h"
#include "icount/explain/inlined_code.h"
#include "icount/shapes/function_shape.h"
#include "icount/shapes/loop_place.h"

namespace icount {
namespace {

// A compiler moves a few of the instructions out of the loop.
constexpr double kNearlyAll = 0.9;

}  // namespace

std::optional<CauseLoop> find_inlined_loop(const FoldedGraph& side, const ProfileCode& code, uint32_t caller,
                                           std::string_view callee) {
  if (code.inlined.empty()) return std::nullopt;
  const FunctionShape shape = make_shape(flow_of_function(side, code, caller));
  const std::vector<bool> inside = InlinedNames(code).inside(callee);
  int64_t all = 0;
  std::vector<int64_t> of_loop(shape.loops.size(), 0);
  for (const ShapeBlock& block : shape.blocks)
    for (uint32_t i = block.first; i < block.end; ++i) {
      const Instruction& one = shape.flow.instructions[i];
      if (!inside[one.inlined]) continue;
      all = saturating_add(all, one.self);
      for (uint32_t loop = block.loop; loop != kNoLoop; loop = shape.loops[loop].parent)
        of_loop[loop] = saturating_add(of_loop[loop], one.self);
    }
  std::optional<CauseLoop> found;
  for (uint32_t loop = 0; loop < shape.loops.size(); ++loop) {  // an outer one before those inside it
    if (all == 0 || static_cast<double>(of_loop[loop]) < kNearlyAll * static_cast<double>(all)) continue;
    const LoopPlace place = loop_place(shape, loop, code.files, side.functions[caller].file);
    found = CauseLoop{place.file, place.first_line, place.last_line, place.address, shape.loops[loop].depth};
  }
  return found;
}

void place_in_loop(Cause& cause, const CauseLoop& loop) {
  auto* const inlined = std::get_if<fact::Inlined>(&cause.facts);
  if (!inlined || !inlined->callee_is_known) return;
  inlined->loop = LoopPlace{loop.file, loop.first_line, loop.last_line, loop.address}.text();
  cause.loop = loop;
}

}  // namespace icount
