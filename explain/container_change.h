// A container of a library that takes another one's place (std::map for std::unordered_map): functions of the one are
// gone, functions of the other are new, and the same callers lost the ones and gained the others. One cause each. Used
// by explain/cause_list.cc as explain/headed_sums.h is.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "icount/explain/cluster_opening.h"
#include "icount/explain/term_facts.h"

namespace icount {

struct ContainerChange {
  std::array<std::string_view, 2> containers;  ///< base's and head's: "std::unordered_map", "std::map"
  std::vector<uint32_t> users;                 ///< functions that exchanged them, as nodes, the most changed first
  std::vector<uint32_t> terms;                 ///< positions in the decomposition's list
};

/// Container of a function that is a part of one, by its name: "std::map" for std::_Rb_tree<...>::_M_insert_. Sets go
/// by their map; empty for other functions.
std::string_view container_of(std::string_view name);

/// Of the users, what they cost themselves and what else they call on one side only, or in a noise group, is in the
/// terms: a container's methods are inlined in part. `taken` terms are left alone.
std::vector<ContainerChange> find_container_changes(const JoinedGraph& joined, const OpenedFlow& flow,
                                                    const std::vector<bool>& taken);

fact::ContainerReplaced container_change_facts(const SentenceSource& source, const ContainerChange& change);

}  // namespace icount
