// The file of a program that comes later, mapped into a child of a server that runs, and what its dynamic section says.
// Where stub_image.h begins. x86-64 only; no heap, no stdio.
#pragma once

#if defined(__x86_64__)
#define ICOUNT_STUB_LOADS 1
#endif

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef ICOUNT_STUB_LOADS

namespace icount_stub {

/// Where the program goes: far from what the server maps, whose addresses stay what they would be.
constexpr uintptr_t kImage = uintptr_t{0x6} << 32;
constexpr uintptr_t kImagePage = 4096;

/// What is at this address of the file, as the linker numbered it.
template <typename T>
T* in_image(uintptr_t offset) {
  return reinterpret_cast<T*>(kImage + offset);
}

/// The tables of the program; addresses are the linker's where they are numbers.
struct ImageTables {
  const ElfW(Dyn) * dynamic = nullptr;
  const ElfW(Sym) * symbols = nullptr;
  uint32_t symbol_count = 0;
  const char* strings = nullptr;
  const uint16_t* versions = nullptr;
  const char* needed_versions = nullptr;
  const uint32_t* gnu_hash = nullptr;
  uintptr_t relocations = 0;
  size_t relocations_size = 0;
  uintptr_t jumps = 0;
  size_t jumps_size = 0;
  uintptr_t init = 0;
  uintptr_t init_array = 0;
  size_t init_array_size = 0;
};

class ImageFile {
 public:
  /// Maps the file and reads its tables. nullptr, or why it can't be loaded into a process that runs.
  const char* load(const char* path) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return "its file can't be opened";
    const char* failure = read_headers(fd);
    if (!failure) failure = map(fd);
    close(fd);
    return failure ? failure : read_dynamic();
  }

  const ImageTables& tables() const { return tables_; }

  /// The content of icount's note of this type; nullptr when there is none.
  const char* find_note(uint32_t type) const {
    for (int i = 0; i < header_.e_phnum; ++i) {
      if (segments_[i].p_type != PT_NOTE) continue;
      const char* at = in_image<char>(segments_[i].p_vaddr);
      for (size_t done = 0; done + sizeof(ElfW(Nhdr)) <= segments_[i].p_filesz;) {
        ElfW(Nhdr) note;
        memcpy(&note, at + done, sizeof note);
        const size_t name = done + sizeof note, content = name + padded(note.n_namesz);
        if (note.n_type == type && note.n_namesz == 7 && memcmp(at + name, "icount", 7) == 0) return at + content;
        done = content + padded(note.n_descsz);
      }
    }
    return nullptr;
  }

 private:
  static constexpr int kSegments = 32;
  static size_t padded(size_t n) { return (n + 3) & ~size_t{3}; }
  static uintptr_t page_of(uintptr_t address) { return address & ~(kImagePage - 1); }
  static uintptr_t page_after(uintptr_t address) { return page_of(address + kImagePage - 1); }

  const char* read_headers(int fd) {
    static const char kNoProgram[] = "its file is not a program";
    if (pread(fd, &header_, sizeof header_, 0) != sizeof header_ || memcmp(header_.e_ident, ELFMAG, SELFMAG) != 0)
      return kNoProgram;
    if (header_.e_type != ET_DYN) return "its program can't be moved (built with -no-pie)";
    if (header_.e_phnum > kSegments || header_.e_phentsize != sizeof segments_[0]) return kNoProgram;
    const auto size = static_cast<ssize_t>(header_.e_phnum * sizeof segments_[0]);
    if (pread(fd, segments_, static_cast<size_t>(size), static_cast<off_t>(header_.e_phoff)) != size) return kNoProgram;
    for (int i = 0; i < header_.e_phnum; ++i)
      if (segments_[i].p_type == PT_TLS) return "its program has thread-local variables";
    return nullptr;
  }

  const char* map(int fd) const {
    for (int i = 0; i < header_.e_phnum; ++i) {
      const ElfW(Phdr)& segment = segments_[i];
      if (segment.p_type == PT_LOAD && !map_segment(fd, segment)) return "its file can't be mapped";
    }
    return nullptr;
  }

