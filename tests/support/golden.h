// Golden data for tests: JSON cases, folders of test data, expected output files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "icount/base/json.h"

namespace icount {

/// The project's folder tests/testdata.
std::filesystem::path testdata(std::string_view relative = {});

/// What the build unpacked of tests/testdata (tests/CMakeLists.txt): profiles/, compatibility/, corpus/.
std::filesystem::path unpacked(std::string_view relative);

/// Where the recorded cases of torch.utils.benchmark lie: $ICOUNT_GOLDENS, else tests/testdata/torch.
std::filesystem::path torch_goldens();

/// The array of cases in torch_goldens()/file (or file.xz); an Error when it is missing.
Json load_cases(std::string_view file);

/// Compares with tests/testdata/golden/NAME; ICOUNT_UPDATE_GOLDEN=1 rewrites the file instead. Empty when equal, else a
/// message.
std::string differs_from_golden(std::string_view name, std::string_view actual);

}  // namespace icount
