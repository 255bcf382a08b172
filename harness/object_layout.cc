#include "icount/harness/object_layout.h"

#include <elf.h>

#include <cstring>

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
  Elf64_Ehdr header;
  if (object.size() < sizeof header) return object;
  std::memcpy(&header, object.data(), sizeof header);
  const bool known = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
                     header.e_type == ET_REL && header.e_shentsize == sizeof(Elf64_Shdr);
  if (!known || header.e_shoff > object.size()) return object;
  const auto section_at = [&](uint64_t index) {
    Elf64_Shdr section{};
    const uint64_t at = header.e_shoff + index * sizeof section;
    if (at + sizeof section <= object.size()) std::memcpy(&section, object.data() + at, sizeof section);
    return section;
  };
  // With many sections (each function has its own) both numbers stand in the first section's header.
  const uint64_t count = header.e_shnum != 0 ? header.e_shnum : section_at(0).sh_size;
  const Elf64_Shdr names = section_at(header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : section_at(0).sh_link);
  for (uint64_t i = 1; i < count && header.e_shoff + (i + 1) * sizeof(Elf64_Shdr) <= object.size(); ++i) {
    Elf64_Shdr section = section_at(i);
    const uint64_t name_at = names.sh_offset + section.sh_name;
    if ((section.sh_flags & SHF_ALLOC) == 0 || (section.sh_flags & kLeftAlone) != 0 || section.sh_size == 0 ||
        name_at >= object.size())
      continue;
    const std::string_view name(object.c_str() + name_at);
    if (!is_data(name)) continue;
    align(section, name);
    std::memcpy(object.data() + header.e_shoff + i * sizeof section, &section, sizeof section);
  }
  return object;
}

}  // namespace icount
