// The instructions of an object file as text, by their addresses: what `icount show --asm` prints beside executions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/objects/code_bytes.h"

namespace icount {

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

}  // namespace icount
