#include "icount/callgraph/noise_groups.h"

#include <array>
#include <vector>

#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

constexpr std::string_view kAllocator = kAllocatorGroup;
constexpr std::string_view kLoader = kLoaderGroup;
constexpr std::string_view kStrings = "libc strings";
constexpr std::string_view kLocks = "locks";
constexpr std::string_view kHashing = "hashing";
constexpr std::string_view kGo = "Go runtime";
constexpr std::string_view kOcaml = "OCaml's garbage collector";
constexpr std::string_view kLua = "Lua's garbage collector";
constexpr std::string_view kPython = "Python's garbage collector";

// Order matters only within one first character of the name: the first fitting rule names the group.
constexpr auto kRules = std::to_array<NoiseRule>({
    {kAllocator, "malloc"},
    {kAllocator, "free"},
    {kAllocator, "calloc"},
    {kAllocator, "realloc"},
    {kAllocator, "memalign"},
    {kAllocator, "aligned_alloc"},
    {kAllocator, "posix_memalign"},
    {kAllocator, "valloc"},
    {kAllocator, "cfree"},
    {kAllocator, "reallocarray"},
    {kAllocator, "malloc_usable_size"},
    {kAllocator, "__libc_malloc"},
    {kAllocator, "__libc_free"},
    {kAllocator, "__libc_calloc"},
    {kAllocator, "__libc_realloc"},
    {kAllocator, "__libc_memalign"},
    {kAllocator, "__posix_memalign"},
    {kAllocator, "__malloc_*"},
    {kAllocator, "_int_malloc"},
    {kAllocator, "_int_free*"},
    {kAllocator, "_int_realloc"},
    {kAllocator, "_int_memalign"},
    {kAllocator, "_mid_memalign*"},
    {kAllocator, "malloc_consolidate"},
    {kAllocator, "malloc_printerr"},
    {kAllocator, "malloc_hook_ini"},
    {kAllocator, "ptmalloc_init*"},
    {kAllocator, "unlink_chunk*"},
    {kAllocator, "sysmalloc*"},
    {kAllocator, "systrim*"},
    {kAllocator, "tcache_*"},
    {kAllocator, "arena_get*"},
    {kAllocator, "new_heap*"},
    {kAllocator, "alloc_perturb"},
    {kAllocator, "free_perturb"},
    {kAllocator, "checked_request2size"},
    {kAllocator, "__default_morecore"},
    {kAllocator, "__glibc_morecore"},
    {kAllocator, "sbrk"},
    {kAllocator, "brk"},
    {kAllocator, "__sbrk"},
    {kAllocator, "munmap_chunk"},
    {kAllocator, "mremap_chunk"},
    {kAllocator, "operator new(*"},
    {kAllocator, "operator new[](*"},
    {kAllocator, "operator delete(*"},
    {kAllocator, "operator delete[](*"},
    {kAllocator, "_Znw*"},
    {kAllocator, "_Zna*"},
    {kAllocator, "_Zdl*"},
    {kAllocator, "_Zda*"},
    {kAllocator, "*", "libjemalloc*"},
    {kAllocator, "*", "libtcmalloc*"},
    {kAllocator, "*", "libmimalloc*"},
    {kAllocator, "*", "libsystem_malloc*"},  // macOS
    {kAllocator, "tiny_malloc*"},
    {kAllocator, "tiny_free*"},
    {kAllocator, "tiny_size*"},
    {kAllocator, "small_malloc_from_free_list*"},
    {kAllocator, "small_malloc_should_clear*"},
    {kAllocator, "small_free_*"},
    {kAllocator, "szone_*"},
    {kAllocator, "nanov2_*"},
    {kAllocator, "nano_malloc*"},
    {kAllocator, "_nano_malloc*"},
    {kAllocator, "malloc_zone_*"},
    {kAllocator, "_malloc_zone_*"},
    {kAllocator, "default_zone_*"},
    {kAllocator, "tc_malloc*"},  // tcmalloc, linked into the program
    {kAllocator, "tc_free*"},
    {kAllocator, "tc_calloc*"},
    {kAllocator, "tc_realloc*"},
    {kAllocator, "tc_memalign*"},
    {kAllocator, "tc_new*"},
    {kAllocator, "tc_delete*"},
    {kAllocator, "tcmalloc::*"},
    {kAllocator, "void* tcmalloc::*"},
    {kAllocator, "TCMalloc*"},
    {kAllocator, "je_*"},  // jemalloc
    {kAllocator, "_rjem_*"},
    {kAllocator, "jemalloc_*"},
    {kAllocator, "mi_malloc*"},  // mimalloc
    {kAllocator, "mi_calloc*"},
    {kAllocator, "mi_zalloc*"},
    {kAllocator, "mi_realloc*"},
    {kAllocator, "mi_free*"},
    {kAllocator, "mi_new*"},
    {kAllocator, "mi_heap_*"},
    {kAllocator, "mi_page_*"},
    {kAllocator, "mi_segment_*"},
    {kAllocator, "mi_arena_*"},
    {kAllocator, "_mi_*"},
    {kAllocator, "_PyObject_Malloc"},
    {kAllocator, "_PyObject_Free"},
    {kAllocator, "_PyObject_Realloc"},
    {kAllocator, "PyObject_Malloc"},
    {kAllocator, "PyObject_Free"},
    {kAllocator, "pymalloc_*"},
    {kAllocator, "PyMem_*alloc"},
    {kAllocator, "PyMem_Free"},
    {kAllocator, "_PyMem_Raw*"},

    {kLoader, "*", "ld-linux*"},
    {kLoader, "*", "ld-2.*"},
    {kLoader, "*", "ld.so*"},
    {kLoader, "*", "ld64.so*"},
    {kLoader, "*", "ld-musl-*"},
    {kLoader, "_dl_*"},
    {kLoader, "_dlfo_*"},
    {kLoader, "dl_main"},
    {kLoader, "dl_iterate_phdr"},
    {kLoader, "do_lookup_x"},
    {kLoader, "do_lookup_unique"},
    {kLoader, "check_match"},
    {kLoader, "lookup_malloc_symbol"},
    {kLoader, "elf_machine_*"},
    {kLoader, "elf_dynamic_do_*"},
    {kLoader, "__tls_get_addr*"},
    {kLoader, "tls_get_addr_tail"},
    {kLoader, "update_get_addr"},
    {kLoader, "allocate_dtv*"},

    {kStrings, "memcpy"},
    {kStrings, "memmove"},
    {kStrings, "memset"},
    {kStrings, "memcmp"},
    {kStrings, "bcmp"},
    {kStrings, "memchr"},
    {kStrings, "memrchr"},
    {kStrings, "rawmemchr"},
    {kStrings, "mempcpy"},
    {kStrings, "memccpy"},
    {kStrings, "memmem"},
    {kStrings, "bzero"},
    {kStrings, "strlen"},
    {kStrings, "strnlen"},
    {kStrings, "strcmp"},
    {kStrings, "strncmp"},
    {kStrings, "strcasecmp*"},
    {kStrings, "strncasecmp*"},
    {kStrings, "strcpy"},
    {kStrings, "strncpy"},
    {kStrings, "stpcpy"},
    {kStrings, "stpncpy"},
    {kStrings, "strcat"},
    {kStrings, "strncat"},
    {kStrings, "strchr"},
    {kStrings, "strchrnul"},
    {kStrings, "strrchr"},
    {kStrings, "strstr"},
    {kStrings, "strspn"},
    {kStrings, "strcspn"},
    {kStrings, "strpbrk"},
    {kStrings, "wcslen"},
    {kStrings, "wmemset"},
    {kStrings, "wmemcmp"},
    {kStrings, "__mem*_sse*"},
    {kStrings, "__mem*_avx*"},
    {kStrings, "__mem*_evex*"},
    {kStrings, "__mem*_ssse3*"},
    {kStrings, "__mem*_erms"},
    {kStrings, "__mem*_generic"},
    {kStrings, "__rawmemchr*"},
    {kStrings, "__str*_sse*"},
    {kStrings, "__str*_avx*"},
    {kStrings, "__str*_evex*"},
    {kStrings, "__str*_ssse3*"},
    {kStrings, "__stp*_sse*"},
    {kStrings, "__stp*_avx*"},
    {kStrings, "__stp*_evex*"},
    {kStrings, "__wcs*_sse*"},
    {kStrings, "__wcs*_avx*"},
    {kStrings, "__wcs*_evex*"},
    {kStrings, "__wmem*_sse*"},
    {kStrings, "__wmem*_avx*"},
    {kStrings, "__wmem*_evex*"},
    {kStrings, "__bzero*"},

    {kLocks, "pthread_mutex_lock"},
    {kLocks, "pthread_mutex_unlock"},
    {kLocks, "pthread_mutex_trylock"},
    {kLocks, "___pthread_mutex_*"},
    {kLocks, "__pthread_mutex_*"},
    {kLocks, "__pthread_rwlock_*"},
    {kLocks, "pthread_rwlock_*"},
    {kLocks, "pthread_spin_*"},
    {kLocks, "pthread_once"},
    {kLocks, "__pthread_once*"},
    {kLocks, "___pthread_once*"},
    {kLocks, "pthread_cond_*"},
    {kLocks, "___pthread_cond_*"},
    {kLocks, "__pthread_cond_*"},
    {kLocks, "__lll_lock_*"},
    {kLocks, "__lll_unlock_*"},
    {kLocks, "__gthread_mutex_*"},
    {kLocks, "std::mutex::*"},
    {kLocks, "gomp_mutex_*"},
    {kLocks, "gomp_barrier_*"},
    {kLocks, "gomp_team_barrier_*"},

    {kHashing, "std::_Hash_bytes(*"},
    {kHashing, "std::_Fnv_hash_bytes(*"},
    {kHashing, "std::__detail::_Prime_rehash_policy::*"},
    {kHashing, "_ZSt11_Hash_bytes*"},
    {kHashing, "lookdict*"},
    {kHashing, "_Py_dict_lookup*"},
    {kHashing, "unicodekeys_lookup_*"},
    {kHashing, "dictkeys_*"},
    {kHashing, "find_empty_slot*"},
    {kHashing, "_Py_HashBytes"},
    {kHashing, "siphash13"},
    {kHashing, "siphash24"},
    {kHashing, "set_lookkey"},

    {kGo, "runtime.*"},
    {kGo, "runtime/internal/*"},
    {kGo, "internal/runtime/*"},
    {kGo, "gcWriteBarrier*"},
    {kGo, "gosave_systemstack_switch"},
    {kGo, "gogo"},
    {kGo, "_rt0_amd64*"},

    {kOcaml, "caml_alloc*"},
    {kOcaml, "caml_call_gc"},
    {kOcaml, "caml_garbage_collection"},
    {kOcaml, "caml_gc_dispatch"},
    {kOcaml, "caml_empty_minor_heap"},
    {kOcaml, "caml_oldify_*"},
    {kOcaml, "caml_major_collection_*"},
    {kOcaml, "caml_darken*"},
    {kOcaml, "caml_page_table_*"},
    {kOcaml, "mark_slice*"},
    {kOcaml, "sweep_slice"},

    {kLua, "luaC_*"},
    {kLua, "luaM_*"},
    {kLua, "propagatemark"},
    {kLua, "reallymarkobject"},
    {kLua, "singlestep"},
    {kLua, "sweeplist"},
    {kLua, "sweepstep"},

    {kPython, "gc_collect_*"},
    {kPython, "_PyGC_*"},
    {kPython, "PyObject_GC_*"},
    {kPython, "_PyObject_GC_*"},
    {kPython, "visit_decref"},
    {kPython, "visit_reachable"},
    {kPython, "subtract_refs"},
    {kPython, "deduce_unreachable"},
    {kPython, "move_unreachable"},
    {kPython, "untrack_tuples"},
});

