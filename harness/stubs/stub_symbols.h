// Looks symbols up in the shared objects that are loaded in this process, as the loader does for the program: in their
// order, by the GNU hash table, with the version asked for. Without the heap, which dlsym does not promise. For
// stub_image.h, which binds a program that the loader never sees.
#pragma once

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

namespace icount_stub {

/// The tables of a loaded object.
struct LoadedTables {
  uintptr_t base = 0;
  uintptr_t thread_local_data = 0;  // of this thread; 0: none
  const ElfW(Sym) * symbols = nullptr;
  const char* strings = nullptr;
  const uint32_t* hash = nullptr;      // DT_GNU_HASH
  const uint16_t* versions = nullptr;  // of each symbol; nullptr: none has one
  const char* definitions = nullptr;   // of versions
  int definition_count = 0;

  /// Of the object that the loader describes, from its dynamic section.
  explicit LoadedTables(const dl_phdr_info& info) : base(info.dlpi_addr) {
    thread_local_data = reinterpret_cast<uintptr_t>(info.dlpi_tls_data);
    for (int i = 0; i < info.dlpi_phnum; ++i)
      if (info.dlpi_phdr[i].p_type == PT_DYNAMIC)
        read(reinterpret_cast<const ElfW(Dyn)*>(base + info.dlpi_phdr[i].p_vaddr));
  }

 private:
  void read(const ElfW(Dyn) * entry) {
    for (; entry->d_tag != DT_NULL; ++entry) {
      // Most loaders replace offsets by addresses there.
      const uintptr_t at = entry->d_un.d_ptr < base ? base + entry->d_un.d_ptr : entry->d_un.d_ptr;
      if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(at);
      if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(at);
      if (entry->d_tag == DT_GNU_HASH) hash = reinterpret_cast<const uint32_t*>(at);
      if (entry->d_tag == DT_VERSYM) versions = reinterpret_cast<const uint16_t*>(at);
      if (entry->d_tag == DT_VERDEF) definitions = reinterpret_cast<const char*>(at);
      if (entry->d_tag == DT_VERDEFNUM) definition_count = static_cast<int>(entry->d_un.d_val);
    }
  }
};

/// What is looked for; `version` is empty where the reference has none.
struct SymbolName {
  const char* name;
  const char* version;

  uint32_t gnu_hash() const {
    uint32_t hash = 5381;
    for (const char* c = name; *c; ++c) hash = hash * 33 + static_cast<unsigned char>(*c);
    return hash;
  }
};

/// The name of a version that an object defines; empty: not found.
inline const char* defined_version(const LoadedTables& tables, uint16_t number) {
  const char* at = tables.definitions;
  for (int i = 0; at && i < tables.definition_count; ++i) {
    const auto* definition = reinterpret_cast<const ElfW(Verdef)*>(at);
    if (definition->vd_ndx == number)
      return tables.strings + reinterpret_cast<const ElfW(Verdaux)*>(at + definition->vd_aux)->vda_name;
    at += definition->vd_next;
  }
  return "";
}

/// Whether a symbol that is defined under this number is meant by a reference.
inline bool has_version(const LoadedTables& tables, uint32_t index, const char* wanted) {
  if (!tables.versions) return true;
  constexpr uint16_t kHidden = 0x8000;
  const uint16_t number = tables.versions[index];
  if (!*wanted) return (number & kHidden) == 0;
  if ((number & ~kHidden) <= VER_NDX_GLOBAL) return (number & kHidden) == 0;
  return strcmp(defined_version(tables, static_cast<uint16_t>(number & ~kHidden)), wanted) == 0;
}

/// The definition in one object; nullptr when it has none.
inline const ElfW(Sym) * find_in(const LoadedTables& tables, const SymbolName& wanted, uint32_t hash) {
  if (!tables.hash || !tables.symbols || !tables.strings) return nullptr;
  const uint32_t buckets = tables.hash[0], first = tables.hash[1], words = tables.hash[2], shift = tables.hash[3];
  const auto* bloom = reinterpret_cast<const ElfW(Addr)*>(tables.hash + 4);
  constexpr uint32_t kBits = sizeof(ElfW(Addr)) * 8;
  if (buckets == 0 || words == 0) return nullptr;
  const ElfW(Addr) word = bloom[hash / kBits % words];
  if (!(word >> (hash % kBits) & word >> ((hash >> shift) % kBits) & 1)) return nullptr;
  const auto* heads = reinterpret_cast<const uint32_t*>(bloom + words);
  const uint32_t* chain = heads + buckets;
  uint32_t index = heads[hash % buckets];
  if (index < first) return nullptr;
  for (;; ++index) {
    const uint32_t entry = chain[index - first];
    const ElfW(Sym)& symbol = tables.symbols[index];
    if ((entry | 1) == (hash | 1) && symbol.st_shndx != SHN_UNDEF &&
        strcmp(tables.strings + symbol.st_name, wanted.name) == 0 && has_version(tables, index, wanted.version))
      return &symbol;
    if (entry & 1) return nullptr;
  }
}

/// Where a symbol lies.
struct SymbolPlace {
  bool found = false;
  uintptr_t address = 0;  // of a thread-local one: in this thread
};

/// The first definition among the loaded shared objects; the program itself is left out.
inline SymbolPlace find_symbol(const SymbolName& wanted) {
  struct Search {
    SymbolName wanted;
    uint32_t hash;
    SymbolPlace place;
  } search{wanted, wanted.gnu_hash(), {}};
  const auto visit = [](dl_phdr_info* info, size_t, void* data) {
    auto& search = *static_cast<Search*>(data);
    if (!info->dlpi_name || !strchr(info->dlpi_name, '/')) return 0;
    const LoadedTables tables(*info);
    const ElfW(Sym)* symbol = find_in(tables, search.wanted, search.hash);
    if (!symbol) return 0;
    const unsigned type = ELF64_ST_TYPE(symbol->st_info);
    if (type == STT_TLS && tables.thread_local_data == 0) return 0;
    search.place.found = true;
    search.place.address = (type == STT_TLS ? tables.thread_local_data : tables.base) + symbol->st_value;
    if (type == STT_GNU_IFUNC) search.place.address = reinterpret_cast<uintptr_t (*)()>(search.place.address)();
    return 1;
  };
  dl_iterate_phdr(visit, &search);
  return search.place;
}

/// Whether a shared object of this name (its path, or the last part of it) is loaded.
inline bool is_loaded(const char* name) {
  struct Search {
    const char* name;
    bool found;
  } search{name, false};
  const auto visit = [](dl_phdr_info* info, size_t, void* data) {
    auto& search = *static_cast<Search*>(data);
    const char* slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : nullptr;
    search.found |= slash && (strcmp(slash + 1, search.name) == 0 || strcmp(info->dlpi_name, search.name) == 0);
    return search.found ? 1 : 0;
  };
  dl_iterate_phdr(visit, &search);
  return search.found;
}

}  // namespace icount_stub
