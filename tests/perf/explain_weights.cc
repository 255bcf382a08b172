// What each weight of the explanation decides, for scripts/bench weights: explains every pair with a known cause (of
// ICOUNT_PAIRS, else the tree's) with one weight moved by a fifth or removed (0, and more than anything), and says of
// how many pairs the output, the first cause and its being right change. Built with weights that can be moved.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "icount/explain/weights.h"
#include "support/known_cause.h"

namespace {

using namespace icount;

struct Effect {
  size_t outputs = 0, first = 0;
  std::string better, worse;
};

/// The first cause without its inside.
Json first_of(const Json& explanation) {
  const Json& causes = explanation["causes"];
  Json first = causes.empty() ? Json() : causes[0];
  if (first.is_object()) first.erase("inside");
  return first;
}

void compare(const Json& before, const Json& after, const KnownCause& known, Effect& effect) {
  if (before == after) return;
  ++effect.outputs;
  effect.first += first_of(before) != first_of(after);
  const bool was = judge(before, known).place == 1, is = judge(after, known).place == 1;
  if (was != is) (is ? effect.better : effect.worse) += " " + known.name;
}

void run(const std::vector<std::string>& names) {
  std::map<std::pair<std::string, std::string>, Effect> effects;
  const auto root = known_cause_root();
  for (const std::string& folder : known_cause_folders(root))
    for (const KnownCause& known : load_known_causes(root, folder)) {
      const LoadedPair pair(known);
      const Json before = pair.explain();
      for (const auto& [name, weight] : kMovableWeights) {
        if (!names.empty() && std::find(names.begin(), names.end(), name) == names.end()) continue;
        const long double value = *weight;
        for (const auto& [how, moved] : {std::pair("less", value * 0.8L), std::pair("more", value * 1.2L),
                                         std::pair("none", 0.0L), std::pair("all", 1e9L)}) {
          *weight = moved;
          compare(before, pair.explain(), known, effects[{name, how}]);
        }
        *weight = value;
      }
    }
  fmt::print("{:18} {:5} {:>7} {:>5}  pairs that are right (+) or wrong (-) then\n", "weight", "moved", "outputs",
             "first");
  for (const auto& [of, effect] : effects)
    fmt::print("{:18} {:5} {:7} {:5} {}{}\n", of.first, of.second, effect.outputs, effect.first,
               effect.better.empty() ? "" : " +" + effect.better, effect.worse.empty() ? "" : " -" + effect.worse);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
