// A place of the program that both sides reach as often, told as one cause whose members are what happens there.
// explain/scattered_change.h and explain/function_change.h say which place; causes come from explain/cause_list.cc.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "icount/explain/noise_fold.h"
#include "icount/explain/term_facts.h"

namespace icount {

/// What leads to a function: all calls of it, with all below them.
struct CallsOf {
  BothSides count{}, inclusive{};
  const FlowEdge* only = nullptr;  ///< where they are of one caller
  size_t callers = 0;

  bool as_often() const { return callers > 0 && count[0] == count[1] && count[0] != 0; }
};

/// A node of the condensed graph with calls of it.
struct ChangePlace {
  uint32_t node = 0;
  CallsOf calls;
};

/// Which causes are told inside.
using IsInside = std::function<bool(const GroupedCause&)>;

/// By node; calls of itself are left out.
std::vector<CallsOf> calls_by_callee(const FlowGraph& graph);

/// Head minus base.
long double change_of(const BothSides& costs);

/// The name of a node, by its function that leads.
std::string_view name_of(const SentenceSource& source, uint32_t node);

/// "main", "count::main", "main.main".
bool is_main(const SentenceSource& source, uint32_t node);

/// What the program costs on each side: its main function with all below it, or all that was counted.
std::array<long double, 2> program_costs(const SentenceSource& source, const std::vector<CallsOf>& of_node);

/// Whether a place has so much of the program on one side that to name it says next to nothing.
bool is_nearly_all(const ChangePlace& place, const std::array<long double, 2>& program);

/// Whether a cause tells own cost or calls of `function` and nothing else.
bool is_of(const GroupedCause& grouped, uint32_t function);

/// The size of the largest cause, noise groups as they are shown.
int64_t largest_cause(const std::vector<GroupedCause>& causes);

/// The causes inside become one, of CauseKind::kPlace, with them as its members; one at least is inside. What they
/// leave of the place's change is told elsewhere, and the sentence says how much that is. `in_every_part`: as a longer
/// input.
void head_place(const SentenceSource& source, const ChangePlace& place, const IsInside& is_inside, bool in_every_part,
                std::vector<GroupedCause>& causes);

}  // namespace icount
