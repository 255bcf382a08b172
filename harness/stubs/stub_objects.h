// The shared objects that are loaded in this process, each with its GNU build id as it lies in memory: what was loaded,
// and not what a file of that name holds by now.
#pragma once

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

namespace icount_stub {

/// The build id among the notes at `begin`, in hex; empty when there is none.
inline void find_build_id(const char* begin, size_t size, size_t alignment, char (&hex)[129]) {
  static const char kDigits[] = "0123456789abcdef";
  const auto padded = [alignment](size_t n) { return (n + alignment - 1) & ~(alignment - 1); };
  for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
    ElfW(Nhdr) note;
    memcpy(&note, begin + at, sizeof note);
    const size_t name = at + sizeof note;
    const size_t content = name + padded(note.n_namesz);
    if (content > size || note.n_descsz > size - content) return;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(begin + name, "GNU", 4) == 0) {
      const size_t bytes = note.n_descsz < 64 ? note.n_descsz : 64;
      for (size_t i = 0; i < bytes; ++i) {
        const unsigned char byte = static_cast<unsigned char>(begin[content + i]);
        hex[2 * i] = kDigits[byte >> 4];
        hex[2 * i + 1] = kDigits[byte & 15];
      }
      hex[2 * bytes] = 0;
      return;
    }
    at = content + padded(note.n_descsz);
  }
}

/// Calls say(path, build id) for every loaded object that has a path; the build id is "-" where there is none.
template <typename Say>
inline void for_each_object(Say&& say) {
  const auto visit = [](dl_phdr_info* info, size_t, void* data) {
    if (!info->dlpi_name || !strchr(info->dlpi_name, '/')) return 0;  // the program itself, the kernel's own
    char id[129] = "";
    for (int i = 0; i < info->dlpi_phnum && !*id; ++i) {
      const ElfW(Phdr)& segment = info->dlpi_phdr[i];
      if (segment.p_type == PT_NOTE)
        find_build_id(reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr), segment.p_memsz,
                      segment.p_align == 8 ? 8 : 4, id);
    }
    (*static_cast<Say*>(data))(info->dlpi_name, *id ? id : "-");
    return 0;
  };
  dl_iterate_phdr(visit, &say);
}

}  // namespace icount_stub
