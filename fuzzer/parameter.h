// A named source of values: PyTorch's FuzzedParameter. A list of them, in draw order, is the first half
// of a fuzzer (fuzzer/fuzzer.h); tensors refer to their names.
#pragma once

#include <string>
#include <vector>

#include "icount/fuzzer/distribution.h"

namespace icount {

/// `strict`: drawn once per sample and kept while the others are drawn again, so that rejection cannot skew
/// it.
struct FuzzedParameter {
  std::string name;
  Distribution distribution;
  bool strict = false;
};

/// The three kinds with the name in every message: "parameter 'a': the probabilities add up to 0.9, not to
/// 1".
FuzzedParameter uniform_parameter(std::string name, Bound minval, Bound maxval, bool strict = false);
FuzzedParameter log_uniform_parameter(std::string name, Bound minval, Bound maxval, bool strict = false);
FuzzedParameter table_parameter(std::string name, std::vector<Distribution::Entry> table, bool strict = false);

}  // namespace icount
