#include "icount/objects/code_bytes.h"

#include <algorithm>
#include <cstring>

#include "icount/base/error.h"

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

}  // namespace icount
