// What a preprocessor looked for: from the files that it read (the compiler's -MD) and the folders that it searches,
// the paths at which it would have found another file first, or one that it asked for and did not find. They are no
// part of what compilers tell, so the texts are read for their directives. Used by harness/compile.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "icount/harness/compiler_facts.h"
#include "icount/harness/reuse.h"

namespace icount {

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

/// Adds `files` and what was looked for on the way to them to `record`. `text` is that of the unit, which is no file of
/// its own; what `known` has is left out.
void add_lookups(const std::vector<std::filesystem::path>& files, std::string_view text, const CompilerFacts& facts,
                 const ReuseRecord& known, ReuseRecord& record);

}  // namespace icount
