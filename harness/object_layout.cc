#include "icount/harness/object_layout.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <tuple>

#include "icount/base/json.h"

namespace icount {
namespace {

constexpr uint64_t kPage = 4096;

/// Initialised by the program itself: must lie as the linker has it.
constexpr uint64_t kLeftAlone = SHF_EXECINSTR | SHF_TLS | SHF_COMPRESSED;

bool is_data(std::string_view name) {
  return name.starts_with(".rodata") || name.starts_with(".data.") || name.starts_with(".bss.") || name == ".data" ||
         name == ".bss";
}

/// g++ has the literals of each function in a section of their own (".rodata.FUNCTION.str1.1"), clang all in one.
bool is_of_one_function(std::string_view name) { return name.find(".str", 1) > std::string_view(".rodata").size(); }

/// The section headers of an object file; none of what is no relocatable 64-bit ELF file.
class Sections {
 public:
  explicit Sections(std::string& object) : object_(object) {
    if (object.size() < sizeof header_) return;
    std::memcpy(&header_, object.data(), sizeof header_);
    const bool known = std::memcmp(header_.e_ident, ELFMAG, SELFMAG) == 0 && header_.e_ident[EI_CLASS] == ELFCLASS64 &&
                       header_.e_type == ET_REL && header_.e_shentsize == sizeof(Elf64_Shdr);
    if (!known || header_.e_shoff > object.size()) return;
    // With many sections (each function has its own) both numbers stand in the first section's header.
    const uint64_t count = header_.e_shnum != 0 ? header_.e_shnum : at(0).sh_size;
    count_ = std::min(count, (object.size() - header_.e_shoff) / sizeof(Elf64_Shdr));
    names_ = at(header_.e_shstrndx != SHN_XINDEX ? header_.e_shstrndx : at(0).sh_link);
  }

  uint64_t count() const { return count_; }
  Elf64_Shdr at(uint64_t index) const {
    Elf64_Shdr section{};
    const uint64_t place = header_.e_shoff + index * sizeof section;
    if (place + sizeof section <= object_.size()) std::memcpy(&section, object_.data() + place, sizeof section);
    return section;
  }
  void set(uint64_t index, const Elf64_Shdr& section) {
    std::memcpy(object_.data() + header_.e_shoff + index * sizeof section, &section, sizeof section);
  }
  std::string_view name(const Elf64_Shdr& section) const {
    const uint64_t place = names_.sh_offset + section.sh_name;
    return place < object_.size() ? std::string_view(object_.c_str() + place) : std::string_view();
  }

 private:
  std::string& object_;
  Elf64_Ehdr header_{};
  Elf64_Shdr names_{};
  uint64_t count_ = 0;
};

void align(Elf64_Shdr& section, std::string_view name) {
  const bool merged = (section.sh_flags & SHF_MERGE) != 0, strings = (section.sh_flags & SHF_STRINGS) != 0;
  if (merged && !strings) return;  // numbers of 4 to 32 bytes, which lie at a multiple of their size
  if (merged && is_of_one_function(name)) {
    section.sh_flags &=
        ~static_cast<uint64_t>(SHF_MERGE | SHF_STRINGS);  // a linker would mix them with those of others
    section.sh_entsize = 0;
  }
  if (section.sh_addralign < kPage) section.sh_addralign = kPage;
}

}  // namespace

std::string align_data_to_pages(std::string object) {
  Sections sections(object);
  for (uint64_t i = 1; i < sections.count(); ++i) {
    Elf64_Shdr section = sections.at(i);
    if ((section.sh_flags & SHF_ALLOC) == 0 || (section.sh_flags & kLeftAlone) != 0 || section.sh_size == 0) continue;
    const std::string_view name = sections.name(section);
    if (!is_data(name)) continue;
    align(section, name);
    sections.set(i, section);
  }
  return object;
}

std::string hide_weak_definitions(std::string object) {
  Sections sections(object);
  for (uint64_t i = 1; i < sections.count(); ++i) {
    const Elf64_Shdr table = sections.at(i);
    if (table.sh_type != SHT_SYMTAB || table.sh_entsize != sizeof(Elf64_Sym)) continue;
    for (uint64_t at = table.sh_offset, end = at + table.sh_size;
         at + sizeof(Elf64_Sym) <= end && at + sizeof(Elf64_Sym) <= object.size(); at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, object.data() + at, sizeof symbol);
      const bool weak =
          ELF64_ST_BIND(symbol.st_info) == STB_WEAK && ELF64_ST_VISIBILITY(symbol.st_other) == STV_DEFAULT;
      if (!weak || symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE) continue;
      const Elf64_Shdr home = sections.at(symbol.st_shndx);
      const bool constant = (home.sh_flags & SHF_WRITE) == 0 || sections.name(home).starts_with(".data.rel.ro");
      if (!constant || (home.sh_flags & SHF_TLS) != 0) continue;
      symbol.st_other = static_cast<unsigned char>((symbol.st_other & ~3) | STV_HIDDEN);
      std::memcpy(object.data() + at, &symbol, sizeof symbol);
    }
  }
  return object;
}