using RuleList = std::vector<const NoiseRule*>;

// The rules that a name may fit, by its first character; a rule that starts with '*' is in every list.
const std::array<RuleList, 256>& rules_by_first_character() {
  static const auto kIndex = [] {
    std::array<RuleList, 256> index;
    for (const NoiseRule& rule : kRules)
      for (size_t c = 0; c < index.size(); ++c)
        if (rule.name.front() == '*' || static_cast<unsigned char>(rule.name.front()) == c) index[c].push_back(&rule);
    return index;
  }();
  return kIndex;
}

}  // namespace

std::span<const NoiseRule> noise_rules() { return kRules; }

bool is_libc_string_routine(std::string_view name, std::string_view object) {
  return noise_group_of(name, object) == kStrings;
}

bool matches_glob(std::string_view text, std::string_view glob) {
  size_t t = 0, g = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      resume = t;
    } else if (g < glob.size() && glob[g] == text[t]) {
      ++g, ++t;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

std::string_view noise_group_of(std::string_view name, std::string_view object) {
  std::string_view base = canonical_name(name);
  if (base.empty()) return {};
  std::string_view library = base_of_path(object);
  for (const NoiseRule* rule : rules_by_first_character()[static_cast<unsigned char>(base.front())])
    if (matches_glob(base, rule->name) && (rule->object.empty() || matches_glob(library, rule->object)))
      return rule->group;
  return {};
}

}  // namespace icount
