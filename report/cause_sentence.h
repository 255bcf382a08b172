// The words of explanations: what a cause says (explain/cause_facts.h) as one plain sentence. Nothing else words an
// explanation; the tables, Markdown, JSON's `text` and the report's page take it from here.
#pragma once

#include <string>

#include "icount/explain/explain.h"

namespace icount {

/// One sentence with the figures behind the cause and without its delta; names in backticks. That of a place, a group
/// or rows that were joined names what leads in `inside`.
std::string cause_sentence(const Cause& cause);

}  // namespace icount
