// The explanation of a lexer that computes the hash twice (docs/explaining_diff.md), written by hand.
#pragma once

#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"

namespace icount {

inline Cause own_cost_cause(std::string function, int64_t delta, std::string text) {
  return {.kind = CauseKind::kOwnCost,
          .function = std::move(function),
          .delta = delta,
          .facts = fact::Said{std::move(text)}};
}

inline Explanation small_explanation() {
  Explanation e;
  e.event = "Ir";
  e.base_total = 2'886'240;
  e.head_total = 3'392'940;
  e.delta = 506'700;
  e.causes.push_back(
      {.kind = CauseKind::kCalls,
       .caller = "lex(std::vector<Token, std::allocator<Token> >&)",
       .callee = "hash",
       .delta = 494'640,
       .file = "src/lexer.cc",
       .line = 12,
       .facts = fact::Said{"`lex(std::vector<Token, std::allocator<Token> >&)` calls `hash` 600 times per call "
                           "instead of 300 (20 calls)"}});
  e.causes.push_back(own_cost_cause("lex", 12'060, "self cost of `lex`: 1,234 -> 1,837 per call (20 calls)"));
  e.functions.push_back(
      {.name = "hash", .file = "lexer.cc", .object = "lexer", .base = 282'000, .head = 564'000, .delta = 282'000});
  e.functions.push_back({.name = "lex",
                         .file = "lexer.cc",
                         .object = "lexer",
                         .base_name = "old::lex",
                         .base = 24'680,
                         .head = 36'740,
                         .delta = 12'060});
  return e;
}

}  // namespace icount