namespace {

/// One instantiation of a function: "a::B<c::D>::f", from when to when in microseconds.
struct Instantiation {
  int64_t begin = 0;
  int64_t end = 0;
  std::string function;
};

std::vector<Instantiation> read_instantiations(std::string_view time_trace) {
  constexpr std::string_view kName = "the compiler's time trace";
  const Json trace = parse_json(time_trace, kName);
  std::vector<Instantiation> found;
  for (const Json& event : json_field(trace, "traceEvents", kName)) {
    if (event.value("name", std::string()) != "InstantiateFunction") continue;
    const int64_t begin = event.value("ts", int64_t{0});
    found.push_back({.begin = begin,
                     .end = begin + event.value("dur", int64_t{0}),
                     .function = json_field(event, "args", kName).value("detail", std::string())});
  }
  std::ranges::sort(found, [](const Instantiation& a, const Instantiation& b) {
    return std::tuple(a.begin, -a.end, std::string_view(a.function)) <
           std::tuple(b.begin, -b.end, std::string_view(b.function));
  });
  return found;
}

/// "a::B<c::D>" of "a::B<c::D>::f": what stands before the last "::" outside template arguments; empty without one.
std::string_view class_of(std::string_view function) {
  int depth = 0;
  size_t cut = 0;
  for (size_t i = 0; i < function.size(); ++i) {
    if (function[i] == '<') ++depth;
    if (function[i] == '>') --depth;
    if (depth == 0 && function.substr(i, 2) == "::") cut = i;
  }
  return function.substr(0, cut);
}

bool can_be_named(std::string_view name) {
  return name.ends_with('>') && name.find('(') == std::string_view::npos;  // "(anonymous namespace)", "(lambda at ...)"
}

}  // namespace

std::vector<std::string> find_late_classes(std::string_view time_trace) {
  std::set<std::string> classes;
  int64_t end = 0;
  for (const Instantiation& instantiation : read_instantiations(time_trace)) {
    if (instantiation.begin < end) continue;  // for the sake of the one before
    end = instantiation.end;
    const std::string_view name = class_of(instantiation.function);
    if (can_be_named(name)) classes.emplace(name);
  }
  return {classes.begin(), classes.end()};
}

std::string make_virtual_members_header(std::span<const std::string> classes) {
  // The virtual members of a local class, inherited ones among them, are instantiated as soon as its virtual table is
  // used, which its implicit destructor does; those of other classes at the end of the unit.
  std::string out =
      "#include <type_traits>\n"
      "namespace icount::prelude {\n"
      "template <typename Base>\n"
      "void use_virtual_members() {\n"
      "  if constexpr (!std::is_final_v<Base> && std::is_destructible_v<Base>) {\n"
      "    struct Derived : Base {};\n"
      "    Derived* derived = nullptr;\n"
      "    derived->~Derived();\n"
      "  }\n"
      "}\n"
      "inline void use_all_virtual_members() {\n";
  for (const std::string& name : classes) out += fmt::format("  use_virtual_members<{}>();\n", name);
  return out + "}\n}  // namespace icount::prelude\n";
}

}  // namespace icount
