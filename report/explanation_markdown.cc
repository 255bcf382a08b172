#include "icount/report/explanation_markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "icount/base/checked.h"
#include "icount/base/counted.h"
#include "icount/base/text.h"
#include "icount/report/cause_sentence.h"
#include "icount/report/listing_text.h"
#include "icount/report/markdown.h"

namespace icount {
namespace {

constexpr size_t kFunctionsShown = 25;

void render_totals(std::ostream& out, const Explanation& explanation, const ExplanationHeading& heading) {
  out << fmt::format("**{} {}** ({}) from {} to {}: {} → {}\n\n", with_sign(explanation.delta),
                     escape_for_markdown(explanation.event), change_percent(explanation.delta, explanation.base_total),
                     markdown_code(heading.base_name), markdown_code(heading.head_name),
                     with_thousands(explanation.base_total), with_thousands(explanation.head_total));
  if (const std::string kind = kind_of_change(explanation); !kind.empty()) out << escape_for_markdown(kind) << "\n\n";
  if (heading.events.size() < 2) return;
  MarkdownTable table({{"event", Align::kLeft}, {"base"}, {"head"}, {"change"}, {"of base"}});
  for (const EventTotals& totals : heading.events) {
    const int64_t delta = checked_sub(totals.head, totals.base, "change of " + totals.event);
    table.add_row({escape_for_markdown(totals.event), with_thousands(totals.base), with_thousands(totals.head),
                   with_sign(delta), change_percent(delta, totals.base)});
  }
  table.render(out);
  out << '\n';
}

void render_causes(std::ostream& out, const Explanation& explanation, const ExplanationView& view) {
  const CauseRows rows = rows_for_view(explanation, view);
  if (rows.rows.empty()) return;
  if (rows.place)
    out << fmt::format("**{}**: {}\n\n", with_sign(rows.place->delta), markdown_sentence(cause_sentence(*rows.place)));
  MarkdownTable table({{"change"}, {"of base"}, {"cause", Align::kLeft}});
  const auto add_row = [&](const Cause& cause) {
    const std::string text = cause_sentence(cause), place = place_beside(cause, text);
    table.add_row({with_sign(cause.delta), change_percent(cause.delta, explanation.base_total),
                   markdown_sentence(text) + (cause.within_noise ? " (within noise)" : "") +
                       (place.empty() ? "" : " " + markdown_code(place))});
  };
  for (size_t i = 0; i < rows.shown; ++i) add_row(rows.rows[i]);
  for (const Cause& group : rows.rest.groups) add_row(group);
  if (rows.rest.smaller > 0)
    table.add_row({with_sign(rows.rest.smaller_delta), change_percent(rows.rest.smaller_delta, explanation.base_total),
                   counted(rows.rest.smaller, "smaller cause")});
  table.add_row({"**" + with_sign(explanation.delta) + "**",
                 "**" + change_percent(explanation.delta, explanation.base_total) + "**", "total"});
  table.render(out);
}

void render_functions(std::ostream& out, const Explanation& explanation, const ExplanationView& view) {
  if (!view.functions || explanation.functions.empty()) return;
  const size_t shown = view.all ? explanation.functions.size()
                                : std::min(view.top > 0 ? view.top : kFunctionsShown, explanation.functions.size());
  out << "\n<details><summary>Self cost by function</summary>\n\n";
  MarkdownTable table({{"base"}, {"head"}, {"change"}, {"function", Align::kLeft}});
  int64_t left = explanation.delta;
  for (size_t i = 0; i < shown; ++i) {
    const FunctionChange& change = explanation.functions[i];
    left -= change.delta;
    table.add_row({with_thousands(change.base), with_thousands(change.head), with_sign(change.delta),
                   markdown_code(change.name)});
  }
  if (shown < explanation.functions.size())
    table.add_row({"", "", with_sign(left), fmt::format("{} more functions", explanation.functions.size() - shown)});
  table.render(out);
  out << "\n</details>\n";
}

}  // namespace

void render_explanation_markdown(std::ostream& out, const Explanation& explanation, const ExplanationHeading& heading,
                                 const ExplanationView& view) {
  render_totals(out, explanation, heading);
  std::vector<std::string> notes = heading.notes;
  for (std::string& note : note_sentences(explanation)) notes.push_back(std::move(note));
  if (std::string renames = renames_note(explanation); !renames.empty()) notes.push_back(std::move(renames));
  for (const std::string& note : notes) out << "- note: " << markdown_sentence(note) << '\n';
  if (!notes.empty()) out << '\n';
  render_causes(out, explanation, view);
  for (const FunctionListing& listing : explanation.listings) render_listing_markdown(out, listing);
  render_functions(out, explanation, view);
}

}  // namespace icount
