#include "icount/objects/relocatable.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>

#include <cstring>
#include <memory>
#include <set>
#include <string_view>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"

namespace icount {
namespace {

constexpr int kDeepest = 100;

struct EndElf {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using OpenElf = std::unique_ptr<Elf, EndElf>;

[[noreturn]] void fail_damaged() { throw Error(ErrorKind::kMalformed, "a part of it can't be read; is it cut off?"); }

std::string_view bytes_of(Elf_Scn* section, uint64_t size) {
  const Elf_Data* const data = elf_rawdata(section, nullptr);
  if (size == 0) return {};
  if (!data || !data->d_buf || data->d_size != size) fail_damaged();
  return {static_cast<const char*>(data->d_buf), data->d_size};
}

/// Text of what is loaded of one object file.
class LoadedText {
 public:
  explicit LoadedText(Elf* elf) : elf_(elf) { elf_getshdrstrndx(elf, &names_); }

  bool is_for_link_time() const { return is_for_link_time_; }

  /// Error{kMalformed} for a file that is cut off: two such would be the same.
  std::string read() {
    GElf_Ehdr whole;
    size_t size = 0;
    if (!elf_rawfile(elf_, &size) || !gelf_getehdr(elf_, &whole) || whole.e_shoff > size ||
        size - whole.e_shoff < uint64_t{whole.e_shnum} * whole.e_shentsize)
      fail_damaged();
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
      GElf_Shdr head;
      if (!gelf_getshdr(section, &head)) continue;
      const std::string name = name_of(head);
      is_for_link_time_ = is_for_link_time_ || name.starts_with(".gnu.lto_") || name.starts_with(".llvm.lto");
      if (is_loaded(head))
        text_ += fmt::format("section {} {} {} {} {}\n{}\n", name, head.sh_type, head.sh_flags, head.sh_addralign,
                             head.sh_size, head.sh_type == SHT_NOBITS ? "" : bytes_of(section, head.sh_size));
      else if (head.sh_type == SHT_RELA || head.sh_type == SHT_REL)
        read_relocations(section, head);
      else if (head.sh_type == SHT_SYMTAB)
        read_symbols(section, head);
    }
    return std::move(text_);
  }

 private:
  static bool is_loaded(const GElf_Shdr& head) { return (head.sh_flags & SHF_ALLOC) != 0 && head.sh_type != SHT_NOTE; }

  std::string name_of(const GElf_Shdr& head) const {
    const char* const name = elf_strptr(elf_, names_, head.sh_name);
    return name ? name : "";
  }

  /// Of a section by its number; of an undefined, common or absolute symbol the number.
  std::string section_name(size_t number) const {
    GElf_Shdr head;
    Elf_Scn* const section = number < SHN_LORESERVE ? elf_getscn(elf_, number) : nullptr;
    return section && gelf_getshdr(section, &head) ? name_of(head) : fmt::format("{}", number);
  }

  std::string describe(const GElf_Sym& symbol, const GElf_Shdr& table) const {
    const char* const name = elf_strptr(elf_, table.sh_link, symbol.st_name);
    return fmt::format("{} {} {} {} {} {}", name ? name : "", symbol.st_info, symbol.st_other,
                       section_name(symbol.st_shndx), symbol.st_value, symbol.st_size);
  }

  void read_relocations(Elf_Scn* section, const GElf_Shdr& head) {
    GElf_Shdr target, table;
    Elf_Scn *const of = elf_getscn(elf_, head.sh_info), *const names = elf_getscn(elf_, head.sh_link);
    Elf_Data *const data = elf_getdata(section, nullptr), *const symbols =
                                                              names ? elf_getdata(names, nullptr) : nullptr;
    if (!of || !gelf_getshdr(of, &target)) fail_damaged();
    if (!is_loaded(target)) return;
    if (!data || !symbols || !gelf_getshdr(names, &table)) fail_damaged();
    text_ += fmt::format("relocations {}\n", name_of(target));
    for (size_t i = 0; i < head.sh_size / std::max<size_t>(head.sh_entsize, 1); ++i) {
      GElf_Rela one{};
      GElf_Rel plain{};
      GElf_Sym symbol{};
      if (head.sh_type == SHT_RELA ? !gelf_getrela(data, static_cast<int>(i), &one)
                                   : !gelf_getrel(data, static_cast<int>(i), &plain))
        fail_damaged();
      if (head.sh_type == SHT_REL) one = {plain.r_offset, plain.r_info, 0};
      gelf_getsym(symbols, static_cast<int>(GELF_R_SYM(one.r_info)), &symbol);
      text_ +=
          fmt::format("{} {} {} {}\n", one.r_offset, GELF_R_TYPE(one.r_info), one.r_addend, describe(symbol, table));
    }
  }

