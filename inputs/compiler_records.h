// What compilers recorded of their decisions (-fsave-optimization-record), as mine/compiler_decisions.h joins it to
// causes: gcc's JSON, clang's YAML.
#pragma once

#include <filesystem>
#include <string_view>

#include "icount/mine/compiler_decisions.h"

namespace icount {

/// Adds one file of gcc 9 or newer, unpacked. Error{kMalformed} for another JSON.
void parse_gcc_records(std::string_view json, CompilerRecords& records);

/// Adds one file of clang's. Documents of other passes and keys that are not known are passed over.
void parse_clang_records(std::string_view yaml, CompilerRecords& records);

/// Of all "*.opt-record.json.gz" and "*.opt.yaml" below a folder. Error as load_file and parse_gcc_records.
CompilerRecords load_compiler_records(const std::filesystem::path& folder);

}  // namespace icount
