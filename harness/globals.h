// Globals: named values handed to a statement (docs/python_statements.md). PyTorch's CopyIfCallgrind: what is
// measured is a copy, so whoever hands over a value says so by building one of these. Pure but for the files that
// tensors and modules are in. Python receives them in the plan (harness/python_stub), C++ as set-up text made here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "icount/harness/timer_args.h"

namespace icount {

/// A C++ string literal with the bytes of `text`; what is not printable is written in octal, and no trigraph can arise.
std::string cpp_string_literal(std::string_view text);

/// The consent as a type: a value that may be copied into the measured process. `setup` runs before it is loaded there
/// (a definition that a module's class needs). Numbers, strings and bytes lose nothing by it; a tensor gets the strides
/// and the alignment that loading gives it, a module is read again.
class CopyIfCallgrind {
 public:
  static GlobalValue integer(std::string name, int64_t value, std::string setup = {});
  static GlobalValue number(std::string name, double value, std::string setup = {});
  static GlobalValue boolean(std::string name, bool value, std::string setup = {});
  static GlobalValue string(std::string name, std::string value, std::string setup = {});
  static GlobalValue bytes(std::string name, std::string value, std::string setup = {});
  /// A list or dict, as JSON: std::vector and std::map in C++ (harness/globals.cc).
  static GlobalValue json(std::string name, std::string text, std::string setup = {});
  /// Written by torch::save(tensor, path), torch::pickle_save or Python's torch.save.
  static GlobalValue tensor_file(std::string name, std::string path, std::string setup = {});
  /// Written by torch::jit::Module::save or torch.jit.save.
  static GlobalValue module_file(std::string name, std::string path, std::string setup = {});
};

/// "n=int:5", "r=float:0.5", "on=bool:true", "s=str:text", "b=bytes:00ff" (hex), "b=file:PATH" (the bytes of a file),
/// "v=json:[1,2]", "x=tensor:PATH", "m=module:PATH". Error{kUsage} quoting `text` and naming the kinds for anything
/// else.
GlobalValue parse_global(std::string_view text);

/// Error{kUsage} for a name that is no identifier or comes twice, a number that is none, a bool other than true and
/// false; Error{kIo} for a file that can't be read.
void check_globals(std::span<const GlobalValue> globals);

/// What C++ statements get in front of their set-up.
struct CppGlobals {
  std::string global_setup;  ///< an #include, when a file is among them
  std::string setup;         ///< one definition a value, after its own set-up text
};

/// A file's bytes inside the stub, and the C++ expressions that give them to the set-up they are embedded in.
struct EmbeddedFile {
  std::string setup;  ///< declares what follows; function scope
  std::string begin;  ///< const char*
  std::string size;   ///< size_t
};

/// The assembler takes the file into the program (.incbin): the measured process opens nothing, and no path is part of
/// a count. Reads the file: its hash stands in the text and keeps the build cache honest. Error{kIo} naming `name`.
EmbeddedFile embed_file(std::string_view name, const std::string& path);

/// Definitions in C++: int64_t, double, bool, std::string, vectors and maps of them, torch::Tensor, torch::jit::Module.
/// Numbers are hidden from the optimiser with icount::keep, or a statement on them would be computed by the compiler.
/// Errors as check_globals.
CppGlobals make_cpp_globals(std::span<const GlobalValue> globals);

}  // namespace icount
