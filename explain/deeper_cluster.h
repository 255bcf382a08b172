// Functions of a recursion that call each other more often, as one cause: the counterpart of "calls itself more often"
// for clusters that were opened (explain/cluster_opening.h). Used by explain/cause_list.cc as explain/inlining.h is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "icount/explain/cluster_opening.h"
#include "icount/explain/term_facts.h"

namespace icount {

/// The calls inside one opened cluster that all moved a little, in one direction: no single one is to blame, the
/// recursion as a whole went deeper. `terms` are positions in the decomposition's list, `members` nodes of the
/// condensed graph, the costliest first.
struct DeeperCluster {
  std::vector<uint32_t> members;
  std::vector<uint32_t> terms;
};

std::vector<DeeperCluster> find_deeper_clusters(const OpenedFlow& flow);

fact::DeeperRecursion deeper_cluster_facts(const SentenceSource& source, const DeeperCluster& cluster);
/// "cycle of expr and 2 more"
std::string deeper_cluster_label(const SentenceSource& source, const DeeperCluster& cluster);

}  // namespace icount
