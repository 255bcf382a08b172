#include "icount/objects/disassembly.h"

#include <capstone/capstone.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <utility>

#include "icount/base/error.h"
#include "icount/callgraph/name_parts.h"
#include "icount/objects/misplaced_code.h"

namespace icount {

CodeBytes::CodeBytes(const std::filesystem::path& path) : file_(map_file(path)) {
  const auto header = read<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    throw Error(ErrorKind::kMalformed, path.string() + ": not a 64-bit ELF file");
  machine_ = header->e_machine;
  is_at_fixed_place_ = header->e_type == ET_EXEC;
  for (uint64_t i = 0; i < header->e_phnum; ++i) {
    const auto segment = read<Elf64_Phdr>(header->e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment || segment->p_type != PT_LOAD) continue;
    if ((segment->p_flags & PF_X) != 0) segments_.push_back(*segment);
    loaded_ = std::max(loaded_, segment->p_offset + segment->p_filesz);
  }
}

std::string_view CodeBytes::from(uint64_t address) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (address < segment.p_vaddr || address - segment.p_vaddr >= segment.p_filesz) continue;
    const uint64_t inside = address - segment.p_vaddr, at = segment.p_offset + inside;
    if (at < segment.p_offset || at >= file_.view().size()) return {};
    return file_.view().substr(at, segment.p_filesz - inside);
  }
  return {};
}

template <typename T>
std::optional<T> CodeBytes::read(uint64_t at) const {
  const std::string_view bytes = file_.view();
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

namespace {

constexpr uint64_t kWidestGap = 4096;

class Disassembler {
 public:
  Disassembler(uint16_t machine, const std::filesystem::path& path) {
    const bool is_arm = machine == EM_AARCH64;
    const cs_err error =
        machine != EM_X86_64 && !is_arm
            ? CS_ERR_ARCH
            : cs_open(is_arm ? CS_ARCH_ARM64 : CS_ARCH_X86, is_arm ? CS_MODE_LITTLE_ENDIAN : CS_MODE_64, &handle_);
    if (error != CS_ERR_OK)
      throw Error(ErrorKind::kMalformed, path.string() + ": code of a processor that icount cannot disassemble");
    if (!is_arm) cs_option(handle_, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);  // as objdump prints it
    one_ = cs_malloc(handle_);
  }
  Disassembler(const Disassembler&) = delete;
  Disassembler& operator=(const Disassembler&) = delete;
  ~Disassembler() {
    if (one_) cs_free(one_, 1);
    if (handle_) cs_close(&handle_);
  }

  /// Text and length; length 0 where the bytes are no instruction.
  std::pair<std::string, uint64_t> read(std::string_view bytes, uint64_t address) {
    const auto* code = reinterpret_cast<const uint8_t*>(bytes.data());
    size_t size = bytes.size();
    if (size == 0 || !cs_disasm_iter(handle_, &code, &size, &address, one_)) return {"(bad)", 0};
    std::string text = one_->mnemonic;
    if (one_->op_str[0] != '\0') text += std::string(" ") + one_->op_str;
    return {text, one_->size};
  }

 private:
  csh handle_ = 0;
  cs_insn* one_ = nullptr;
};

}  // namespace

std::vector<MachineInstruction> disassemble(const std::filesystem::path& object, std::span<const uint64_t> addresses) {
  const CodeBytes code(object);
  Disassembler reader(code.machine(), object);
  std::vector<MachineInstruction> all;
  for (size_t i = 0; i < addresses.size(); ++i) {
    auto [text, length] = reader.read(code.from(addresses[i]), addresses[i]);
    all.push_back({addresses[i], std::move(text), true});
    if (length == 0 || i + 1 == addresses.size() || addresses[i + 1] - addresses[i] > kWidestGap) continue;
    std::vector<MachineInstruction> between;
    uint64_t at = addresses[i] + length;
    while (at < addresses[i + 1]) {
      auto [next, size] = reader.read(code.from(at), at);
      if (size == 0) break;
      between.push_back({at, std::move(next), false});
      at += size;
    }
    if (at == addresses[i + 1])
      all.insert(all.end(), std::make_move_iterator(between.begin()), std::make_move_iterator(between.end()));
  }
  return all;
}

std::vector<uint64_t> find_conditional_jumps(const CodeBytes& code, std::span<const CodeRange> ranges,
                                             std::span<const uint64_t> starts) {
  Disassembler reader(EM_X86_64, "code");
  std::vector<uint64_t> found;
  for (const auto& [begin, end] : ranges) {
    for (uint64_t at = begin; at < end;) {
      const std::string_view bytes = code.from(at);
      const InstructionFlow flow = flow_of_instruction(bytes);
      if (flow.goes_on && flow.jumps_there) found.push_back(at);
      const uint64_t length = flow.length != 0 ? flow.length : reader.read(bytes, at).second;
      const auto next = std::upper_bound(starts.begin(), starts.end(), at);
      const uint64_t known = next == starts.end() ? end : *next;
      at = length == 0 ? known : std::min(at + length, known);  // data between code is stepped over
    }
  }
  return found;
}

std::string disassemble_bytes(std::string_view bytes) {
#ifdef __aarch64__
  constexpr uint16_t kMachine = EM_AARCH64;
#else
  constexpr uint16_t kMachine = EM_X86_64;
#endif
  const auto [text, length] = Disassembler(kMachine, "bytes").read(bytes, 0);
  return length == 0 ? std::string() : text;
}

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

namespace {

#if defined(__x86_64__)
/// With what a client request begins, as valgrind.h has it: %rdi is rotated by 3, 13, 61 and 51. Accidents of four
/// bytes happen in large libraries, of these sixteen they do not. Found by skips of sixteen bytes.
bool has_requests(std::string_view code) {
  static constexpr std::string_view kPreamble("\x48\xc1\xc7\x03\x48\xc1\xc7\x0d\x48\xc1\xc7\x3d\x48\xc1\xc7\x33", 16);
  const std::boyer_moore_horspool_searcher searcher(kPreamble.begin(), kPreamble.end());
  return std::search(code.begin(), code.end(), searcher) != code.end();
}
#else
bool has_requests(std::string_view) { return true; }
#endif

}  // namespace

bool may_toggle_collection(const std::filesystem::path& file) {
  constexpr std::string_view kNumber("\x02\x00TC", 4);  // 0x43540002, little endian
  try {
    const CodeBytes bytes(file);
    return has_requests(bytes.loaded()) && bytes.loaded().find(kNumber) != std::string_view::npos;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace icount
