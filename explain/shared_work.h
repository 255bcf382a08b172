// Work that calls of one side share with others: where these calls have their recorded cost (explain/recorded_calls.h),
// what the functions below them cost in all other calls differs from the average by as much. That is one fact with many
// terms, found before these become causes. Used by explain/cause_list.cc as explain/headed_sums.h is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "icount/explain/headed_sums.h"

namespace icount {

/// Terms of own cost that only say so: without the recorded calls the function would cost about the same on both sides.
/// Nothing where there are fewer than three. The sum's node is that of its largest term.
std::optional<HeadedSum> find_shared_work(const OpenedFlow& flow, const std::vector<bool>& taken);

fact::SharedWork shared_work_facts(const SentenceSource& source, const HeadedSum& sum);

}  // namespace icount
