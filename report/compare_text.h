// Compare as PyTorch prints it, byte for byte, ANSI codes included (CompareMode::kCompatible); in kMended
// the same table, but nothing that PyTorch would lose is lost, and notes below the table say what was
// done.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "icount/report/compare_columns.h"
#include "icount/stats/compare.h"

namespace icount {

/// One table, with the unit's line and a line break at its end; `extras` stand to the right of the times.
std::string render_compare_table(const CompareTable& table, const CompareOptions& options,
                                 std::span<const ExtraColumn> extras = {});

/// All tables with a blank line between them; empty when there is no result.
std::string render_compare(const Compare& compare);

// Compare tables in other forms than the terminal's: Markdown for reviews, HTML for pages, CSV for
// spreadsheets. The same model and figures as report/compare_text.h.

/// Heading, table, unit and notes. The best time of each column (or row, as options say) is bold.
std::string render_compare_markdown(const CompareTable& table, const CompareOptions& options,
                                    std::span<const ExtraColumn> extras = {});

/// A <section> with a table whose cells carry the classes best, good, bad and worst; styling is the page's.
std::string render_compare_html(const CompareTable& table, const CompareOptions& options,
                                std::span<const ExtraColumn> extras = {});

/// A whole page around what render_compare_html gave, with the styles of its classes for light and dark screens; loads
/// nothing.
std::string make_compare_page(std::string_view sections);

/// The first line of the CSV form: label,threads,env,row,column,... in seconds per run.
std::string compare_csv_header(bool with_ratios);
/// One line per cell, RFC 4180, doubles lossless; the last four fields only with ratios.
std::string render_compare_csv(const CompareTable& table, const RatioTable* ratios = nullptr);

}  // namespace icount
