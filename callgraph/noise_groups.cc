#include "icount/callgraph/noise_groups.h"

#include <array>
#include <vector>

#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

constexpr std::string_view kAllocator = kAllocatorGroup;
constexpr std::string_view kLoader = kLoaderGroup;
constexpr std::string_view kStrings = "libc strings";
constexpr std::string_view kLocks = "locks";
constexpr std::string_view kHashing = "hashing";
constexpr std::string_view kOcaml = "OCaml's garbage collector";
constexpr std::string_view kLua = "Lua's garbage collector";
constexpr std::string_view kPython = "Python's garbage collector";

struct RulesOfGroup {
  std::string_view group;
  std::string_view functions;  ///< globs
  std::string_view objects;    ///< all of whose functions belong to the group
};

/// The first group that fits is the function's.
constexpr RulesOfGroup kRules[] = {
    {kAllocator,
     "malloc, free, calloc, realloc, memalign, aligned_alloc, posix_memalign, valloc, cfree, reallocarray, "
     "malloc_usable_size, __libc_malloc, __libc_free, __libc_calloc, __libc_realloc, __libc_memalign, "
     "__posix_memalign, __malloc_*, _int_malloc, _int_free*, _int_realloc, _int_memalign, _mid_memalign*, "
     "malloc_consolidate, malloc_printerr, malloc_hook_ini, ptmalloc_init*, unlink_chunk*, sysmalloc*, systrim*, "
     "tcache_*, arena_get*, new_heap*, alloc_perturb, free_perturb, checked_request2size, __default_morecore, "
     "__glibc_morecore, sbrk, brk, __sbrk, munmap_chunk, mremap_chunk, operator new(*, operator new[](*, "
     "operator delete(*, operator delete[](*, _Znw*, _Zna*, _Zdl*, _Zda*, tiny_malloc*, tiny_free*, tiny_size*, "
     "small_malloc_from_free_list*, small_malloc_should_clear*, small_free_*, szone_*, nanov2_*, nano_malloc*, "
     "_nano_malloc*, malloc_zone_*, _malloc_zone_*, default_zone_*, tc_malloc*, tc_free*, tc_calloc*, tc_realloc*, "
     "tc_memalign*, tc_new*, tc_delete*, tcmalloc::*, void* tcmalloc::*, TCMalloc*, je_*, _rjem_*, jemalloc_*, "
     "mi_malloc*, mi_calloc*, mi_zalloc*, mi_realloc*, mi_free*, mi_new*, mi_heap_*, mi_page_*, mi_segment_*, "
     "mi_arena_*, _mi_*, _PyObject_Malloc, _PyObject_Free, _PyObject_Realloc, PyObject_Malloc, PyObject_Free, "
     "pymalloc_*, PyMem_*alloc, PyMem_Free, _PyMem_Raw*",
     "libjemalloc*, libtcmalloc*, libmimalloc*, libsystem_malloc*"},
    {kLoader,
     "_dl_*, _dlfo_*, dl_main, dl_iterate_phdr, do_lookup_x, do_lookup_unique, check_match, lookup_malloc_symbol, "
     "elf_machine_*, elf_dynamic_do_*, __tls_get_addr*, tls_get_addr_tail, update_get_addr, allocate_dtv*",
     "ld-linux*, ld-2.*, ld.so*, ld64.so*, ld-musl-*"},
    {kStrings,
     "memcpy, memmove, memset, memcmp, bcmp, memchr, memrchr, rawmemchr, mempcpy, memccpy, memmem, bzero, strlen, "
     "strnlen, strcmp, strncmp, strcasecmp*, strncasecmp*, strcpy, strncpy, stpcpy, stpncpy, strcat, strncat, "
     "strchr, strchrnul, strrchr, strstr, strspn, strcspn, strpbrk, wcslen, wmemset, wmemcmp, __mem*_sse*, "
     "__mem*_avx*, __mem*_evex*, __mem*_ssse3*, __mem*_erms, __mem*_generic, __rawmemchr*, __str*_sse*, __str*_avx*, "
     "__str*_evex*, __str*_ssse3*, __stp*_sse*, __stp*_avx*, __stp*_evex*, __wcs*_sse*, __wcs*_avx*, __wcs*_evex*, "
     "__wmem*_sse*, __wmem*_avx*, __wmem*_evex*, __bzero*",
     ""},
    {kLocks,
     "pthread_mutex_lock, pthread_mutex_unlock, pthread_mutex_trylock, ___pthread_mutex_*, __pthread_mutex_*, "
     "__pthread_rwlock_*, pthread_rwlock_*, pthread_spin_*, pthread_once, __pthread_once*, ___pthread_once*, "
     "pthread_cond_*, ___pthread_cond_*, __pthread_cond_*, __lll_lock_*, __lll_unlock_*, __gthread_mutex_*, "
     "std::mutex::*, gomp_mutex_*, gomp_barrier_*, gomp_team_barrier_*",
     ""},
    {kHashing,
     "std::_Hash_bytes(*, std::_Fnv_hash_bytes(*, std::__detail::_Prime_rehash_policy::*, _ZSt11_Hash_bytes*, "
     "lookdict*, _Py_dict_lookup*, unicodekeys_lookup_*, dictkeys_*, find_empty_slot*, _Py_HashBytes, siphash13, "
     "siphash24, set_lookkey",
     ""},
    {kUnwindingGroup,
     "_Unwind_*, __gxx_personality_*, __gcc_personality_*, __cxa_throw, __cxa_rethrow*, __cxa_begin_catch, "
     "__cxa_end_catch, __cxa_allocate_exception, __cxa_free_exception, __cxa_init_primary_exception, "
     "__cxa_get_globals*, __cxa_get_exception_ptr, __gxx_exception_cleanup*, uw_frame_state_for*, uw_update_context*, "
     "uw_init_context*, uw_install_context*, execute_cfa_program*, read_encoded_value_with_base*, parse_lsda_header*",
     "libgcc_s.so*, libunwind.so*"},
    {kGoGroup,
     "runtime.*, runtime/internal/*, internal/runtime/*, gcWriteBarrier*, gosave_systemstack_switch, gogo, _rt0_amd64*",
     ""},
    {kOcaml,
     "caml_alloc*, caml_call_gc, caml_garbage_collection, caml_gc_dispatch, caml_empty_minor_heap, caml_oldify_*, "
     "caml_major_collection_*, caml_darken*, caml_page_table_*, mark_slice*, sweep_slice",
     ""},
    {kLua, "luaC_*, luaM_*, propagatemark, reallymarkobject, singlestep, sweeplist, sweepstep", ""},
    {kPython,
     "gc_collect_*, _PyGC_*, PyObject_GC_*, _PyObject_GC_*, visit_decref, visit_reachable, subtract_refs, "
     "deduce_unreachable, move_unreachable, untrack_tuples",
     ""},
};

using RuleList = std::vector<const NoiseRule*>;

// The rules that a name may fit, by its first character; a rule that starts with '*' is in every list.
const std::array<RuleList, 256>& rules_by_first_character() {
  static const auto kIndex = [] {
    std::array<RuleList, 256> index;
    for (const NoiseRule& rule : noise_rules())
      for (size_t c = 0; c < index.size(); ++c)
        if (rule.name.front() == '*' || static_cast<unsigned char>(rule.name.front()) == c) index[c].push_back(&rule);
    return index;
  }();
  return kIndex;
}

}  // namespace

std::span<const NoiseRule> noise_rules() {
  static const auto kSplit = [] {
    std::vector<NoiseRule> rules;
    for (const RulesOfGroup& of : kRules) {
      for (const std::string_view name : split(of.functions, ',')) rules.push_back({of.group, trim(name), {}});
      if (of.objects.empty()) continue;
      for (const std::string_view object : split(of.objects, ',')) rules.push_back({of.group, "*", trim(object)});
    }
    return rules;
  }();
  return kSplit;
}

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