  /// As the loader does it: the file's part from the file, the rest zeroes.
  static bool map_segment(int fd, const ElfW(Phdr) & segment) {
    const int protection = (segment.p_flags & PF_R ? PROT_READ : 0) | (segment.p_flags & PF_W ? PROT_WRITE : 0) |
                           (segment.p_flags & PF_X ? PROT_EXEC : 0);
    const uintptr_t begin = kImage + page_of(segment.p_vaddr);
    const uintptr_t file_end = kImage + segment.p_vaddr + segment.p_filesz;
    const uintptr_t end = page_after(kImage + segment.p_vaddr + segment.p_memsz);
    const uintptr_t mapped_end = page_after(file_end);
    if (segment.p_filesz > 0 &&
        mmap(reinterpret_cast<void*>(begin), mapped_end - begin, protection, MAP_PRIVATE | MAP_FIXED, fd,
             static_cast<off_t>(page_of(segment.p_offset))) == MAP_FAILED)
      return false;
    if (segment.p_memsz > segment.p_filesz && (segment.p_flags & PF_W))
      memset(reinterpret_cast<void*>(file_end), 0, (end < mapped_end ? end : mapped_end) - file_end);
    const uintptr_t rest = segment.p_filesz > 0 ? mapped_end : begin;
    return rest >= end || mmap(reinterpret_cast<void*>(rest), end - rest, protection,
                               MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
  }

  const char* read_dynamic() {
    for (int i = 0; i < header_.e_phnum; ++i)
      if (segments_[i].p_type == PT_DYNAMIC) tables_.dynamic = in_image<const ElfW(Dyn)>(segments_[i].p_vaddr);
    if (!tables_.dynamic) return "its program is linked statically";
    for (const ElfW(Dyn)* entry = tables_.dynamic; entry->d_tag != DT_NULL; ++entry)
      if (const char* failure = take_dynamic(*entry)) return failure;
    if (!tables_.symbols || !tables_.strings) return "its program has no symbols";
    if (tables_.symbol_count == 0 && tables_.gnu_hash) tables_.symbol_count = count_hashed();
    return nullptr;
  }

  const char* take_dynamic(const ElfW(Dyn) & entry) {
    const uintptr_t value = entry.d_un.d_val;
    switch (entry.d_tag) {
      case DT_SYMTAB:
        tables_.symbols = in_image<const ElfW(Sym)>(value);
        break;
      case DT_STRTAB:
        tables_.strings = in_image<const char>(value);
        break;
      case DT_VERSYM:
        tables_.versions = in_image<const uint16_t>(value);
        break;
      case DT_VERNEED:
        tables_.needed_versions = in_image<const char>(value);
        break;
      case DT_RELA:
        tables_.relocations = value;
        break;
      case DT_RELASZ:
        tables_.relocations_size = value;
        break;
      case DT_JMPREL:
        tables_.jumps = value;
        break;
      case DT_PLTRELSZ:
        tables_.jumps_size = value;
        break;
      case DT_HASH:
        tables_.symbol_count = in_image<const uint32_t>(value)[1];
        break;
      case DT_GNU_HASH:
        tables_.gnu_hash = in_image<const uint32_t>(value);
        break;
      case DT_INIT:
        tables_.init = value;
        break;
      case DT_INIT_ARRAY:
        tables_.init_array = value;
        break;
      case DT_INIT_ARRAYSZ:
        tables_.init_array_size = value;
        break;
      case DT_PREINIT_ARRAY:
        return "its global set-up has to run before that of the libraries";
      case DT_REL:
      case DT_TEXTREL:
      case 36:  // DT_RELR
        return "its program is linked in a way that only the dynamic loader can handle";
      default:
        break;
    }
    return nullptr;
  }

  /// The number of symbols that a GNU hash table implies: those before the first hashed one are references.
  uint32_t count_hashed() const {
    const uint32_t* table = tables_.gnu_hash;
    const uint32_t buckets = table[0], first = table[1];
    const uint32_t* heads = table + 4 + 2 * table[2];
    uint32_t last = 0;
    for (uint32_t i = 0; i < buckets; ++i) last = heads[i] > last ? heads[i] : last;
    if (last < first) return first;
    const uint32_t* chain = heads + buckets;
    while (!(chain[last - first] & 1)) ++last;
    return last + 1;
  }

  ElfW(Ehdr) header_;
  ElfW(Phdr) segments_[kSegments];
  ImageTables tables_;
};

}  // namespace icount_stub

#endif  // ICOUNT_STUB_LOADS
