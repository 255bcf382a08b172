#include "icount/report/kernels_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "icount/base/text.h"
#include "icount/report/short_name.h"

namespace icount {
namespace {

std::string change(int64_t base, int64_t head) {
  return base == head ? with_thousands(head) : fmt::format("{} -> {}", with_thousands(base), with_thousands(head));
}

/// A number of both sides, of one where the kernel is on one only.
template <typename Get>
std::string number_of(const KernelPair& pair, Get get) {
  if (!pair.base) return with_thousands(get(*pair.head));
  if (!pair.head) return with_thousands(get(*pair.base));
  return change(get(*pair.base), get(*pair.head));
}

Tone tone_of(KernelState state) {
  switch (state) {
    case KernelState::kSame:
    case KernelState::kMoved:
      return Tone::kPlain;
    case KernelState::kDiffers:
    case KernelState::kOnlyBase:
    case KernelState::kOnlyHead:
      break;
  }
  return Tone::kBold;
}

std::string state_text(const KernelPair& pair) {
  if (pair.state == KernelState::kSame && pair.identical) return "same bytes";
  if (pair.state == KernelState::kSame && pair.renamed) return "same, renamed";
  if (pair.rescheduled) return "differs, schedule";
  return std::string(to_text(pair.state));
}

std::string place_text(const SourceLine& place) {
  return place.line == 0 ? std::string()
                         : fmt::format("{}:{}", std::filesystem::path(place.file).filename().string(), place.line);
}

int64_t count_of(const std::optional<std::map<SassClass, int64_t>>& counts, SassClass kind) {
  if (!counts) return 0;
  const auto found = counts->find(kind);
  return found == counts->end() ? 0 : found->second;
}

/// "global memory 1 -> 4, floating point 1 -> 4, control 2".
std::string classes_text(const std::optional<std::map<SassClass, int64_t>>& base,
                         const std::optional<std::map<SassClass, int64_t>>& head) {
  std::set<SassClass> kinds;
  for (const auto* side : {&base, &head})
    if (*side)
      for (const auto& [kind, count] : **side) kinds.insert(kind);
  std::string text;
  for (const SassClass kind : kinds) {
    const int64_t before = count_of(base, kind), after = count_of(head, kind);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", to_text(kind),
                        !base   ? with_thousands(after)
                        : !head ? with_thousands(before)
                                : change(before, after));
  }
  return text;
}

void add_loops(const KernelPair& pair, Document& out) {
  Table table({{"loop", Align::kLeft}, {"instructions of one pass, by class", Align::kLeft}});
  for (const KernelLoop& loop : pair.loops) {
    std::string where = place_text(loop.place);
    if (where.empty()) where = "without a line";
    if (!loop.base) where += " (head only)";
    if (!loop.head) where += " (base only)";
    table.add_row(
        {{.text = where, .indent = static_cast<size_t>(loop.depth - 1)}, {classes_text(loop.base, loop.head)}});
  }
  out.table(std::move(table));
}

void add_occupancy(const KernelPair& pair, Document& out) {
  if (!pair.base || !pair.head || !pair.base->occupancy || pair.base->occupancy == pair.head->occupancy) return;
  const Occupancy& base = *pair.base->occupancy;
  const Occupancy& head = *pair.head->occupancy;
  if (base.warps_by_registers != head.warps_by_registers)
    out.line(fmt::format("registers allow {} of {} warps on a multiprocessor",
                         change(base.warps_by_registers, head.warps_by_registers), head.most_warps));
  if (base.blocks_by_shared != head.blocks_by_shared)
    out.line(fmt::format("shared memory allows {} of {} blocks on a multiprocessor",
                         change(base.blocks_by_shared, head.blocks_by_shared), head.most_blocks));
}

void add_difference(const KernelPair& pair, const ShortNames& names, Document& out) {
  out.gap();
  out.line(
      {{names.in_sentence(fmt::format("`{}` for {} differs: {}", pair.name, pair.arch, fmt::join(pair.reasons, "; "))),
        Tone::kPlain, Form::kSentence}});
  if (!pair.base_name.empty())
    out.line({{names.in_sentence(fmt::format("in base it is `{}`", pair.base_name)), Tone::kPlain, Form::kSentence}});
  add_occupancy(pair, out);
  if (pair.base && pair.head && pair.loops.empty()) {
    const std::string text = classes_text(pair.base->classes, pair.head->classes);
    if (!pair.base->classes.empty()) out.line(text);
  }
  add_loops(pair, out);
}

void add_listing(const KernelPair& pair, const ShortNames& names, Document& out) {
  out.gap();
  out.line({{names.in_sentence(fmt::format("`{}` for {}, base and head", pair.name, pair.arch)), Tone::kBold,
             Form::kSentence}});
  Table table(
      {{"line", Align::kLeft}, {"", Align::kLeft}, {"base", Align::kLeft}, {"head", Align::kLeft, Overflow::kCut}});
  std::string last;
  for (const ListedSass& row : pair.listing) {
    const std::string place = place_text(row.place);
    const Tone tone = row.base.empty() || row.head.empty() ? Tone::kBold : Tone::kPlain;
    table.add_row({{place == last ? "" : place, Tone::kDim},
                   {row.base.empty()       ? "+"
                    : row.head.empty()     ? "-"
                    : row.base == row.head ? ""
                                           : "~"},
                   {row.base, tone, row.base.empty() ? Form::kText : Form::kName},
                   {row.head, tone, row.head.empty() ? Form::kText : Form::kName}});
    last = place;
  }
  out.table(std::move(table));
}

Json classes_to_json(const std::map<SassClass, int64_t>& classes) {
  Json json = Json::object();
  for (const auto& [kind, count] : classes) json[std::string(to_text(kind))] = count;
  return json;
}

Json facts_to_json(const std::optional<KernelFacts>& facts) {
  if (!facts) return nullptr;
  Json json = {{"instructions", facts->instructions},
               {"registers", facts->registers},
               {"shared_bytes", facts->shared_bytes},
               {"local_bytes", facts->local_bytes},
               {"max_threads", facts->max_threads}};
  if (facts->occupancy)
    json["occupancy"] = {{"warps_by_registers", facts->occupancy->warps_by_registers},
                         {"most_warps", facts->occupancy->most_warps},
                         {"blocks_by_shared", facts->occupancy->blocks_by_shared},
                         {"most_blocks", facts->occupancy->most_blocks}};
  if (!facts->classes.empty()) json["classes"] = classes_to_json(facts->classes);
  return json;
}

}  // namespace

