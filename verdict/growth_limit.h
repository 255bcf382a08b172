// How fast a cost may grow with a size, and what grows faster: than a limit, or than it did. `icount growth` judges
// with it, and the gate (verdict/gate.h). Read stats/growth.h first.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "icount/stats/growth.h"

namespace icount {

/// Of the benchmarks below one label that differ in their size alone.
struct GrowthLimit {
  std::string key;                              ///< result_key without its last part
  std::string pattern{kSizeLabel};              ///< of the last part, with {n} where the size is
  std::optional<double> max_exponent;           ///< of the whole
  std::optional<double> max_function_exponent;  ///< of each function with a hundredth of the cost, and its loops
  std::optional<double> max_ratio;              ///< of the cost at a size to that at the size before
  bool any() const { return max_exponent || max_function_exponent || max_ratio; }
  std::string place = {};  ///< "suite.toml:12"; empty: unknown
};

// Sentences without the benchmark's name. A power is judged by the least that its costs leave possible.

/// One for each limit that is exceeded, the whole's first.
std::vector<std::string> find_excesses(const Growth& growth, const GrowthLimit& limit);

/// The whole and each function that grow faster than in `base`, a loop where its function does not. A function that is
/// new is compared with the fastest of the base, and what may have been moved into a function with those that are gone.
/// Without functions in `base` the whole alone is compared.
std::vector<std::string> find_rises(const Growth& head, const Growth& base);

/// The power of the function's cost or of a loop of it that counts, the largest; 0: constant.
double fastest_power(const GrowingFunction& function);

/// Why nothing can be said of a cost that hardly moves; empty for one that grows, and where the limit asks for that: it
/// is below a root.
std::string flat_text(const Growth& growth, const GrowthLimit& limit);

}  // namespace icount
