// What the user names -> cubins: a cubin, a fatbin, an object, a library or a program with machine code for GPUs in it,
// or a .cu file, which is compiled.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "icount/harness/environment.h"
#include "icount/kernels/cubin.h"

namespace icount {

struct KernelFilesOptions {
  std::vector<std::string> architectures;  ///< "sm_90"; empty: all that the file has. A .cu file needs one
  std::vector<std::string> flags;          ///< of nvcc, for a .cu file
  std::filesystem::path nvcc;              ///< empty: the one that is found
  Environment environment;
  std::function<bool()> cancelled;
};

/// By architecture; PTX where there is no machine code. Error{kCannotJudge} for a file without device code,
/// Error{kTool} where cuobjdump or nvcc is missing or fails, Error{kUsage} for a .cu file without an architecture.
std::vector<Cubin> load_cubins(const std::filesystem::path& file, const KernelFilesOptions& options);

}  // namespace icount