  /// Those that other objects see.
  void read_symbols(Elf_Scn* section, const GElf_Shdr& head) {
    Elf_Data* const data = elf_getdata(section, nullptr);
    if (!data) fail_damaged();
    for (size_t i = head.sh_info; i < head.sh_size / std::max<size_t>(head.sh_entsize, 1); ++i)
      if (GElf_Sym symbol; gelf_getsym(data, static_cast<int>(i), &symbol))
        text_ += describe(symbol, head) + "\n";
      else
        fail_damaged();
  }

  Elf* elf_;
  size_t names_ = 0;
  std::string text_;
  bool is_for_link_time_ = false;
};

class LayoutReader {
 public:
  void read(Dwarf* dwarf) {
    Dwarf_CU* unit = nullptr;
    Dwarf_Die top;
    while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &top, nullptr) == 0) walk(&top, "", 0);
  }

  std::map<std::string, std::string> layouts() const {
    std::map<std::string, std::string> joined;
    for (const auto& [name, texts] : layouts_)
      for (const std::string& text : texts) joined[name] += text + "; ";
    return joined;
  }

 private:
  static uint64_t number(Dwarf_Die* entry, unsigned attribute) {
    Dwarf_Attribute found;
    Dwarf_Word value = 0;
    if (dwarf_attr(entry, attribute, &found)) dwarf_formudata(&found, &value);
    return value;
  }

  static bool is_type(int tag) {
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
           tag == DW_TAG_enumeration_type;
  }

