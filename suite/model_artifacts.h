// Makes the saved modules that some TorchScript benchmarks load: one Python process scripts every model that is not
// there yet. Models that LibTorch's own compiler can make need none of this (suite/torchscript.h).
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>

#include "icount/harness/environment.h"
#include "icount/suite/expand.h"
#include "icount/suite/python_torch.h"

namespace icount {

/// Why a model could not be made, by the artifact's path; models that are there (now or before) are absent.
using ModelFailures = std::map<std::filesystem::path, std::string>;

/// Scripts and saves the models of `benchmarks` that have one; each is written beside its name and renamed, so a file
/// that is there is whole. Error{kIo} when a folder can't be made, Error{kTool} when Python can't be started at all.
ModelFailures save_models(std::span<const Benchmark> benchmarks, const PythonTorch& python,
                          const Environment& environment, const std::function<bool()>& cancelled = {});

}  // namespace icount
