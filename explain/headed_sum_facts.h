// What terms that many share say (explain/headed_sums.h, explain/replaced_calls.h, explain/proportional_sums.h).
#pragma once

#include "icount/explain/headed_sums.h"
#include "icount/explain/replaced_calls.h"
#include "icount/explain/term_facts.h"

namespace icount {

fact::SharedCallee shared_callee_facts(const SentenceSource& source, const HeadedSum& sum);
/// The node that makes most of the calls: where a reader finds them.
uint32_t most_frequent_caller(const SentenceSource& source, const HeadedSum& sum);
/// Self cost only where it changed.
fact::GrownCycle grown_cycle_facts(const SentenceSource& source, const HeadedSum& sum);
fact::Rewritten rewritten_facts(const SentenceSource& source, const HeadedSum& sum);
fact::ReplacedCall replaced_call_facts(const SentenceSource& source, const ReplacedCalls& calls);
fact::GrownRecursion grown_recursion_facts(const SentenceSource& source, const HeadedSum& sum);
fact::LongerWork longer_work_facts(const SentenceSource& source, const HeadedSum& sum);
fact::LongerLoop longer_loop_facts(const SentenceSource& source, const HeadedSum& sum);

}  // namespace icount
