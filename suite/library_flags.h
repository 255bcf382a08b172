// From what a suite file says about the user's own library to what the compiler is told: include paths, sources
// compiled through the build cache, flags of pkg-config and CMake packages. Touches the world; before suite/batch.h.
#pragma once

#include <filesystem>
#include <functional>

#include "icount/harness/environment.h"
#include "icount/harness/toolchain.h"
#include "icount/suite/suite_spec.h"

namespace icount {

struct LibraryFlagsOptions {
  ToolchainOptions toolchain;  ///< the caller's, its flags stay last
  Environment environment;
  std::filesystem::path cache_dir;  ///< as CollectOptions::cache_dir
  std::function<bool()> cancelled;
};

/// options.toolchain with the library's flags in front of its own, and its compiler where none was asked for.
/// Error{kTool} naming the package and what pkg-config or CMake said, or the source and the compiler's message.
ToolchainOptions add_library_flags(const LibrarySpec& library, const LibraryFlagsOptions& options);

}  // namespace icount
