#include "icount/objects/floating_point.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

/// Of D8 to DF, by the byte behind it. Constants, stores and 64-bit loads lose nothing.
bool computes_in_x87(uint8_t opcode, uint8_t modrm) {
  const bool in_memory = modrm < 0xc0;
  const int operation = (modrm >> 3) & 7;
  switch (opcode) {
    case 0xd8:
    case 0xdc:
    case 0xde:
      return true;  // add, multiply, subtract, divide, compare
    case 0xd9:
      return !in_memory && (modrm == 0xe4 || (modrm >= 0xf0 && modrm != 0xf6 && modrm != 0xf7));
    case 0xda:
      return in_memory || modrm >= 0xe0;  // below: moves under a condition
    case 0xdb:
      return in_memory ? operation == 5 : modrm >= 0xe8;  // an 80-bit load; comparisons
    case 0xdd:
      return !in_memory && operation >= 4;
    default:
      return !in_memory && operation >= 5;  // 0xdf
  }
}

}  // namespace

FloatUse float_use_of(std::string_view bytes) {
  size_t at = 0;
  const auto byte = [&](size_t i) { return i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : uint8_t{0}; };
  const auto is_prefix = [](uint8_t b) {
    return b == 0x66 || b == 0x67 || b == 0xf2 || b == 0xf3 || b == 0x2e || b == 0x36 || b == 0x3e || b == 0x26 ||
           b == 0x64 || b == 0x65 || b == 0x9b || (b & 0xf0) == 0x40;
  };
  while (at < 8 && is_prefix(byte(at))) ++at;
  const uint8_t opcode = byte(at), next = byte(at + 1);
  if (opcode >= 0xd8 && opcode <= 0xdf) return computes_in_x87(opcode, next) ? FloatUse::kX87 : FloatUse::kPlain;
  size_t group = at + 2;  // the byte behind 0f ae
  if (opcode == 0xc5)
    group = next == 0xf8 || next == 0x78 ? at + 3 : 0;  // vldmxcsr
  else if (opcode != 0x0f)
    group = 0;
  if (group == 0 || byte(group - 1) != 0xae) return FloatUse::kPlain;
  const uint8_t modrm = byte(group);
  return modrm < 0xc0 && ((modrm >> 3) & 7) == 2 ? FloatUse::kControl : FloatUse::kPlain;
}

bool sets_flush_bit(std::string_view instruction) {
  const bool adds = instruction.starts_with("or"), loads = instruction.starts_with("mov");
  const bool numbers_bit = instruction.starts_with("bts");
  const size_t dollar = instruction.find('$');
  if ((!adds && !loads && !numbers_bit) || dollar == std::string_view::npos) return false;
  const char* first = instruction.data() + dollar + 1;
  const char* const last = instruction.data() + instruction.size();
  const bool negative = first != last && *first == '-';
  if (negative) ++first;
  const bool is_hex = last - first > 2 && first[0] == '0' && first[1] == 'x';
  uint64_t value = 0;
  std::from_chars(is_hex ? first + 2 : first, last, value, is_hex ? 16 : 10);
  constexpr uint64_t kFlush = uint64_t{1} << 15, kZero = uint64_t{1} << 6;
  if (numbers_bit) return value == 15 || value == 6;
  if (negative) value = -value & 0xff;  // of one byte
  // In one byte's instructions bit 15 is bit 7 of the higher one.
  const bool of_byte = instruction.starts_with("orb") || instruction.find("%ah") != std::string_view::npos;
  return (value & (of_byte ? 0xc0 : kFlush | kZero)) != 0 && value <= 0xffff;
}

std::vector<std::string> floating_point_notes(const FloatingPoint& found) {
  constexpr const char* kEffect =
      "code that branches on such a number may take another path than without Valgrind, and that path is what is "
      "counted";
  const auto verb = [](const std::set<std::string>& names, const char* one, const char* several) {
    return names.size() == 1 ? one : several;
  };
  std::vector<std::string> notes;
  if (!found.extended.empty())
    notes.push_back(fmt::format("{} {} with 80-bit long double (x87), for which Valgrind has 64 bits: {}",
                                list_functions(found.extended), verb(found.extended, "computes", "compute"), kEffect));
  if (!found.flushing.empty())
    notes.push_back(fmt::format(
        "{} {} the processor to treat tiny floating-point numbers as zero (as -ffast-math does), and Valgrind "
        "keeps them: {}",
        list_functions(found.flushing), verb(found.flushing, "sets", "set"), kEffect));
  return notes;
}

}  // namespace icount
