// A Python that has torch: needed by Python statements that use it and for modules that only Python can script. Without
// one those benchmarks are skipped, with the reason found here.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <variant>

#include "icount/harness/environment.h"
#include "icount/harness/toolchain.h"
#include "icount/suite/expand.h"

namespace icount {

struct PythonTorch {
  std::filesystem::path python;
  std::string version;  ///< of torch: "2.13.0+cpu"
};

/// The interpreter asked for; else the one whose site-packages hold `options.torch_dir`; else that of the active
/// virtual environment; else python3. When it does not run or has no torch: why, for the user.
std::variant<PythonTorch, std::string> probe_python_torch(const ToolchainOptions& options,
                                                          const Environment& environment);

// Makes the saved modules that some TorchScript benchmarks load: one Python process scripts every model that is not
// there yet. Models that LibTorch's own compiler can make need none of this (suite/grouped.h).

/// Why a model could not be made, by the artifact's path; models that are there (now or before) are absent.
using ModelFailures = std::map<std::filesystem::path, std::string>;

/// Scripts and saves the models of `benchmarks` that have one; each is written beside its name and renamed, so a file
/// that is there is whole. Error{kIo} when a folder can't be made, Error{kTool} when Python can't be started at all.
ModelFailures save_models(std::span<const Benchmark> benchmarks, const PythonTorch& python,
                          const Environment& environment, const std::function<bool()>& cancelled = {});

}  // namespace icount
