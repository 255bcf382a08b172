// What `icount --version` prints: the version, the commit that it was built from, and the Valgrind that counts.
#pragma once

#include <string>
#include <string_view>

#include "icount/harness/environment.h"

namespace icount {

/// The version of this build, "0.1.0": the one of project() in CMakeLists.txt.
std::string_view icount_version();

/// The commit that this was built from, "b157a8a" or "b157a8a, changed"; empty outside of a clone.
std::string_view icount_commit();

/// "icount 0.1.0 (commit b157a8a)\nValgrind 3.19.0, carried along (...)\n". Says why where no Valgrind runs.
std::string probe_version_text(const Environment& environment);

}  // namespace icount
