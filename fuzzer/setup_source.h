// Source text that builds a sample's tensors exactly, for the setup of a stub: C++ against LibTorch or
// Python. The text needs nothing of icount. fuzzer/tensor_torch.h builds the same tensors in this process.
#pragma once

#include <string>

#include "icount/fuzzer/fuzzer.h"
#include "icount/fuzzer/tensor_spec.h"

namespace icount {

enum class SetupLanguage { kCpp, kPython };

/// Statements that seed the generator, draw what `position` says, and define one variable per tensor, named
/// as it is. Works with LibTorch 1.13 to 2.x. Error{kUsage} for a tensor name that is no identifier, and in
/// compatible mode for sparse tensors PyTorch cannot build (integers or complex numbers that are not
/// coalesced).
std::string make_setup(const Sample& sample, const TorchPosition& position, SetupLanguage language);

/// Sample k of `fuzzer` with its own position. Compatible mode: draws the parameters of 0..k.
std::string make_setup(Fuzzer& fuzzer, int64_t k, SetupLanguage language);

}  // namespace icount
