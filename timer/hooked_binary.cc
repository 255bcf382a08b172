#include "icount/timer/hooked_binary.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "icount/timer/bench_run.h"

namespace icount {
namespace {

/// The value of the attribute name="..." behind `at`, with XML's escapes undone.
std::string name_attribute(std::string_view xml, size_t at) {
  constexpr std::string_view kName = " name=\"";
  const size_t end = xml.find('>', at);
  const size_t begin = xml.find(kName, at);
  if (begin == std::string_view::npos || begin > end) return {};
  std::string_view text = xml.substr(begin + kName.size());
  text = text.substr(0, text.find('"'));
  static constexpr std::pair<std::string_view, char> kEscapes[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}};
  std::string plain;
  while (!text.empty()) {
    const auto* escape = std::find_if(std::begin(kEscapes), std::end(kEscapes),
                                      [&](const auto& one) { return text.starts_with(one.first); });
    plain += escape == std::end(kEscapes) ? text[0] : escape->second;
    text.remove_prefix(escape == std::end(kEscapes) ? 1 : escape->first.size());
  }
  return plain;
}

}  // namespace

BenchLabels parse_catch_names(std::string_view xml) {
  BenchLabels labels;
  std::string test;
  for (size_t at = xml.find('<'); at != std::string_view::npos; at = xml.find('<', at + 1)) {
    if (xml.substr(at).starts_with("<TestCase ")) test = name_attribute(xml, at);
    if (!xml.substr(at).starts_with("<BenchmarkResults ")) continue;
    labels.emplace_back();
    if (!test.empty()) labels.back().push_back(test);
    labels.back().push_back(name_attribute(xml, at));
  }
  return labels;
}

HookedBinary catch2_binary() {
  return {.arguments = {"-r", "xml", "-o", kBenchOutPath, "--benchmark-samples", "1", "--benchmark-resamples", "1",
                        "--benchmark-no-analysis", "--benchmark-warmup-time", "0"},
          .plan = {},
          .read_labels = parse_catch_names,
          .remedy =
              "does it run a benchmark? Tests with the tag [!benchmark] are hidden: count them with -- "
              "'[!benchmark]'"};
}

HookedBinary nanobench_binary() {
  return {.arguments = {},
          .plan = {},
          .read_labels = [](std::string_view) { return BenchLabels(); },
          .remedy =
              "put #define ANKERL_NANOBENCH_IMPLEMENT into a source file of its own, so that its functions are not "
              "inlined into the benchmarks"};
}

}  // namespace icount
