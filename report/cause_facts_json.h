// The figures of a cause's sentence as JSON: what report/cause_sentence.h puts into words. Used by
// report/explanation_json.h; docs/json.md says what the fields are.
#pragma once

#include "icount/base/json.h"
#include "icount/explain/cause_facts.h"

namespace icount {

/// {"is": kind of the sentence, its figures...}: pairs are base's and head's, names stand as in the text. Null where a
/// cause has no facts.
Json cause_facts_to_json(const CauseFacts& facts);

}  // namespace icount
