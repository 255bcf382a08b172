// Sentences of terms that many share (explain/headed_sums.h).
#pragma once

#include <string>

#include "icount/explain/cause_text.h"
#include "icount/explain/headed_sums.h"
#include "icount/explain/replaced_calls.h"

namespace icount {

/// "`lock` is now called by 21 functions (5,687 calls), most often by `unbind`"
/// or "`lock` takes the place of `spin` in 21 functions (5,687 calls), most often in `unbind`"
std::string shared_callee_text(const SentenceSource& source, const HeadedSum& sum);
/// "`add` calls `sip_hash` instead of `djb_hash` (500 calls); a call costs 259 instead of 174"
/// "the cycle of `parse` and 2 more (functions that call each other), called as often, does more: self cost 1,170 ->
/// 1,780 per call, and calls of `strtod`, `new_node` and 1 more"; self cost only where it changed.
std::string grown_cycle_text(const SentenceSource& source, const HeadedSum& sum);
/// "`compare` calls `call` and 2 more instead of `to_string` and 1 more (337 calls)"
std::string rewritten_text(const SentenceSource& source, const HeadedSum& sum);
std::string replaced_calls_text(const SentenceSource& source, const ReplacedCalls& calls);
/// "`sort` calls itself more often and costs more each time: 601 calls instead of 401, self cost 21 -> 430 per call"
std::string grown_recursion_text(const SentenceSource& source, const HeadedSum& sum);
/// "`render` does 2.01 times the work: it and all below it cost more in proportion"
std::string longer_work_text(const SentenceSource& source, const HeadedSum& sum);
/// "`run` does the same 1.83 times as often: self cost 2,498,231 -> 4,579,701, and 19 calls in proportion"
std::string longer_loop_text(const SentenceSource& source, const HeadedSum& sum);

}  // namespace icount
