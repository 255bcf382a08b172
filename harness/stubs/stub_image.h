// Loads another program's file into a child of this server and enters it there: how a server that is running already
// counts statements that were compiled later (docs/server.md). The file is the program that a server of its own would
// be started from; its code runs from the same places within pages, bound to the same libraries. The child maps it
// itself, because the loader's dlopen would leave traces on the heap, and with them another count. What a program that
// comes later can't have is refused with the reason. stub_image_file.h maps the file. x86-64 only; no heap, no stdio.
#pragma once

#include <elf.h>
#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <initializer_list>

#include "stub_image_file.h"
#include "stub_job.h"
#include "stub_progress.h"
#include "stub_symbols.h"

#ifdef ICOUNT_STUB_LOADS

namespace icount_stub {

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
    const char* failure = file_.load(path);
    if (!failure) failure = check_needed();
    if (!failure) failure = check_definitions();
    if (!failure) failure = relocate(tables_.relocations, tables_.relocations_size);
    if (!failure) failure = relocate(tables_.jumps, tables_.jumps_size);
    if (!failure) failure = initialise();
    return failure;
  }

  /// nullptr when the program has none: another version of icount made it.
  ImageEntry find_entry() const {
    const char* content = file_.find_note(kEntryNote);
    if (!content) return nullptr;
    int64_t distance;
    memcpy(&distance, content, sizeof distance);
    return reinterpret_cast<ImageEntry>(reinterpret_cast<uintptr_t>(content) + static_cast<uintptr_t>(distance));
  }

 private:
  const char* check_needed() {
    for (const ElfW(Dyn)* entry = tables_.dynamic; entry->d_tag != DT_NULL; ++entry)
      if (entry->d_tag == DT_NEEDED && !is_loaded(tables_.strings + entry->d_un.d_val))
        return because("it needs %s, which the server has not loaded", tables_.strings + entry->d_un.d_val);
    return nullptr;
  }

  /// What a program defines and a library uses, the loader binds to the program; the libraries here are bound.
  const char* check_definitions() {
    for (uint32_t i = 1; i < tables_.symbol_count; ++i) {
      const char* name = tables_.strings + tables_.symbols[i].st_name;
      if (tables_.symbols[i].st_shndx == SHN_UNDEF || ELF64_ST_BIND(tables_.symbols[i].st_info) == STB_LOCAL) continue;
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
    const uint16_t number = tables_.versions ? tables_.versions[index] & 0x7fff : 0;
    if (number <= VER_NDX_GLOBAL || !tables_.needed_versions) return "";
    for (const char* file = tables_.needed_versions;;) {
      const auto* need = reinterpret_cast<const ElfW(Verneed)*>(file);
      const char* at = file + need->vn_aux;
      for (int i = 0; i < need->vn_cnt; ++i) {
        const auto* version = reinterpret_cast<const ElfW(Vernaux)*>(at);
        if ((version->vna_other & 0x7fff) == number) return tables_.strings + version->vna_name;
        at += version->vna_next;
      }
      if (need->vn_next == 0) return "";
      file += need->vn_next;
    }
  }

  const char* relocate(uintptr_t table, size_t size) {
    const auto* entries = in_image<const ElfW(Rela)>(table);
    for (size_t i = 0; i < size / sizeof(ElfW(Rela)); ++i)
      if (const char* failure = relocate(entries[i])) return failure;
    return nullptr;
  }

  const char* relocate(const ElfW(Rela) & entry) {
    const auto type = static_cast<uint32_t>(ELF64_R_TYPE(entry.r_info));
    const auto index = static_cast<uint32_t>(ELF64_R_SYM(entry.r_info));
    auto* to = in_image<uintptr_t>(entry.r_offset);
    const auto addend = static_cast<uintptr_t>(entry.r_addend);
    if (type == R_X86_64_NONE) return nullptr;
    if (type == R_X86_64_RELATIVE) return *to = kImage + addend, nullptr;
    const bool is_thread_local = type == R_X86_64_TPOFF64;
    if (type != R_X86_64_64 && type != R_X86_64_GLOB_DAT && type != R_X86_64_JUMP_SLOT && !is_thread_local)
      return "its program is linked in a way that only the dynamic loader can handle";
    const ElfW(Sym)& symbol = tables_.symbols[index];
    SymbolPlace place;
    if (symbol.st_shndx != SHN_UNDEF)
      place = {true, kImage + symbol.st_value};
    else
      place = find_symbol({tables_.strings + symbol.st_name, wanted_version(index)});
    if (!place.found && ELF64_ST_BIND(symbol.st_info) != STB_WEAK)
      return because("no library that the server has loaded defines %s", tables_.strings + symbol.st_name);
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
    if (tables_.init) reinterpret_cast<void (*)()>(kImage + tables_.init)();
    for (size_t i = 0; i < tables_.init_array_size / sizeof(uintptr_t); ++i) {
      const uintptr_t function = in_image<const uintptr_t>(tables_.init_array)[i];
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

  ImageFile file_;
  const ImageTables& tables_ = file_.tables();
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
