// Fuzzers on disk: parameters, tensors and constraints as a TOML file, so that an operator's own shapes need
// no C++. docs/fuzzer.md shows a file; fuzzer/fuzzer.h says what each field means.
#pragma once

#include <filesystem>
#include <string_view>

#include "icount/fuzzer/fuzzer.h"

namespace icount {

/// Error{kMalformed} "NAME:LINE: ..." for text that is no TOML, unknown or missing fields, wrong types, names
/// that no parameter has, and everything a Distribution or a tensor refuses.
FuzzerSpec parse_fuzzer_table(std::string_view text, std::string_view name);

/// The same from a file; Error{kIo} when it cannot be read.
FuzzerSpec load_fuzzer_table(const std::filesystem::path& path);

}  // namespace icount
