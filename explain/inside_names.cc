#include "icount/explain/inside_names.h"

#include <fmt/format.h>

#include "icount/callgraph/name_parts.h"
#include "icount/explain/node_names.h"

namespace icount {

Cause InsideNames::new_cause(CauseKind kind, uint32_t region) const {
  Cause cause;
  cause.kind = kind;
  cause.function = source_.function_field;
  cause.file = source_.file;
  cause.object = source_.object;
  cause.line = source_.line;
  if (region == 0) return cause;
  const LoopPlace place = opened().place_of(region);
  const Region& of = opened().regions[region];
  const size_t side = of.loops[1].empty() ? 0 : 1;
  cause.loop = {place.file, place.first_line, place.last_line, place.address,
                opened().shapes[side].loops[of.loops[side].front()].depth};
  cause.entries = of.entries;
  cause.iterations = of.iterations;
  if (place.first_line != 0) set_line(cause, place.file, place.first_line);
  cause.inlined = opened().inlined_of(region);
  return cause;
}

void InsideNames::set_line(Cause& cause, std::string_view file, uint64_t line) const {
  cause.line = line;
  if (file != base_of_path(source_.file)) cause.file = file;
}

fact::LoopName InsideNames::loop_name(uint32_t region) const {
  const auto inlined = opened().inlined_of(region);
  return {source_.loops[region], inlined ? icount::quoted(inlined->name) : std::string(), source_.function};
}

uint32_t InsideNames::region_of(const InsideNode& one) const {
  if (one.kind == InsideKind::kBlock) return opened().region_of(1, one.number);
  return one.kind == InsideKind::kEntry || one.kind == InsideKind::kIteration ? one.number : 0;
}

bool InsideNames::is_statement(uint32_t n) const {
  return node(n).kind == InsideKind::kIteration && opened().regions[node(n).number].measuring;
}

fact::Doer InsideNames::doer(uint32_t n) const {
  using Kind = fact::Doer::Kind;
  fact::Doer doer{.function = source_.function, .has_loops = opened().regions.size() > 1};
  switch (node(n).kind) {
    case InsideKind::kIteration:
      doer.kind = is_statement(n) ? Kind::kRun : Kind::kIteration;
      doer.loop = loop_name(node(n).number);
      break;
    case InsideKind::kEntry:
      doer.kind = opened().regions[node(n).number].reshaped ? Kind::kLoop : Kind::kLastTest;
      doer.loop = loop_name(node(n).number);
      break;
    case InsideKind::kBlock:
      doer.kind = Kind::kCode;
      doer.place = place_text(node(n).number, true);
      break;
    case InsideKind::kBody:
    case InsideKind::kCallee:
      break;
  }
  return doer;
}

uint32_t InsideNames::parent_of(uint32_t region) const {
  const Region& of = opened().regions[region];
  return of.loops[1].empty() ? of.parent[0] : of.parent[1];
}

std::string InsideNames::place_text(uint32_t block, bool last) const {
  const LineKey line = line_of_block(opened(), block, last);
  if (line.second != 0) return fmt::format("{}:{}", line.first, line.second);
  return fmt::format("{:#x}", opened().shapes[1].blocks[block].address + opened().shifts[1]);
}

fact::Target InsideNames::target(uint32_t to) const {
  if (node(to).kind == InsideKind::kEntry) return {.is_loop = true, .place = source_.loops[node(to).number]};
  const LineKey line = line_of_block(opened(), node(to).number, false);
  const bool in_file = line.second != 0 && line.first == base_of_path(source_.file);
  return {.place = place_text(node(to).number, false), .line = in_file ? line.second : 0};
}

}  // namespace icount
