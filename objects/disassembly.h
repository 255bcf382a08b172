// The instructions of an object file as text, by their addresses: what `icount show --asm` prints beside executions.
#pragma once

#include <elf.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/file.h"

namespace icount {

/// The parts of an ELF file that are loaded to be run.
class CodeBytes {
 public:
  /// Error{kIo} for a file that can't be read, Error{kMalformed} for one that is no 64-bit ELF file.
  explicit CodeBytes(const std::filesystem::path& path);

  uint16_t machine() const { return machine_; }
  /// Whether its own addresses are those in memory.
  bool is_at_fixed_place() const { return is_at_fixed_place_; }

  /// From an address to the end of its segment; empty where the file has nothing.
  std::string_view from(uint64_t address) const;

  /// The file to the end of what is loaded: debug information follows it.
  std::string_view loaded() const { return file_.view().substr(0, loaded_); }

 private:
  template <typename T>
  std::optional<T> read(uint64_t at) const;

  FileBytes file_;
  uint16_t machine_ = 0;
  bool is_at_fixed_place_ = false;
  uint64_t loaded_ = 0;
  std::vector<Elf64_Phdr> segments_;
};

struct MachineInstruction {
  uint64_t address = 0;  ///< in the object
  std::string text;      ///< "movq %rax, (%rdi)"; "(bad)" where the bytes are no instruction that is known
  bool wanted = false;   ///< its address was asked for; else it lies between two that were
};

/// The instructions at `addresses` (ascending, the object's own), and those between two of them where one leads on to
/// the other and they lie at most 4,096 bytes apart. Error{kIo} for a file that can't be read, Error{kMalformed} for
/// one that is no ELF file of a known processor.
std::vector<MachineInstruction> disassemble(const std::filesystem::path& object, std::span<const uint64_t> addresses);

struct CodeRange {
  uint64_t begin = 0, end = 0;
};

/// Where the conditional jumps of x86-64 code lie, executed or not, by the object's own addresses. An instruction
/// begins at each of `starts` (ascending).
std::vector<uint64_t> find_conditional_jumps(const CodeBytes& code, std::span<const CodeRange> ranges,
                                             std::span<const uint64_t> starts);

/// One instruction of this processor by its bytes; empty where they are none that is known.
std::string disassemble_bytes(std::string_view bytes);

// Floating point that Valgrind computes otherwise than the processor does, by the bytes of instructions (x86-64): the
// x87's 80 bits, of which it has 64, and tiny numbers that are to be zero, which it keeps. A program that sees the
// difference takes another way, and its count is of that way.

enum class FloatUse {
  kPlain,    ///< nothing of the kind
  kX87,      ///< computes, compares or loads an 80-bit number
  kControl,  ///< loads MXCSR, the control register of SSE
};

/// What the instruction at the begin of `bytes` does.
FloatUse float_use_of(std::string_view bytes);

/// Whether an instruction ("orl $0x8040, -4(%rsp)") has a constant with a bit that makes tiny numbers zero (MXCSR's FTZ
/// and DAZ), as one that is to be loaded or added there.
bool sets_flush_bit(std::string_view instruction);

/// Functions whose executed instructions did it, by name.
struct FloatingPoint {
  std::set<std::string> extended, flushing;
};

/// One note for each kind; none for none.
std::vector<std::string> floating_point_notes(const FloatingPoint& found);

// Whether a program's or library's file has the client request CALLGRIND_TOGGLE_COLLECT in it. Valgrind's log names the
// other requests that take something out of a count (callgrind/valgrind_log.h), not this one.

/// True when the loaded part of the file has a client request (on x86-64) and the number of this one
/// (valgrind/callgrind.h: 'C', 'T', 2), as the instruction that stores it has; debug information lists all numbers.
/// Whether it is ever asked is not looked at. False for a file that cannot be read (it may be executable and not
/// readable) and for one that is no 64-bit ELF file.
bool may_toggle_collection(const std::filesystem::path& file);

}  // namespace icount
