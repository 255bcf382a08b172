// A Python that has torch: needed by Python statements that use it and for modules that only Python can script. Without
// one those benchmarks are skipped, with the reason found here.
#pragma once

#include <filesystem>
#include <string>
#include <variant>

#include "icount/harness/environment.h"
#include "icount/harness/toolchain.h"

namespace icount {

struct PythonTorch {
  std::filesystem::path python;
  std::string version;  ///< of torch: "2.13.0+cpu"
};

/// The interpreter asked for; else the one whose site-packages hold `options.torch_dir`; else that of the active
/// virtual environment; else python3. When it does not run or has no torch: why, for the user.
std::variant<PythonTorch, std::string> probe_python_torch(const ToolchainOptions& options,
                                                          const Environment& environment);

}  // namespace icount
