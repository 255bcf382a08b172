#include "icount/inputs/diff_set_summary.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "icount/base/text.h"
#include "icount/report/explanation_document.h"

namespace icount {
namespace {

const Explanation& explanation_of(const BenchmarkDiff& diff) { return diff.pair->explanation; }

long double share_of_base(const Explanation& e) {
  return e.base_total == 0 ? 0 : std::abs(static_cast<long double>(e.delta) / static_cast<long double>(e.base_total));
}

void add(ChangedBenchmarks& changed, const BenchmarkDiff& diff) {
  const auto size = [](const BenchmarkDiff& one) {
    return std::abs(static_cast<long double>(explanation_of(one).delta));
  };
  ++changed.count;
  if (!changed.largest || size(diff) > size(*changed.largest)) changed.largest = &diff;
  const long double share = share_of_base(explanation_of(diff));
  if (share > 0 &&
      (!changed.largest_of_its_base || share > share_of_base(explanation_of(*changed.largest_of_its_base))))
    changed.largest_of_its_base = &diff;
}

std::string sentence(const ChangedBenchmarks& changed, std::string_view one, std::string_view many) {
  const Explanation& e = explanation_of(*changed.largest);
  const bool alone = changed.count == 1;
  std::string text = alone ? fmt::format("1 {}: ", one) : fmt::format("{} {}: at most ", changed.count, many);
  text += with_sign(e.delta) + " " + e.event;
  if (changed.largest_of_its_base == changed.largest || !changed.largest_of_its_base)
    return text + fmt::format(", {} ({})", change_percent(e.delta, e.base_total), changed.largest->key);
  const Explanation& relative = explanation_of(*changed.largest_of_its_base);
  return text + fmt::format(" ({}) and {} ({})", changed.largest->key,
                            change_percent(relative.delta, relative.base_total), changed.largest_of_its_base->key);
}

}  // namespace

DiffSetSummary summarize_diff_set(std::span<const BenchmarkDiff> diffs) {
  DiffSetSummary summary;
  for (const BenchmarkDiff& diff : diffs) {
    if (!diff.pair) continue;
    const int64_t delta = explanation_of(diff).delta;
    if (delta == 0)
      ++summary.unchanged;
    else
      add(delta > 0 ? summary.more : summary.less, diff);
  }
  return summary;
}

std::vector<std::string> summary_sentences(const DiffSetSummary& summary) {
  std::vector<std::string> sentences;
  if (summary.more.count > 0) sentences.push_back(sentence(summary.more, "costs more", "cost more"));
  if (summary.less.count > 0) sentences.push_back(sentence(summary.less, "costs less", "cost less"));
  return sentences;
}

}  // namespace icount
