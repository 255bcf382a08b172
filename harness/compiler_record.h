// What an executable says about its making: compilers leave their version in the section .comment, Go's in
// .go.buildinfo, and, where there is debug information, C and C++ compilers their options beside it. Recorded with
// counts of programs (timer/count_program.cc).
#pragma once

#include <filesystem>
#include <string>

namespace icount {

struct CompilerRecord {
  std::string compilers;        ///< "GCC: (Debian 12.2.0-14) 12.2.0", several sorted and joined by ", "
  std::string options;          ///< "GNU C++17 12.2.0 -O2 -g", several sorted and joined by "; "
  bool is_go = false;           ///< it was linked by Go; `compilers` has "go1.19.8" since Go 1.18
  bool is_unoptimised = false;  ///< all of it, by GCC; clang does not say
  bool lacks_lines = false;     ///< it has symbols and no debug information, here or elsewhere: built without -g
};

/// Fields are empty where the file does not say (stripped, no ELF file, not readable, compressed debug information),
/// and `options` also where more than eight kinds are named, as a program linked of many static libraries has them.
CompilerRecord load_compiler_record(const std::filesystem::path& elf_file);

}  // namespace icount
