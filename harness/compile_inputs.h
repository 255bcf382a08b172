// What a compiled file or a linked program was made of, read from what compilers and linkers say. Used by
// harness/compile.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "icount/harness/reuse.h"

namespace icount {

/// The prerequisites of a make rule as the compiler writes it ("x.o: a.cc b.h \\\n c.h"), escapes undone.
std::vector<std::filesystem::path> parse_depfile(std::string_view text);

bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);

/// The working directory, where what a text with these flags is compiled to depends on it: what it includes may be
/// searched for there; else empty.
std::string place_of(std::string_view text, const std::vector<std::string>& flags);

/// The folders of -I, which are to be searched for quoted includes before the working directory is.
std::vector<std::string> include_folders(const std::vector<std::string>& flags);

/// The files that a linker says it read (-Wl,--trace).
std::vector<std::filesystem::path> parse_link_trace(std::string_view output);

/// Adds the places at which -lNAME among `flags` would be found, and isn't, to `record`.
void add_library_lookups(const std::vector<std::string>& flags, ReuseRecord& record);

}  // namespace icount
