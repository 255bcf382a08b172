// Loads another program's file into a child of this server and enters it there: how a server that is running already
// counts statements that were compiled later (docs/server.md). The file is the program that a server of its own would
// be started from; its code runs from the same places within pages, bound to the same libraries. The child maps it
// itself, because the loader's dlopen would leave traces on the heap, and with them another count. What a program that
// comes later can't have is refused with the reason. x86-64 only; no heap, no stdio.
#pragma once

#if defined(__x86_64__)
#define ICOUNT_STUB_LOADS 1
#endif

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <initializer_list>

#include "stub_job.h"
#include "stub_progress.h"
#include "stub_symbols.h"

#ifdef ICOUNT_STUB_LOADS

namespace icount_stub {

/// Where the program goes: far from what the server maps, whose addresses stay what they would be.
constexpr uintptr_t kImage = uintptr_t{0x6} << 32;
constexpr uintptr_t kImagePage = 4096;
constexpr uint32_t kEntryNote = 7;

/// How a program is entered; `job` and the descriptor of the reports are the server's.
using ImageEntry = void (*)(const Job*, int report);

#define ICOUNT_STUB_TEXT(x) ICOUNT_STUB_TEXT_OF(x)
#define ICOUNT_STUB_TEXT_OF(x) #x
/// A note that says where the entry lies, as a distance from itself: it has no name that a loader would see.
#define ICOUNT_STUB_ENTRY_NOTE(function)                                                                    \
  asm(".pushsection .note.icount,\"a\",@note\n .balign 4\n .long 7, 8, 7\n .asciz \"icount\"\n .balign 4\n" \
      "0: .quad " ICOUNT_STUB_TEXT(function) " - 0b\n .popsection")

class Image {
 public:
  /// Maps the file, binds it and runs its initialisers. nullptr, or why it can't be loaded into a process that runs.
  const char* load(const char* path) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return "its file can't be opened";
    const char* failure = read_headers(fd);
    if (!failure) failure = map(fd);
    close(fd);
    if (!failure) failure = read_dynamic();
    if (!failure) failure = check_needed();
    if (!failure) failure = check_definitions();
    if (!failure) failure = relocate(relocations_, relocations_size_);
    if (!failure) failure = relocate(jumps_, jumps_size_);
    if (!failure) failure = initialise();
    return failure;
  }