  void walk(Dwarf_Die* entry, const std::string& scope, int depth) {
    Dwarf_Die child;
    if (depth > kDeepest || dwarf_child(entry, &child) != 0) return;
    do {
      const int tag = dwarf_tag(&child);
      const char* const name = dwarf_diename(&child);
      const std::string full = name ? scope + name : scope;
      if (is_type(tag) && name && number(&child, DW_AT_declaration) == 0) layouts_[full].insert(layout_of(&child));
      if (Dwarf_Die of;
          tag == DW_TAG_typedef && name && has_type(&child, &of) && is_type(dwarf_tag(&of)) && !dwarf_diename(&of))
        layouts_[full].insert(layout_of(&of));
      if (tag == DW_TAG_namespace || is_type(tag) || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block)
        walk(&child, name ? full + "::" : scope, depth + 1);
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  static std::string layout_of(Dwarf_Die* type) {
    std::string text = fmt::format("{} bytes", number(type, DW_AT_byte_size));
    Dwarf_Die child;
    if (dwarf_child(type, &child) != 0) return text;
    do {
      const char* const name = dwarf_diename(&child);
      const std::string called = name ? name : "";
      switch (dwarf_tag(&child)) {
        case DW_TAG_member:
        case DW_TAG_inheritance:
          text += fmt::format(", {} {} {}", called, number(&child, DW_AT_data_member_location),
                              number(&child, DW_AT_data_bit_offset));
          if (Dwarf_Die of; has_type(&child, &of))
            if (Dwarf_Word size = 0; dwarf_aggregate_size(&of, &size) == 0) text += fmt::format(" {}", size);
          break;
        case DW_TAG_enumerator:
          text += fmt::format(", {} = {}", called, number(&child, DW_AT_const_value));
          break;
        case DW_TAG_subprogram:
          if (number(&child, DW_AT_virtuality) != 0) text += fmt::format(", virtual {}", called);
          break;
        default:
          break;
      }
    } while (dwarf_siblingof(&child, &child) == 0);
    return text;
  }

  static bool has_type(Dwarf_Die* entry, Dwarf_Die* type) {
    Dwarf_Attribute found;
    return dwarf_attr(entry, DW_AT_type, &found) && dwarf_formref_die(&found, type);
  }

  std::map<std::string, std::set<std::string>> layouts_;
};

/// With the debug information as a linker would leave it, were everything at address 0: names lie in other sections.
std::string relocated(std::string_view object) {
  std::string bytes(object);
  const OpenElf elf(elf_memory(bytes.data(), bytes.size()));
  size_t names = 0;
  elf_getshdrstrndx(elf.get(), &names);
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr head, target;
    if (!gelf_getshdr(section, &head) || head.sh_type != SHT_RELA) continue;
    Elf_Scn *const of = elf_getscn(elf.get(), head.sh_info), *const table = elf_getscn(elf.get(), head.sh_link);
    if (!of || !table || !gelf_getshdr(of, &target)) continue;
    const char* const name = elf_strptr(elf.get(), names, target.sh_name);
    if (!name || !std::string_view(name).starts_with(".debug") || (target.sh_flags & SHF_COMPRESSED) != 0) continue;
    Elf_Data *const data = elf_getdata(section, nullptr), *const symbols = elf_getdata(table, nullptr);
    GElf_Rela one;
    for (int i = 0; data && symbols && gelf_getrela(data, i, &one); ++i) {
      GElf_Sym symbol;
      const auto type = GELF_R_TYPE(one.r_info);
      const size_t width = type == R_X86_64_64 || type == R_AARCH64_ABS64   ? 8
                           : type == R_X86_64_32 || type == R_AARCH64_ABS32 ? 4
                                                                            : 0;
      if (width == 0 || !gelf_getsym(symbols, static_cast<int>(GELF_R_SYM(one.r_info)), &symbol)) continue;
      if (one.r_offset > target.sh_size || target.sh_size - one.r_offset < width) continue;
      if (target.sh_offset > bytes.size() || bytes.size() - target.sh_offset < target.sh_size) continue;
      const uint64_t value = symbol.st_value + static_cast<uint64_t>(one.r_addend);
      std::memcpy(bytes.data() + target.sh_offset + one.r_offset, &value, width);
    }
  }
  return bytes;
}

}  // namespace

RelocatableFile load_relocatable(const std::filesystem::path& path) {
  elf_version(EV_CURRENT);
  const Descriptor file = open_descriptor(path, O_RDONLY);
  const OpenElf whole(elf_begin(file.get(), ELF_C_READ, nullptr));
  RelocatableFile read;
  std::string text;
  size_t objects = 0;
  LayoutReader layouts;
  Elf_Cmd command = ELF_C_READ;
  const auto take = [&](Elf* elf) {
    GElf_Ehdr head;
    constexpr std::string_view kBitcode = "BC\xC0\xDE";
    size_t size = 0;
    const char* const raw = elf_rawfile(elf, &size);
    if (raw && std::string_view(raw, size).starts_with(kBitcode)) read.is_for_link_time = true;
    if (!raw || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &head) || head.e_type != ET_REL) return;
    ++objects;
    LoadedText loaded(elf);
    text += in_context(path.string(), [&] { return loaded.read(); });
    std::string bytes = relocated({raw, size});
    const OpenElf copy(elf_memory(bytes.data(), bytes.size()));
    if (Dwarf* const dwarf = dwarf_begin_elf(copy.get(), DWARF_C_READ, nullptr)) {
      layouts.read(dwarf);
      dwarf_end(dwarf);
    }
    read.is_for_link_time = read.is_for_link_time || loaded.is_for_link_time();
  };
  if (whole && elf_kind(whole.get()) == ELF_K_AR) {
    while (command != ELF_C_NULL) {
      const OpenElf member(elf_begin(file.get(), command, whole.get()));
      if (!member) break;
      take(member.get());
      command = elf_next(member.get());
    }
  } else if (whole) {
    take(whole.get());
  }
  if (objects == 0 && !read.is_for_link_time)
    throw Error(ErrorKind::kMalformed, fmt::format("{}: is no object file, nor an archive of any", path.string()));
  read.content = content_hash(text);
  read.layouts = layouts.layouts();
  return read;
}

}  // namespace icount
