// The explained difference as Markdown, for a comment or a document. See report/explanation_text.h for the parameters.
#pragma once

#include <iosfwd>

#include "icount/report/explanation_text.h"

namespace icount {

/// Headline, notes, a table of causes that adds up, the function table folded when asked for. Safe for any name.
void render_explanation_markdown(std::ostream& out, const Explanation& explanation, const ExplanationHeading& heading,
                                 const ExplanationView& view);

}  // namespace icount
