#include "icount/objects/disassembly.h"

#include <capstone/capstone.h>
#include <elf.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "icount/base/error.h"
#include "icount/objects/code_bytes.h"
#include "icount/objects/misplaced_code.h"

namespace icount {
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

}  // namespace icount