  /// nullptr when the program has none: another version of icount made it.
  ImageEntry find_entry() const {
    for (int i = 0; i < header_.e_phnum; ++i) {
      if (segments_[i].p_type != PT_NOTE) continue;
      const char* at = at_address<char>(segments_[i].p_vaddr);
      for (size_t done = 0; done + sizeof(ElfW(Nhdr)) <= segments_[i].p_filesz;) {
        ElfW(Nhdr) note;
        memcpy(&note, at + done, sizeof note);
        const size_t name = done + sizeof note, content = name + padded(note.n_namesz);
        if (note.n_type == kEntryNote && note.n_namesz == 7 && memcmp(at + name, "icount", 7) == 0) {
          int64_t distance;
          memcpy(&distance, at + content, sizeof distance);
          return reinterpret_cast<ImageEntry>(reinterpret_cast<uintptr_t>(at + content) +
                                              static_cast<uintptr_t>(distance));
        }
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
  template <typename T>
  static T* at_address(uintptr_t offset) {
    return reinterpret_cast<T*>(kImage + offset);
  }

  const char* read_headers(int fd) {
    static const char kNoProgram[] = "its file is no program";
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
      if (segments_[i].p_type == PT_DYNAMIC) dynamic_ = at_address<const ElfW(Dyn)>(segments_[i].p_vaddr);
    if (!dynamic_) return "its program is linked statically";
    for (const ElfW(Dyn)* entry = dynamic_; entry->d_tag != DT_NULL; ++entry)
      if (const char* failure = take_dynamic(*entry)) return failure;
    return symbols_ && strings_ ? nullptr : "its program has no symbols";
  }

  const char* take_dynamic(const ElfW(Dyn) & entry) {
    const uintptr_t value = entry.d_un.d_val;
    switch (entry.d_tag) {
      case DT_SYMTAB:
        symbols_ = at_address<const ElfW(Sym)>(value);
        break;
      case DT_STRTAB:
        strings_ = at_address<const char>(value);
        break;
      case DT_VERSYM:
        versions_ = at_address<const uint16_t>(value);
        break;
      case DT_VERNEED:
        needed_versions_ = at_address<const char>(value);
        break;
      case DT_RELA:
        relocations_ = value;
        break;
      case DT_RELASZ:
        relocations_size_ = value;
        break;
      case DT_JMPREL:
        jumps_ = value;
        break;
      case DT_PLTRELSZ:
        jumps_size_ = value;
        break;
      case DT_HASH:
        symbol_count_ = at_address<const uint32_t>(value)[1];
        break;
      case DT_GNU_HASH:
        gnu_hash_ = at_address<const uint32_t>(value);
        break;
      case DT_INIT:
        init_ = value;
        break;
      case DT_INIT_ARRAY:
        init_array_ = value;
        break;
      case DT_INIT_ARRAYSZ:
        init_array_size_ = value;
        break;
      case DT_REL:
      case DT_TEXTREL:
      case DT_PREINIT_ARRAY:
      case 36:  // DT_RELR
        return "its program is linked in a way that only the loader knows";
      default:
        break;
    }
    return nullptr;
  }

  const char* check_needed() {
    for (const ElfW(Dyn)* entry = dynamic_; entry->d_tag != DT_NULL; ++entry)
      if (entry->d_tag == DT_NEEDED && !is_loaded(strings_ + entry->d_un.d_val))
        return because("it needs %s, which the server has not loaded", strings_ + entry->d_un.d_val);
    return nullptr;
  }

  /// What a program defines and a library uses, the loader binds to the program; the libraries here are bound.
  const char* check_definitions() {
    if (symbol_count_ == 0 && gnu_hash_) {  // symbols before the first hashed one are references
      symbol_count_ = gnu_hash_[1];
      const uint32_t buckets = gnu_hash_[0];
      const uint32_t* heads = gnu_hash_ + 4 + 2 * gnu_hash_[2];
      uint32_t last = 0;
      for (uint32_t i = 0; i < buckets; ++i) last = heads[i] > last ? heads[i] : last;
      if (last >= symbol_count_) {
        const uint32_t* chain = heads + buckets;
        while (!(chain[last - gnu_hash_[1]] & 1)) ++last;
        symbol_count_ = last + 1;
      }
    }
    for (uint32_t i = 1; i < symbol_count_; ++i) {
      const char* name = strings_ + symbols_[i].st_name;
      if (symbols_[i].st_shndx == SHN_UNDEF || ELF64_ST_BIND(symbols_[i].st_info) == STB_LOCAL) continue;
      bool linkers_own = false;
      for (const char* own : {"__bss_start", "_edata", "_end", "__data_start", "data_start", "_IO_stdin_used", "main",
                              "_start", "_init", "_fini", "__TMC_END__", "__dso_handle"})
        linkers_own |= strcmp(name, own) == 0;
      if (!linkers_own) return because("it defines %s, which a library uses", name);
    }
    return nullptr;
  }

  /// The version that a reference to symbol i asks for; empty: none.
  const char* wanted_version(uint32_t index) const {
    const uint16_t number = versions_ ? versions_[index] & 0x7fff : 0;
    if (number <= VER_NDX_GLOBAL || !needed_versions_) return "";
    for (const char* file = needed_versions_;;) {
      const auto* need = reinterpret_cast<const ElfW(Verneed)*>(file);
      const char* at = file + need->vn_aux;
      for (int i = 0; i < need->vn_cnt; ++i) {
        const auto* version = reinterpret_cast<const ElfW(Vernaux)*>(at);
        if ((version->vna_other & 0x7fff) == number) return strings_ + version->vna_name;
        at += version->vna_next;
      }
      if (need->vn_next == 0) return "";
      file += need->vn_next;
    }
  }

  const char* relocate(uintptr_t table, size_t size) {
    const auto* entries = at_address<const ElfW(Rela)>(table);
    for (size_t i = 0; i < size / sizeof(ElfW(Rela)); ++i)
      if (const char* failure = relocate(entries[i])) return failure;
    return nullptr;
  }

  const char* relocate(const ElfW(Rela) & entry) {
    const auto type = static_cast<uint32_t>(ELF64_R_TYPE(entry.r_info));
    const auto index = static_cast<uint32_t>(ELF64_R_SYM(entry.r_info));
    auto* to = at_address<uintptr_t>(entry.r_offset);
    const auto addend = static_cast<uintptr_t>(entry.r_addend);
    if (type == R_X86_64_NONE) return nullptr;
    if (type == R_X86_64_RELATIVE) return *to = kImage + addend, nullptr;
    const bool is_thread_local = type == R_X86_64_TPOFF64;
    if (type != R_X86_64_64 && type != R_X86_64_GLOB_DAT && type != R_X86_64_JUMP_SLOT && !is_thread_local)
      return "its program is linked in a way that only the loader knows";
    const ElfW(Sym)& symbol = symbols_[index];
    SymbolPlace place;
    if (symbol.st_shndx != SHN_UNDEF)
      place = {true, kImage + symbol.st_value};
    else
      place = find_symbol({strings_ + symbol.st_name, wanted_version(index)});
    if (!place.found && ELF64_ST_BIND(symbol.st_info) != STB_WEAK)
      return because("no library that the server has loaded defines %s", strings_ + symbol.st_name);
    if (is_thread_local)
      *to = place.address + addend - thread_pointer();
    else
      *to = place.found ? place.address + (type == R_X86_64_64 ? addend : 0) : 0;
    return nullptr;
  }

  static uintptr_t thread_pointer() {
    uintptr_t pointer;
    asm("mov %%fs:0, %0" : "=r"(pointer));
    return pointer;
  }

  /// In a program of its own initialisers run before main, with other memory on the heap than here.
  const char* initialise() const {
    const Heap before = Heap::read();
    if (init_) reinterpret_cast<void (*)()>(kImage + init_)();
    for (size_t i = 0; i < init_array_size_ / sizeof(uintptr_t); ++i) {
      const uintptr_t function = at_address<const uintptr_t>(init_array_)[i];
      if (function != 0 && function != ~uintptr_t{0}) reinterpret_cast<void (*)()>(function)();
    }
    return Heap::read() == before ? nullptr : "its global set-up allocates memory before main";
  }

  struct Heap {
    uint64_t facts[6];
    static Heap read() {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
      const struct mallinfo2 now = mallinfo2();
#else
      const struct mallinfo now = mallinfo();
#endif
      return {{static_cast<uint64_t>(now.arena), static_cast<uint64_t>(now.ordblks), static_cast<uint64_t>(now.smblks),
               static_cast<uint64_t>(now.hblkhd), static_cast<uint64_t>(now.uordblks),
               static_cast<uint64_t>(now.fordblks)}};
    }
    bool operator==(const Heap& other) const { return memcmp(facts, other.facts, sizeof facts) == 0; }
  };

  const char* because(const char* format, const char* name) {
    snprintf(reason_, sizeof reason_, format, name);
    return reason_;
  }

  ElfW(Ehdr) header_;
  ElfW(Phdr) segments_[kSegments];
  const ElfW(Dyn) * dynamic_ = nullptr;
  const ElfW(Sym) * symbols_ = nullptr;
  const char* strings_ = nullptr;
  const uint16_t* versions_ = nullptr;
  const char* needed_versions_ = nullptr;
  const uint32_t* gnu_hash_ = nullptr;
  uint32_t symbol_count_ = 0;
  uintptr_t relocations_ = 0;
  size_t relocations_size_ = 0;
  uintptr_t jumps_ = 0;
  size_t jumps_size_ = 0;
  uintptr_t init_ = 0;
  uintptr_t init_array_ = 0;
  size_t init_array_size_ = 0;
  char reason_[600];
};

/// The measured child's way into a program that came later. Ends the process.
[[noreturn]] inline void run_image(const Job& job, const char* path) {
  static Image image;
  progress().job = job;
  const char* failure = image.load(path);
  const ImageEntry entry = failure ? nullptr : image.find_entry();
  if (entry) entry(&job, progress().report);
  report("unfit %s", failure ? failure : "another version of icount made its program");
  _exit(3);
}

}  // namespace icount_stub

#endif  // ICOUNT_STUB_LOADS
