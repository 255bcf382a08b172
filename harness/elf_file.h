// What an ELF file says by itself: its segments, its identity, the libraries that it needs, its symbols.
#pragma once

#include <elf.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/file.h"
#include "icount/harness/environment.h"

namespace icount {

// Identity of a binary file: its GNU build id, or a hash of its bytes. Used for LibTorch, libc and cached programs.

/// The GNU build id of an ELF file in hex; empty when it has none, is no ELF file or can't be read.
std::string load_build_id(const std::filesystem::path& elf_file);

/// Where distributions keep the debug information of a build; empty for no build id.
std::filesystem::path separate_debug_file(std::string_view build_id);

/// The build id, else "hash-" and a content hash; empty when the file can't be read.
std::string load_file_identity(const std::filesystem::path& file);

/// A hash of the file's content; of one that has a build id and is larger than 64 MB (LibTorch), the build id. Empty
/// when the file can't be read.
std::string load_content_identity(const std::filesystem::path& file);

// Which shared libraries the loader loads together with a program: its answer, not ours (`ld.so --list`, what ldd
// prints). What a program opens later by itself (dlopen) is not among them.

struct NeededLibraries {
  std::vector<std::filesystem::path> libraries;  ///< with the loader itself; none for a static program
  std::string unknown;                           ///< why there is no answer: a script, no ELF file, a library not found
};

/// Runs the program's own loader, never the program.
NeededLibraries load_needed_libraries(const std::filesystem::path& program, const Environment& environment);

/// Whether a loaded library is one of Valgrind's own, which its version stands for.
bool is_valgrinds(const std::filesystem::path& library);

/// The symbols of an ELF file as they lie in it: what harness/bench_hooks recognizes a benchmark framework by, and
/// where functions lie that are called by name.
struct ElfSymbol {
  std::string_view name;  ///< as the linker knows it; lives as long as the ElfSymbols
  uint64_t address = 0;   ///< in the file's own address space; 0 when not defined
  uint64_t size = 0;      ///< 0: not known, as of labels in assembly
  bool is_function = false;
  bool is_chooser = false;  ///< code that the loader asks for the function's address (IFUNC)
  bool is_defined = false;
};

/// A 64-bit little-endian ELF file.
struct ElfSymbols {
  FileBytes bytes;
  std::vector<ElfSymbol> symbols;  ///< of .dynsym, then of .symtab; a symbol may be in both
  bool is_stripped = true;         ///< it has no .symtab
  bool is_static = true;           ///< no loader: nothing can be preloaded
};

/// Error{kIo} when the file can't be read, Error{kMalformed} "PATH: not a 64-bit ELF executable" and the like.
ElfSymbols load_elf_symbols(const std::filesystem::path& path);

/// "Catch::Session::run(int)" of "_ZN5Catch7Session3runEi", "<bool as core::fmt::Display>::fmt" of a Rust symbol in
/// either mangling; the name itself when it is not mangled.
std::string demangle(std::string_view symbol);

// What an executable says about its making: compilers leave their version in the section .comment, Go's in
// .go.buildinfo, and, where there is debug information, C and C++ compilers their options beside it. Recorded with
// counts of programs (timer/count_program.cc).

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
