// Results of one benchmark at several sizes -> how its cost grows (stats/growth.h): functions are matched by name and
// file, loops by where their heads are. `icount growth` uses it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/stats/growth.h"
#include "icount/stats/result.h"

namespace icount {

/// What was counted at one size.
struct SizedCount {
  int64_t size = 0;
  int64_t cost = 0;                        ///< of one run
  std::shared_ptr<const CostGraph> graph;  ///< of `runs` runs; null: nothing but the cost is known
  int64_t runs = 1;
};

/// "parse / n = 400" -> "parse", 400.
struct SizedKey {
  std::string key;  ///< of the benchmarks of all sizes
  int64_t size = 0;
};
/// nullopt for the key of a result whose label's last part does not match `pattern`.
std::optional<SizedKey> parse_sized_key(const std::string& key, std::string_view pattern = kSizeLabel);

/// nullopt of a result without a count. `graph`: unpacked.
std::optional<SizedCount> sized_count(int64_t size, const Result& result, std::shared_ptr<const CostGraph> graph);

/// Of counts that ascend in size, all in `event`; without functions where one has no graph.
Growth make_growth(std::string label, std::string event, std::span<const SizedCount> counts);

/// Of every benchmark that was counted at three sizes or more; `name`: of the file, for messages.
std::vector<Growth> find_growths(const ResultFile& file, std::string_view name);

}  // namespace icount
