// One term of a decomposition as a cause: its fields, its sentence and where in the source it lies.
// explain/cause_list.cc joins those that tell of one thing.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "icount/explain/cause_places.h"
#include "icount/explain/explain.h"
#include "icount/explain/term_facts.h"
#include "icount/explain/whole_terms.h"

namespace icount {

/// Terms are numbers in the decomposition's list, nodes those of the condensed graph.
class TermCauses {
 public:
  static constexpr uint32_t kNoNode = SentenceSource::kNoNode;

  /// Both must outlive it. `change`: of the total, which the whole terms add up to.
  TermCauses(const JoinedGraph& joined, const OpenedFlow& flow, int64_t change);

  const SentenceSource& source() const { return source_; }
  const WholeTerms& whole() const { return terms_; }

  /// Whether the term comes to something, by itself or in a member of its cycle.
  bool tells_something(uint32_t term) const { return terms_.whole[term] != 0 || terms_.inside.contains(term); }
  Cause cause_of(uint32_t index);
  /// Whether a cause has told that the function of the joined graph had another name.
  bool has_told_name(uint32_t function) const { return said_[function]; }

  /// Where the function of a node begins, and what it is a part of; of a cycle, its most expensive one.
  void set_place(Cause& cause, uint32_t node);
  /// The function of whose own cost or calls a term tells; kNoNode of entries.
  uint32_t node_of(uint32_t index) const;
  /// By side; empty on a side that does not have it.
  std::array<std::string_view, 2> objects_of(uint32_t node) const;

 private:
  void fill_calls(Cause& cause, uint32_t number);
  void fill_own_cost(Cause& cause, uint32_t node);
  void name_members(Cause& cause, const FlowEdge& edge, const FlowEdge& call, uint32_t number);
  double change_per_call(std::vector<long double> SideFigures::*figure, uint32_t index) const;
  bool leads(int64_t delta) const;
  void add_changed_lines(Cause& cause, uint32_t node);
  void add_members(Cause& cause, uint32_t term);

  const OpenedFlow& flow_;
  SentenceSource source_;
  CausePlaces places_;
  int64_t change_;
  std::vector<bool> said_;  // by function of the joined graph
  WholeTerms terms_;
};

}  // namespace icount
