#include "icount/kernels/cubin.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "icount/base/error.h"

namespace icount {
namespace {

constexpr uint16_t kMachineCuda = 190;
constexpr uint8_t kEntryBit = 0x10;  // of st_other: __global__

// What relocatable code has in the place of STT_OBJECT and SHT_NOBITS, from nvcc 13 on.
constexpr unsigned kCudaObject = 13;
constexpr uint32_t kCudaGlobal = 0x70000007, kCudaLocal = 0x70000009, kCudaShared = 0x7000000a;

bool has_no_bytes(uint32_t section_type) {
  return section_type == SHT_NULL || section_type == SHT_NOBITS || section_type == kCudaGlobal ||
         section_type == kCudaLocal || section_type == kCudaShared;
}

bool is_variable(const Elf64_Sym& symbol) {
  const unsigned type = ELF64_ST_TYPE(symbol.st_info);
  return type == STT_OBJECT || type == kCudaObject;
}

// Attributes of .nv.info, as nvdisasm names them (EIATTR_...).
enum Attribute : uint32_t {
  kMaxThreads = 0x05,
  kParamCbank = 0x0a,
  kRequiredThreads = 0x10,
  kFrameSize = 0x11,
  kMinStackSize = 0x12,
  kKernelParameter = 0x17,
  kRegisterCount = 0x2f,
};

/// Attributes that say where in the code something is, or which compiler wrote them and how: they follow from what is
/// compared, or mean nothing to a run.
constexpr uint32_t kNotCompared[] = {0x02 /* IMAGE_SLOT */,
                                     0x06 /* IMAGE_OFFSET */,
                                     0x07 /* IMAGE_SIZE */,
                                     0x0f /* EXTERNS */,
                                     0x1b /* MAXREG_COUNT, what ptxas was allowed */,
                                     0x1c /* EXIT_INSTR */,
                                     0x1d /* S2RCTAID */,
                                     0x25 /* LD_CACHEMOD */,
                                     0x28 /* COOP_GROUP_INSTR */,
                                     0x29 /* COOP_GROUP_REGIDS */,
                                     0x31 /* WARP_WIDE */,
                                     0x34 /* BRANCH_TARGETS */,
                                     0x36 /* SW_WAR */,
                                     0x37 /* API_VERSION */,
                                     0x39 /* MBARRIER */,
                                     0x46 /* SYSCALL */,
                                     0x47 /* SW_WAR_MEMBAR */,
                                     0x5f /* no name: 257 in each */,
                                     0x66 /* LANGUAGE */,
                                     0x6b /* no name: 1 in each of nvcc 13.5 */};

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  template <typename T>
  T get(uint64_t at) const {
    T value;
    std::memcpy(&value, range(at, sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string_view range(uint64_t at, uint64_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at)
      throw Error(ErrorKind::kMalformed,
                  fmt::format("{}: the cubin is cut off or damaged: {} bytes at {} lie outside", name_, size, at));
    return bytes_.substr(at, size);
  }
  std::string_view text(uint64_t at) const {
    const std::string_view rest = range(at, bytes_.size() - std::min<uint64_t>(at, bytes_.size()));
    return rest.substr(0, rest.find('\0'));
  }
  size_t size() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
  const std::string& name_;
};

struct Section {
  std::string_view name;
  Elf64_Shdr header;
  std::string_view content;  ///< empty where the file has none
};

struct Symbol {
  std::string_view name;
  Elf64_Sym value;
};

class Parser {
 public:
  explicit Parser(Cubin& cubin) : cubin_(cubin), file_(cubin.bytes.view(), cubin.name) {
    read_sections();
    read_symbols();
  }

  void parse() {
    read_arch();
    read_variables();
    for (const Section& section : sections_)
      if (section.name.starts_with(".text.")) read_function(section);
    read_module_info();
    read_lines();
    std::sort(cubin_.functions.begin(), cubin_.functions.end(),
              [](const KernelCode& a, const KernelCode& b) { return a.name < b.name; });
  }

 private:
  void read_sections() {
    const auto header = file_.get<Elf64_Ehdr>(0);
    std::vector<Elf64_Shdr> headers;
    for (uint32_t i = 0; i < header.e_shnum; ++i)
      headers.push_back(file_.get<Elf64_Shdr>(header.e_shoff + uint64_t{i} * sizeof(Elf64_Shdr)));
    if (header.e_shstrndx >= headers.size()) file_.range(file_.size(), 1);
    const Elf64_Shdr& names = headers[header.e_shstrndx];
    const Reader strings(file_.range(names.sh_offset, names.sh_size), cubin_.name);
    for (const Elf64_Shdr& one : headers) {
      const std::string_view name = strings.text(one.sh_name);
      section_numbers_.emplace(name, sections_.size());
      sections_.push_back(
          {name, one, has_no_bytes(one.sh_type) ? std::string_view() : file_.range(one.sh_offset, one.sh_size)});
    }
  }

  void read_symbols() {
    const Section* table = section(".symtab");
    const Section* strings = section(".strtab");
    if (!table || !strings) return;
    const Reader rows(table->content, cubin_.name), names(strings->content, cubin_.name);
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table->content.size(); at += sizeof(Elf64_Sym)) {
      const auto one = rows.get<Elf64_Sym>(at);
      symbols_.push_back({names.text(one.st_name), one});
    }
  }

  const Section* section(std::string_view name) const {
    const auto found = section_numbers_.find(name);
    return found == section_numbers_.end() ? nullptr : &sections_[found->second];
  }

  /// The processor's number is in the ELF header; the letter of "sm_90a" only in the note of ptxas's options.
  void read_arch() {
    const auto header = file_.get<Elf64_Ehdr>(0);
    constexpr unsigned kWithSecondByte = 8;  // e_ident's ABI version from which on the second byte has it
    const unsigned number =
        header.e_ident[EI_ABIVERSION] >= kWithSecondByte ? header.e_flags >> 8 & 0xff : header.e_flags & 0xff;
    cubin_.arch = fmt::format("sm_{}", number);
    const Section* note = section(".note.nv.tkinfo");
    if (!note) return;
    const size_t at = note->content.find(cubin_.arch);
    if (at == std::string_view::npos) return;
    const size_t behind = at + cubin_.arch.size();
    if (behind < note->content.size() && (note->content[behind] == 'a' || note->content[behind] == 'f'))
      cubin_.arch += note->content[behind];
  }

  std::vector<CubinReference> references_of(std::string_view target) const {
    std::vector<CubinReference> found;
    const Section* rows = section(fmt::format(".rela{}", target));
    if (rows) {
      const Reader reader(rows->content, cubin_.name);
      for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= rows->content.size(); at += sizeof(Elf64_Rela)) {
        const auto one = reader.get<Elf64_Rela>(at);
        found.push_back({one.r_offset, static_cast<uint32_t>(ELF64_R_TYPE(one.r_info)),
                         symbol_text(ELF64_R_SYM(one.r_info)), one.r_addend});
      }
    }
    if (const Section* short_rows = section(fmt::format(".rel{}", target))) {
      const Reader reader(short_rows->content, cubin_.name);
      for (uint64_t at = 0; at + sizeof(Elf64_Rel) <= short_rows->content.size(); at += sizeof(Elf64_Rel)) {
        const auto one = reader.get<Elf64_Rel>(at);
        found.push_back(
            {one.r_offset, static_cast<uint32_t>(ELF64_R_TYPE(one.r_info)), symbol_text(ELF64_R_SYM(one.r_info)), 0});
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  std::string symbol_text(uint64_t index) const {
    if (index >= symbols_.size()) file_.range(file_.size(), 1);
    return stable_symbol(symbols_[index].name);
  }

  /// The bytes with the references that lie in them, so that equal texts mean equal contents.
  std::string content_of(const Section& in, uint64_t offset, uint64_t size,
                         const std::vector<CubinReference>& references) const {
    std::string content;
    if (!in.content.empty()) content = Reader(in.content, cubin_.name).range(offset, size);
    for (const CubinReference& one : references)
      if (one.offset >= offset && one.offset < offset + size)
        content += fmt::format("\n{} {} {} {}", one.offset - offset, one.type, one.symbol, one.addend);
    return content;
  }

  void read_variables() {
    std::map<size_t, std::vector<CubinReference>> references;
    for (const Symbol& one : symbols_) {
      const size_t index = one.value.st_shndx;
      if (index >= sections_.size() || !is_variable(one.value)) continue;
      const Section& in = sections_[index];
      if (!references.contains(index)) references[index] = references_of(in.name);
      CubinVariable variable{stable_symbol(one.name), one.value.st_value, one.value.st_size, {}};
      variable.content = content_of(in, variable.offset, variable.size, references[index]);
      if (in.name == ".nv.constant3")
        cubin_.constants.push_back(std::move(variable));
      else if (in.name.starts_with(".nv.global") || in.name.starts_with(".nv.shared"))
        cubin_.globals.push_back(std::move(variable));
    }
    const auto by_place = [](const CubinVariable& a, const CubinVariable& b) {
      return std::tie(a.offset, a.size, a.name) < std::tie(b.offset, b.size, b.name);
    };
    std::sort(cubin_.constants.begin(), cubin_.constants.end(), by_place);
    std::sort(cubin_.globals.begin(), cubin_.globals.end());
    for (CubinReference& one : references_of(".nv.constant4")) {
      const uint64_t offset = one.offset;
      cubin_.pointers.emplace(offset, std::move(one));
    }
  }

  void read_function(const Section& text) {
    const std::string_view name = text.name.substr(std::string_view(".text.").size());
    const auto index = static_cast<uint16_t>(&text - sections_.data());
    for (size_t i = 0; i < symbols_.size(); ++i) {
      const Symbol& symbol = symbols_[i];
      if (symbol.name != name || symbol.value.st_shndx != index || ELF64_ST_TYPE(symbol.value.st_info) != STT_FUNC)
        continue;
      KernelCode& kernel = cubin_.functions.emplace_back();
      kernel.name = name;
      kernel.symbol = static_cast<uint32_t>(i);
      kernel.is_entry = (symbol.value.st_other & kEntryBit) != 0;
      kernel.code = text.content;
      kernel.registers = text.header.sh_info >> 24;
      kernel.references = references_of(text.name);
      if (const Section* shared = section(fmt::format(".nv.shared.{}", name)))
        kernel.shared_bytes = shared->header.sh_size - std::min<uint64_t>(shared->header.sh_size, reserved_bytes());
      kernel.literals = literals_of(name);
      if (const Section* info = section(fmt::format(".nv.info.{}", name))) read_info(*info, kernel);
      std::sort(kernel.parameters.begin(), kernel.parameters.end());
      return;
    }
  }

  /// Constants that are no variables: all banks but that of parameters, of __constant__ and of addresses.
  std::string literals_of(std::string_view function) const {
    std::string all;
    constexpr int kBanks = 18;
    for (int bank = 1; bank < kBanks; ++bank) {
      if (bank == 3 || bank == 4) continue;
      for (const std::string& name :
           {fmt::format(".nv.constant{}", bank), fmt::format(".nv.constant{}.{}", bank, function)})
        if (const Section* in = section(name))
          all += fmt::format("bank {}\n", bank) + content_of(*in, 0, in->content.size(), references_of(name));
    }
    return all;
  }

  /// What the linker puts before a kernel's own shared memory: the runtime's KiB, where the code is linked against it.
  uint64_t reserved_bytes() const {
    constexpr uint64_t kReserved = 1024;
    const bool is_linked = file_.get<Elf64_Ehdr>(0).e_type == ET_EXEC;
    return is_linked && std::any_of(symbols_.begin(), symbols_.end(),
                                    [](const Symbol& one) { return one.name == ".nv.reservedSmem.offset0"; })
               ? kReserved
               : 0;
  }

  /// Calls take(attribute, value) for each row of a .nv.info section.
  template <typename Take>
  void each_attribute(const Section& info, Take take) const {
    constexpr uint8_t kNoValue = 1, kByte = 2, kHalfWord = 3;
    const Reader reader(info.content, cubin_.name);
    for (uint64_t at = 0; at + 4 <= info.content.size();) {
      const auto form = reader.get<uint8_t>(at), attribute = reader.get<uint8_t>(at + 1);
      if (form == kNoValue || form == kByte || form == kHalfWord) {
        take(attribute, form == kNoValue ? "there" : reader.range(at + 2, 2));  // its presence is what it says
        at += 4;
        continue;
      }
      const auto size = reader.get<uint16_t>(at + 2);
      take(attribute, reader.range(at + 4, size));
      at += 4 + uint64_t{size};
    }
  }

  static uint32_t word(std::string_view value, size_t index) {
    uint32_t result = 0;
    if (value.size() >= 4 * (index + 1)) std::memcpy(&result, value.data() + 4 * index, 4);
    return result;
  }

  void read_info(const Section& info, KernelCode& kernel) const {
    each_attribute(info, [&](uint32_t attribute, std::string_view value) {
      switch (attribute) {
        case kParamCbank:
          kernel.parameter_base = word(value, 1) & 0xffff;
          return;
        case kKernelParameter:
          kernel.parameters.push_back({word(value, 1) & 0xffff, word(value, 1) >> 16, word(value, 2) >> 18});
          return;
        case kMaxThreads:
        case kRequiredThreads:
          kernel.max_threads = word(value, 0) * std::max(1u, word(value, 1)) * std::max(1u, word(value, 2));
          break;
        default:
          break;
      }
      const bool is_zero = value.find_first_not_of('\0') == std::string_view::npos;  // as where it is absent
      if (!is_zero && std::find(std::begin(kNotCompared), std::end(kNotCompared), attribute) == std::end(kNotCompared))
        kernel.launch[attribute] += value;
    });
  }

  /// Registers and frames are told of all functions in one section, by number of the symbol.
  void read_module_info() {
    const Section* info = section(".nv.info");
    if (!info) return;
    std::map<uint32_t, KernelCode*> by_symbol;
    for (KernelCode& one : cubin_.functions) by_symbol[one.symbol] = &one;
    each_attribute(*info, [&](uint32_t attribute, std::string_view value) {
      const auto found = by_symbol.find(word(value, 0));
      if (found == by_symbol.end() || value.size() < 8) return;
      if (attribute == kRegisterCount) found->second->registers = word(value, 1);
      if (attribute == kFrameSize || attribute == kMinStackSize)
        found->second->local_bytes = std::max<uint64_t>(found->second->local_bytes, word(value, 1));
    });
  }

  // .debug_line (DWARF 2 as nvcc writes it): one sequence for each function, whose name is in the reference of its
  // first address.
  void read_lines() {
    const Section* table = section(".debug_line");
    if (!table) return;
    std::map<uint64_t, std::string> functions;
    if (const Section* rows = section(".rela.debug_line")) {
      const Reader reader(rows->content, cubin_.name);
      for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= rows->content.size(); at += sizeof(Elf64_Rela)) {
        const auto one = reader.get<Elf64_Rela>(at);
        const uint64_t symbol = ELF64_R_SYM(one.r_info);
        if (symbol < symbols_.size()) functions[one.r_offset] = symbols_[symbol].name;
      }
    }
    uint64_t at = 0;
    while (at + 4 <= table->content.size()) at = read_line_unit(Reader(table->content, cubin_.name), at, functions);
  }

  static uint64_t leb(const Reader& reader, uint64_t& at, bool is_signed) {
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte = 0;
    do {
      byte = reader.get<uint8_t>(at++);
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      shift += 7;
    } while (byte & 0x80);
    if (is_signed && shift < 64 && (byte & 0x40)) value |= ~uint64_t{0} << shift;
    return value;
  }

  uint64_t read_line_unit(const Reader& reader, uint64_t begin, const std::map<uint64_t, std::string>& functions) {
    const uint64_t end = begin + 4 + reader.get<uint32_t>(begin);
    reader.range(begin, end - begin);
    const auto version = reader.get<uint16_t>(begin + 4);
    if (version < 2 || version > 4) return end;
    const uint64_t program = begin + 10 + reader.get<uint32_t>(begin + 6);
    uint64_t at = begin + 10 + (version >= 4 ? 2 : 1);  // minimum length (and, in version 4, operations of one)
    const auto line_base = static_cast<int8_t>(reader.get<uint8_t>(at + 1));
    const auto line_range = reader.get<uint8_t>(at + 2), opcode_base = reader.get<uint8_t>(at + 3);
    if (line_range == 0 || opcode_base == 0) return end;
    at += 4;
    std::vector<uint8_t> operands{0};
    for (unsigned i = 1; i < opcode_base; ++i) operands.push_back(reader.get<uint8_t>(at++));
    while (!reader.text(at).empty()) at += reader.text(at).size() + 1;
    ++at;
    std::vector<std::string> files{""};
    while (!reader.text(at).empty()) {
      files.emplace_back(reader.text(at));
      at += files.back().size() + 1;
      for (int i = 0; i < 3; ++i) leb(reader, at, false);
    }
    run_line_program(reader, program, end, {line_base, line_range, opcode_base, operands, files}, functions);
    return end;
  }

  struct LineHeader {
    int line_base, line_range, opcode_base;
    std::vector<uint8_t> operands;
    std::vector<std::string> files;
  };

  void run_line_program(const Reader& reader, uint64_t at, uint64_t end, const LineHeader& header,
                        const std::map<uint64_t, std::string>& functions) {
    KernelCode* kernel = nullptr;
    uint64_t address = 0, file = 1, line = 1;
    const auto emit = [&] {
      if (kernel && file < header.files.size()) kernel->lines[address] = index_of({header.files[file], line});
    };
    while (at < end) {
      const auto opcode = reader.get<uint8_t>(at++);
      if (opcode >= header.opcode_base) {
        const int adjusted = opcode - header.opcode_base;
        address += static_cast<uint64_t>(adjusted / header.line_range);
        line += static_cast<uint64_t>(int64_t{header.line_base + adjusted % header.line_range});
        emit();
        continue;
      }
      switch (opcode) {
        case 0: {  // extended
          const uint64_t size = leb(reader, at, false);
          const auto extended = size > 0 ? reader.get<uint8_t>(at) : uint8_t{0};
          if (extended == 1) {  // end of the sequence
            kernel = nullptr;
            address = 0, file = 1, line = 1;
          } else if (extended == 2 && size == 9) {  // address
            const auto found = functions.find(at + 1);
            address = reader.get<uint64_t>(at + 1);
            kernel = found == functions.end() ? nullptr : function_named(found->second);
          }
          at += size;
          break;
        }
        case 1:
          emit();
          break;
        case 2:
          address += leb(reader, at, false);
          break;
        case 3:
          line += leb(reader, at, true);
          break;
        case 4:
          file = leb(reader, at, false);
          break;
        case 8:
          address += static_cast<uint64_t>((255 - header.opcode_base) / header.line_range);
          break;
        case 9:
          address += reader.get<uint16_t>(at);
          at += 2;
          break;
        default:
          for (unsigned i = 0; i < header.operands[opcode]; ++i) leb(reader, at, false);
      }
    }
  }

  /// A sequence may be of the section's symbol, ".text.NAME".
  KernelCode* function_named(std::string_view symbol) {
    if (symbol.starts_with(".text.")) symbol.remove_prefix(std::string_view(".text.").size());
    const auto found = std::find_if(cubin_.functions.begin(), cubin_.functions.end(),
                                    [&](const KernelCode& one) { return one.name == symbol; });
    return found == cubin_.functions.end() ? nullptr : &*found;
  }

  uint32_t index_of(SourceLine line) {
    const auto [found, is_new] = line_numbers_.emplace(line, static_cast<uint32_t>(cubin_.lines.size()));
    if (is_new) cubin_.lines.push_back(std::move(line));
    return found->second;
  }

  Cubin& cubin_;
  Reader file_;
  std::vector<Section> sections_;
  std::map<std::string_view, size_t> section_numbers_;  ///< the first of a name
  std::vector<Symbol> symbols_;
  std::map<SourceLine, uint32_t> line_numbers_;
};

size_t digits_at(std::string_view text, size_t at) {
  const size_t end = text.find_first_not_of("0123456789", at);
  return (end == std::string_view::npos ? text.size() : end) - at;
}

/// Of a length in a name; of more digits than a length has, more than any name has bytes.
size_t number_at(std::string_view text, size_t at, size_t digits) {
  constexpr size_t kMostDigits = 6;
  if (digits > kMostDigits) return std::string_view::npos / 2;
  size_t value = 0;
  for (size_t i = 0; i < digits; ++i) value = value * 10 + static_cast<size_t>(text[at + i] - '0');
  return value;
}

}  // namespace

const KernelCode* Cubin::find(std::string_view function) const {
  const auto found = std::lower_bound(functions.begin(), functions.end(), function,
                                      [](const KernelCode& one, std::string_view name) { return one.name < name; });
  return found != functions.end() && found->name == function ? &*found : nullptr;
}

std::string stable_symbol(std::string_view symbol) {
  // "__nv_static_23__a8fc347c_4_c_cu__Z1fPi_counter" is `counter`: of 23 bytes, a hash, the file's name and that of its
  // first function.
  constexpr std::string_view kStatic = "__nv_static_";
  if (symbol.starts_with(kStatic)) {
    const size_t digits = digits_at(symbol, kStatic.size());
    const size_t behind = kStatic.size() + digits + 1 + number_at(symbol, kStatic.size(), digits) + 1;
    if (digits > 0 && behind < symbol.size()) symbol.remove_prefix(behind);
  }
  // "_ZN34_GLOBAL__N__a8fc347c_4_c_cu__Z1fPi4anonEPi" is "_ZN12_GLOBAL__N_14anonEPi", as others mangle it.
  std::string stable;
  while (!symbol.empty()) {
    const size_t digits = digits_at(symbol, 0), size = number_at(symbol, 0, digits);
    const std::string_view behind = symbol.substr(digits);
    std::string_view instead;
    if (digits > 0 && size <= behind.size() && behind.starts_with("_GLOBAL__N__")) instead = "12_GLOBAL__N_1";
    if (digits > 0 && size <= behind.size() && behind.starts_with("_INTERNAL_")) instead = "10_INTERNAL_";
    const size_t taken = !instead.empty() ? digits + size : std::max<size_t>(digits, 1);
    stable += instead.empty() ? symbol.substr(0, taken) : instead;
    symbol.remove_prefix(taken);
  }
  return stable;
}

bool is_cubin(std::string_view bytes) {
  if (bytes.size() < sizeof(Elf64_Ehdr) || !bytes.starts_with("\177ELF") || bytes[EI_CLASS] != ELFCLASS64) return false;
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header.e_machine == kMachineCuda;
}

Cubin parse_cubin(FileBytes bytes, std::string name) {
  if (!is_cubin(bytes.view())) throw Error(ErrorKind::kMalformed, fmt::format("{}: no cubin", name));
  Cubin cubin;
  cubin.bytes = std::move(bytes);
  cubin.name = std::move(name);
  Parser(cubin).parse();
  return cubin;
}

const SourceLine* line_at(const Cubin& cubin, const KernelCode& kernel, uint64_t offset) {
  const auto behind = kernel.lines.upper_bound(offset);
  return behind == kernel.lines.begin() ? nullptr : &cubin.lines[std::prev(behind)->second];
}

}  // namespace icount
