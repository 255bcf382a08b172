#include "icount/harness/elf_segments.h"

#include <cstdint>
#include <cstring>

namespace icount {
namespace {

/// Reads a T at `offset`; false when the file ends before.
template <typename T>
bool read_at(std::string_view bytes, uint64_t offset, T& value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof value) return false;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return true;
}

}  // namespace

std::optional<std::vector<Elf64_Phdr>> parse_elf_segments(std::string_view bytes) {
  Elf64_Ehdr header;
  if (!read_at(bytes, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64)
    return std::nullopt;
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  for (size_t i = 0; i < segments.size(); ++i)
    if (!read_at(bytes, header.e_phoff + i * header.e_phentsize, segments[i])) return std::nullopt;
  return segments;
}

std::optional<std::string_view> segment_content(std::string_view bytes, const Elf64_Phdr& segment) {
  if (segment.p_offset > bytes.size() || bytes.size() - segment.p_offset < segment.p_filesz) return std::nullopt;
  return bytes.substr(segment.p_offset, segment.p_filesz);
}

}  // namespace icount
