// The symbols of an ELF file as they lie in it: what harness/bench_framework recognizes a benchmark framework by, and
// where functions lie that are called by name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/file.h"

namespace icount {

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

}  // namespace icount
