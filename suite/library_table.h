// The table [library] of a suite file: what the suite measures besides LibTorch. Used by suite/definition_file.cc; what
// the fields mean is in suite/library_spec.h and docs/suite.md.
#pragma once

#include <filesystem>

#include "icount/base/toml_value.h"
#include "icount/suite/library_spec.h"

namespace icount {

/// Adds what the table names to `library`, so that included files add to their includer's; paths are taken relative to
/// `folder`. A source that is not there is a problem.
void read_library_table(const TomlValue& table, const std::filesystem::path& folder, LibrarySpec& library,
                        Problems& problems);

}  // namespace icount
