// How commands write what they say to people: as text at the terminal's width, or as Markdown.
#pragma once

#include "icount/console/command_spec.h"
#include "icount/report/document.h"

namespace icount {

enum class OutputFormat { kText, kMarkdown, kJson };

/// `make(width)` is a Document whose names are shortened for that many columns; 0: for a page.
template <typename Make>
void write_document(const CommandContext& context, OutputFormat format, Make make) {
  const TextStyle& style = context.terminal.style;
  if (format == OutputFormat::kMarkdown)
    make(size_t{0}).render_markdown(context.out);
  else
    make(style.width).render_text(context.out, style);
}

}  // namespace icount