Document make_kernels_document(const KernelComparison& comparison, const KernelsView& view, size_t width) {
  std::vector<std::string> all;
  for (const KernelPair& pair : comparison.pairs) {
    all.push_back(pair.name);
    if (!pair.base_name.empty()) all.push_back(pair.base_name);
  }
  const ShortNames names(std::move(all), width);
  Document out;
  out.title({fmt::format("{}{}{} -> {}", comparison.label, comparison.label.empty() ? "" : ": ", comparison.base,
                         comparison.head)});
  out.line(kernels_sentence(comparison), Tone::kBold);
  for (const std::string& note : comparison.notes) out.note(note);
  Table table({{"", Align::kLeft},
               {"arch", Align::kLeft},
               {"instructions"},
               {"registers"},
               {"shared"},
               {"local"},
               {"kernel", Align::kLeft, Overflow::kCut}});
  size_t left_out = 0, rows = 0;
  for (const KernelPair& pair : comparison.pairs) {
    if (pair.state == KernelState::kSame && !view.same) continue;
    if (++rows > view.most) {
      ++left_out;
      continue;
    }
    table.add_row({{state_text(pair), tone_of(pair.state)},
                   {pair.arch},
                   {number_of(pair, [](const KernelFacts& one) { return one.instructions; })},
                   {number_of(pair, [](const KernelFacts& one) { return one.registers; })},
                   {number_of(pair, [](const KernelFacts& one) { return one.shared_bytes; })},
                   {number_of(pair, [](const KernelFacts& one) { return one.local_bytes; })},
                   {names.of(pair.name), Tone::kPlain, Form::kName}});
  }
  if (!table.empty()) out.gap();
  out.table(std::move(table));
  if (left_out > 0) out.line(fmt::format("and {} more; `icount kernels` shows all", with_thousands(left_out)));
  size_t told = 0;
  for (const KernelPair& pair : comparison.pairs)
    if (pair.state == KernelState::kDiffers && told++ < view.most) add_difference(pair, names, out);
  for (const KernelPair& pair : comparison.pairs)
    if (!pair.listing.empty() && (pair.opened || view.listings)) {
      Document listing;
      add_listing(pair, names, listing);
      out.fold(fmt::format("{} for {}, side by side", names.of(pair.name), pair.arch), std::move(listing));
    }
  return out;
}

Json kernels_to_json(const KernelComparison& comparison) {
  Json kernels = Json::array();
  for (const KernelPair& pair : comparison.pairs) {
    Json one = {{"kernel", pair.name}, {"symbol", pair.symbol}, {"arch", pair.arch}, {"state", to_text(pair.state)}};
    if (!pair.base_name.empty()) one["base_kernel"] = pair.base_name;
    if (!pair.base_symbol.empty()) one["base_symbol"] = pair.base_symbol;
    one["identical"] = pair.identical;
    one["renamed"] = pair.renamed;
    one["rescheduled"] = pair.rescheduled;
    one["reasons"] = pair.reasons;
    one["base"] = facts_to_json(pair.base);
    one["head"] = facts_to_json(pair.head);
    one["loops"] = Json::array();
    for (const KernelLoop& loop : pair.loops)
      one["loops"].push_back({{"file", loop.place.file},
                              {"line", loop.place.line},
                              {"depth", loop.depth},
                              {"base", loop.base ? classes_to_json(*loop.base) : Json()},
                              {"head", loop.head ? classes_to_json(*loop.head) : Json()}});
    if (pair.opened) {
      one["listing"] = Json::array();
      for (const ListedSass& row : pair.listing)
        one["listing"].push_back(
            {{"base", row.base}, {"head", row.head}, {"file", row.place.file}, {"line", row.place.line}});
    }
    kernels.push_back(std::move(one));
  }
  Json json = {{"schema", {{"name", "icount-kernels"}, {"version", 1}}},
               {"base", comparison.base},
               {"head", comparison.head},
               {"kernels", std::move(kernels)},
               {"notes", comparison.notes}};
  if (!comparison.label.empty()) json["label"] = comparison.label;
  return json;
}

}  // namespace icount
