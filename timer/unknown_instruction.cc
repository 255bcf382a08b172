#include "icount/timer/unknown_instruction.h"

#include <fmt/format.h>

#include <charconv>
#include <span>
#include <string_view>

#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"
#include "icount/harness/stub_source.h"
#include "icount/objects/disassembly.h"
#include "icount/objects/inlined_functions.h"

namespace icount {
namespace {

constexpr size_t kMostBytes = 15;  // of an instruction

/// Of "0x62 0xF1 ...".
std::string bytes_of(std::string_view hex) {
  constexpr int kBase = 16;
  std::string bytes;
  for (std::string_view word : split(hex, ' ')) {
    if (!word.starts_with("0x")) continue;
    word.remove_prefix(2);
    unsigned value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value, kBase);
    bytes += static_cast<char>(value);
  }
  return bytes;
}

/// " (avx.c:3)" where Valgrind has read no lines.
std::string place_of(const UnhandledInstruction& instruction) {
  if (instruction.object.empty() || instruction.where.empty()) return {};
  const auto names =
      DebugInformation(instruction.object).find(std::span(&instruction.object_address, 1), DebugDetail::kLines);
  if (!names || names->lines[0].line == 0) return {};
  return fmt::format(" ({}:{})", base_of_path(names->files[names->lines[0].file]), names->lines[0].line);
}

}  // namespace

std::string describe_unknown_instruction(UnhandledInstruction instruction) {
  instruction.where = plain_function_name(instruction.where) + place_of(instruction);
  const std::string bytes = bytes_of(instruction.bytes);
  std::string text = disassemble_bytes(bytes);
  if (text.empty()) {
    // Valgrind shows the first ten bytes: of a longer instruction the operands are not whole.
    text = disassemble_bytes(bytes + std::string(kMostBytes, '\0'));
    text = text.substr(0, text.find(' '));
  }
  return describe(instruction, text);
}

}  // namespace icount
