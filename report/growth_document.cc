#include "icount/report/growth_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "icount/base/text.h"
#include "icount/report/short_name.h"

namespace icount {
namespace {

constexpr size_t kLoopsShown = 2;

/// "19.6 million" would hide what three sizes are compared by: all digits.
std::string costs_text(const Growth& growth) {
  std::string text;
  for (size_t i = 0; i < growth.sizes.size(); ++i)
    text += fmt::format("{}{}{} {} {}", i == 0 ? "" : ", ", with_thousands(growth.costs[i]),
                        i == 0 ? " " + growth.event : "", i == 0 ? "at n =" : "at", with_thousands(growth.sizes[i]));
  return text;
}

void say_leader(const Growth& growth, const ShortNames& names, Document& out) {
  const GrowingFunction* leader = growth.leader();
  if (!leader || growth.whole.is_constant) return;
  const GrowthFit rest = growth.rest_without(*leader);
  const std::string share = fmt::format("{:.0f} % of the cost at n = {}", std::round(100 * growth.share(*leader)),
                                        with_thousands(growth.sizes.back()));
  out.line({{names.in_sentence(fmt::format("{}, {}, grows as {}; the rest {}", grower_text(*leader), share,
                                           growth_text(leader->fit),
                                           rest.is_constant ? "is constant" : "as " + growth_text(rest))),
             Tone::kPlain, Form::kSentence}});
}

Json fit_to_json(const GrowthFit& fit) {
  return {{"law", fit.is_constant  ? "constant"
                  : fit.is_n_log_n ? "n log n"
                                   : "power"},
          {"text", growth_text(fit)},
          {"exponent", fit.is_constant ? 0 : fit.exponent},
          {"least_exponent", fit.least_exponent},
          {"holds", fit.holds},
          {"constant", fit.constant},
          {"factor", fit.factor},
          {"residual", fit.residual}};
}

void add_function(const Growth& growth, const GrowingFunction& function, const ShortNames& names, Table& table) {
  table.add_row({{with_thousands(function.costs.back())},
                 {fmt::format("{:.1f} %", 100 * growth.share(function))},
                 {growth_text(function.fit)},
                 {names.of(function.name), Tone::kPlain, Form::kName}});
  size_t shown = 0;
  for (const GrowingLoop& loop : function.loops)
    if (!loop.fit.is_constant && ++shown <= kLoopsShown)
      table.add_row(
          {{""},
           {""},
           {growth_text(loop.fit), Tone::kDim},
           {.text = fmt::format("loop at {}: {}", loop_place(loop), counted(loop.iterations.back(), "iteration")),
            .tone = Tone::kDim,
            .indent = 1}});
}

}  // namespace

Document make_growth_document(const Growth& growth, size_t top, size_t width) {
  std::vector<std::string> all;
  for (const GrowingFunction& function : growth.functions) all.push_back(function.name);
  const ShortNames names(std::move(all), width);
  Document out;
  out.title({growth.label});
  const std::string law = growth_text(growth.whole);
  out.line((growth.whole.is_constant ? "does not grow: " : fmt::format("grows as {}: ", law)) + costs_text(growth),
           Tone::kBold);
  say_leader(growth, names, out);
  Table table({{fmt::format("{} at {}", growth.event, with_thousands(growth.sizes.back()))},
               {"share"},
               {"grows as"},
               {"function", Align::kLeft, Overflow::kCut}});
  size_t shown = 0;
  int64_t rest = growth.costs.back();
  for (const GrowingFunction& function : growth.functions) {
    if (function.fit.is_constant || (top != 0 && shown == top)) continue;
    ++shown;
    rest -= function.costs.back();
    add_function(growth, function, names, table);
  }
  if (shown > 0 && rest > 0)
    table.add_row({{with_thousands(rest), Tone::kDim},
                   {fmt::format("{:.1f} %", 100 * static_cast<double>(rest) / static_cast<double>(growth.costs.back())),
                    Tone::kDim},
                   {""},
                   {"other functions", Tone::kDim}});
  if (table.empty()) return out;
  out.gap();
  out.table(std::move(table));
  return out;
}

Json growth_to_json(const Growth& growth) {
  Json functions = Json::array();
  for (const GrowingFunction& function : growth.functions) {
    Json loops = Json::array();
    for (const GrowingLoop& loop : function.loops)
      loops.push_back({{"file", loop.file},
                       {"line", loop.line},
                       {"iterations", loop.iterations},
                       {"growth", fit_to_json(loop.fit)}});
    functions.push_back({{"function", function.name},
                         {"file", function.file},
                         {"costs", function.costs},
                         {"share", growth.share(function)},
                         {"growth", fit_to_json(function.fit)},
                         {"loops", std::move(loops)}});
  }
  return {{"label", growth.label},
          {"event", growth.event},
          {"sizes", growth.sizes},
          {"costs", growth.costs},
          {"growth", fit_to_json(growth.whole)},
          {"functions", std::move(functions)}};
}

}  // namespace icount
