// Opens the functions that lead an explanation: their own cost and calls become causes inside them, loop by loop, that
// come to the same. Called by explain() between terms and causes (explain/cause_list.h).
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "icount/callgraph/function_code.h"
#include "icount/explain/cluster_opening.h"
#include "icount/explain/function_listing.h"
#include "icount/explain/joined_graph.h"
#include "icount/explain/noise_fold.h"
#include "icount/explain/term_facts.h"

namespace icount {

class FunctionOpener {
 public:
  /// All must outlive it. `list`: nodes of the joined graph to list side by side; `list_opened`: also those that open()
  /// opens.
  FunctionOpener(const JoinedGraph& joined, const std::array<const ProfileCode*, 2>& code, std::vector<uint32_t> list,
                 bool list_opened)
      : joined_(joined), code_(code), list_(std::move(list)), list_opened_(list_opened) {}

  /// Exchanges the causes of up to 16 functions, those with a cause of at least a hundredth of the largest, for causes
  /// inside them that add up to what they were.
  void open(const OpenedFlow& flow, std::vector<GroupedCause>& causes);

  /// Fills `listings`.
  void list(const OpenedFlow& flow);

  std::vector<note::NotOpened> notes;  ///< which leading functions could not be opened, and why
  std::vector<FunctionListing> listings;

 private:
  /// Tells inlining moves with the loop that the code is in, where debug information says so.
  void place_inlined(const OpenedFlow& flow, std::vector<GroupedCause>& causes,
                     const std::function<const SentenceSource&()>& names) const;

  const JoinedGraph& joined_;
  std::array<const ProfileCode*, 2> code_;
  std::vector<uint32_t> list_;
  bool list_opened_;
};

}  // namespace icount
