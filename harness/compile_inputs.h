// What a compiled file or a linked program was made of, read from what compilers and linkers say.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "icount/harness/compiler_facts.h"
#include "icount/harness/reuse.h"

namespace icount {

// What a preprocessor looked for: from the files that it read (the compiler's -MD) and the folders that it searches,
// the paths at which it would have found another file first, or one that it asked for and did not find. They are no
// part of what compilers tell, so the texts are read for their directives.

/// The names in one text's directives.
struct IncludeNames {
  std::vector<std::string> quoted;    ///< of #include "x", __has_include("x")
  std::vector<std::string> searched;  ///< of #include <x>, __has_include(<x>); quoted ones, too
  std::string unknown;                ///< what it asks for that can't be told from its text; empty: nothing
};

/// Of #include, #include_next, #import and __has_include, also where they are switched off. What a macro names is found
/// among the files that were read; where it was not found (__has_include(NAME)), and what the assembler reads
/// (.incbin), is unknown.
IncludeNames find_include_names(std::string_view text);

/// Adds `files` and what was looked for on the way to them, found or not, to `record`. `text` is that of the unit,
/// which is no file of its own; what `known` has is left out.
void add_lookups(const std::vector<std::filesystem::path>& files, std::string_view text, const CompilerFacts& facts,
                 const ReuseRecord& known, ReuseRecord& record);

/// The prerequisites of a make rule as the compiler writes it ("x.o: a.cc b.h \\\n c.h"), escapes undone.
std::vector<std::filesystem::path> parse_depfile(std::string_view text);

/// The working directory, where what a text with these flags is compiled to depends on it: what it includes may be
/// searched for there; else empty.
std::string place_of(std::string_view text, const std::vector<std::string>& flags);

/// The folders of -I, which are to be searched for quoted includes before the working directory is.
std::vector<std::string> include_folders(const std::vector<std::string>& flags);

/// Takes the folders that headers are searched in, of -I, -isystem, -iquote and -idirafter, out of `flags`.
std::vector<std::string> take_folders(std::vector<std::string>& flags);

/// The files that a linker says it read (-Wl,--trace).
std::vector<std::filesystem::path> parse_link_trace(std::string_view output);

/// Adds the places at which -lNAME among `flags` would be found, and isn't, to `record`.
void add_library_lookups(const std::vector<std::string>& flags, ReuseRecord& record);

}  // namespace icount
