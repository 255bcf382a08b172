#include "icount/harness/elf_symbols.h"

#include <cxxabi.h>
#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "icount/base/error.h"

// libiberty's; its own header declares functions of the C library as well, otherwise than this has them.
extern "C" int rust_demangle_callback(const char* symbol, int options, void (*append)(const char*, size_t, void*),
                                      void* to);

namespace icount {
namespace {

/// A view of an ELF file that never reads outside of it.
class ElfView {
 public:
  ElfView(std::string_view bytes, const std::filesystem::path& path) : bytes_(bytes), path_(path) {
    const bool is_elf = bytes.size() >= sizeof(Elf64_Ehdr) && bytes.starts_with(ELFMAG) &&
                        bytes[EI_CLASS] == ELFCLASS64 && bytes[EI_DATA] == ELFDATA2LSB;
    if (!is_elf) throw Error(ErrorKind::kMalformed, path.string() + ": not a 64-bit ELF executable");
    header_ = read<Elf64_Ehdr>(0);
    if (header_.e_shentsize != sizeof(Elf64_Shdr) && header_.e_shnum > 0) fail("its section headers are damaged");
  }

  template <typename T>
  T read(uint64_t at) const {
    T value;
    if (at > bytes_.size() || bytes_.size() - at < sizeof(T)) fail("it is cut off");
    std::memcpy(&value, bytes_.data() + at, sizeof(T));
    return value;
  }

  size_t section_count() const { return header_.e_shnum; }
  Elf64_Shdr section(size_t index) const {
    if (index >= header_.e_shnum) fail("it names a section that it does not have");
    return read<Elf64_Shdr>(header_.e_shoff + index * sizeof(Elf64_Shdr));
  }
  bool has_loader() const {
    for (size_t i = 0; i < header_.e_phnum; ++i)
      if (read<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr)).p_type == PT_INTERP) return true;
    return header_.e_phnum == 0;
  }
  std::string_view text(const Elf64_Shdr& strings, uint32_t at) const {
    if (strings.sh_offset > bytes_.size() || bytes_.size() - strings.sh_offset < strings.sh_size ||
        at >= strings.sh_size)
      fail("a symbol has no name");
    const std::string_view rest = bytes_.substr(strings.sh_offset + at, strings.sh_size - at);
    return rest.substr(0, rest.find('\0'));
  }
  [[noreturn]] void fail(std::string_view what) const {
    throw Error(ErrorKind::kMalformed, path_.string() + ": damaged ELF file: " + std::string(what));
  }

 private:
  std::string_view bytes_;
  const std::filesystem::path& path_;
  Elf64_Ehdr header_{};
};

void add_symbols(const ElfView& elf, const Elf64_Shdr& table, std::vector<ElfSymbol>& symbols) {
  const Elf64_Shdr strings = elf.section(table.sh_link);
  for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
    const auto symbol = elf.read<Elf64_Sym>(table.sh_offset + at);
    if (symbol.st_name == 0) continue;
    const auto type = ELF64_ST_TYPE(symbol.st_info);
    const bool is_defined = symbol.st_shndx != SHN_UNDEF;
    symbols.push_back({elf.text(strings, symbol.st_name), is_defined ? symbol.st_value : 0, symbol.st_size,
                       type == STT_FUNC, type == STT_GNU_IFUNC, is_defined});
  }
}

// No program has longer names. One that refers to itself twice doubles.
constexpr size_t kLongestName = 100'000;
struct TooLong {};

/// Called by libiberty, through which the exception goes: its code holds nothing then.
void append_name(const char* text, size_t size, void* name) {
  auto& whole = *static_cast<std::string*>(name);
  if (size > kLongestName - whole.size()) throw TooLong();
  whole.append(text, size);
}

/// Without hashes, as Valgrind has it, in either mangling; nullopt for other symbols.
std::optional<std::string> demangle_rust(const std::string& symbol) {
  std::string name;
  try {
    if (rust_demangle_callback(symbol.c_str(), 0, append_name, &name) != 0) return name;
  } catch (const TooLong&) {
  }
  return std::nullopt;
}

}  // namespace

ElfSymbols load_elf_symbols(const std::filesystem::path& path) {
  ElfSymbols result;
  result.bytes = map_file(path);
  const ElfView elf(result.bytes.view(), path);
  result.is_static = !elf.has_loader();
  for (const uint32_t kind : {uint32_t{SHT_DYNSYM}, uint32_t{SHT_SYMTAB}})
    for (size_t i = 0; i < elf.section_count(); ++i) {
      const Elf64_Shdr section = elf.section(i);
      if (section.sh_type != kind) continue;
      if (kind == SHT_SYMTAB) result.is_stripped = false;
      add_symbols(elf, section, result.symbols);
    }
  return result;
}

std::string demangle(std::string_view symbol) {
  const std::string name(symbol);
  if (auto rust = demangle_rust(name)) return *std::move(rust);
  if (!symbol.starts_with("_Z")) return name;  // "a" would be read as a type: signed char
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                     std::free);
  return status == 0 && plain ? std::string(plain.get()) : name;
}

}  // namespace icount
