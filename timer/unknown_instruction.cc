#include "icount/timer/unknown_instruction.h"

#include <charconv>
#include <string_view>

#include "icount/base/text.h"
#include "icount/harness/stub_source.h"
#include "icount/objects/disassembly.h"

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

}  // namespace

std::string describe_unknown_instruction(UnhandledInstruction instruction) {
  instruction.where = plain_function_name(instruction.where);
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
