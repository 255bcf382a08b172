// Where LibTorch's random stream stands: in compatible mode the generator is seeded once, so the tensors of
// sample k depend on how much its predecessors drew. This counts it, so that sample k can be built without
// building them.
#pragma once

#include <cstdint>
#include <vector>

#include "icount/fuzzer/sample.h"

namespace icount {

/// Draws that must happen before a sample, in order. Neighbouring runs of words are one entry.
struct TorchPosition {
  struct Skip {
    int64_t words = 0;      ///< 32-bit words; one uniform float each
    int64_t gaussians = 0;  ///< or (when > 0) this many Gaussians of `dtype` in one call, whose use of words
                            ///< is LibTorch's own affair
    DType dtype = DType::kFloat32;
  };
  std::vector<Skip> skips;
};

/// Moves behind `sample`; corrected samples seed the generator themselves and move nothing.
void advance(TorchPosition& position, const Sample& sample);

}  // namespace icount
