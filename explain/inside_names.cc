#include "icount/explain/inside_names.h"

#include <fmt/format.h>

#include "icount/callgraph/name_parts.h"
#include "icount/explain/inside_words.h"
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

std::string InsideNames::the_loop(uint32_t region) const {
  const auto inlined = opened().inlined_of(region);
  const std::string in =
      inlined ? fmt::format("{} (inlined into {})", icount::quoted(inlined->name), source_.function) : source_.function;
  return fmt::format("the {} in {}", source_.loops[region], in);
}

std::string InsideNames::calls(uint32_t n) const {
  return source_.in_total ? std::string("in total") : counts_text(times(0, n), times(1, n), "call", "calls");
}

uint32_t InsideNames::region_of(const InsideNode& one) const {
  if (one.kind == InsideKind::kBlock) return opened().region_of(1, one.number);
  return one.kind == InsideKind::kEntry || one.kind == InsideKind::kIteration ? one.number : 0;
}

bool InsideNames::is_statement(uint32_t n) const {
  return node(n).kind == InsideKind::kIteration && opened().regions[node(n).number].measuring;
}

std::pair<std::string, std::string> InsideNames::who(uint32_t n) const {
  switch (node(n).kind) {
    case InsideKind::kIteration:
      if (is_statement(n)) return {"each run of the statement", "run"};
      return {"each iteration of " + the_loop(node(n).number), "iteration"};
    case InsideKind::kEntry:
      return {opened().regions[node(n).number].reshaped ? the_loop(node(n).number)
                                                        : "the last test of " + the_loop(node(n).number),
              "entry"};
    case InsideKind::kBlock:
      return {fmt::format("the code at {} in {}", place_text(node(n).number, true), source_.function), "time"};
    case InsideKind::kBody:
    case InsideKind::kCallee:
      break;
  }
  return {source_.function + (opened().regions.size() > 1 ? " outside its loops" : ""),
          source_.in_total ? "program" : "call"};
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

std::string InsideNames::target_text(uint32_t to) const {
  if (node(to).kind == InsideKind::kEntry) return "the " + source_.loops[node(to).number];
  const LineKey line = line_of_block(opened(), node(to).number, false);
  if (line.second != 0 && line.first == base_of_path(source_.file)) return fmt::format("line {}", line.second);
  return place_text(node(to).number, false);
}

}  // namespace icount
