#include "icount/callgraph/noise_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "icount/callgraph/name_parts.h"
#include "icount/explain/claims/noise_fold.h"

namespace icount {
namespace {

struct Examples {
  std::string_view group, object;
  std::vector<std::string_view> names;
};

/// Functions as profiles name them, of glibc, musl, libstdc++, libgomp, CPython and three allocators.
const std::vector<Examples>& examples() {
  static const std::vector<Examples> kAll = {
      {"allocator",
       "/home/me/static_program",
       {"malloc", "free", "calloc", "realloc", "memalign", "aligned_alloc", "posix_memalign", "valloc", "cfree",
        "reallocarray", "malloc_usable_size"}},
      {"allocator",
       "/usr/lib/system/libsystem_malloc.dylib",
       {"tiny_malloc_from_free_list", "tiny_malloc_should_clear", "tiny_free_no_lock", "szone_malloc_should_clear",
        "szone_free_definite_size", "nanov2_malloc", "_malloc_zone_malloc", "rack_get_thread_index"}},
      {"allocator",
       "/home/me/static_program",
       {"tiny_malloc_should_clear", "szone_size", "malloc_zone_malloc", "tc_malloc", "tc_deletearray_sized",
        "tcmalloc::ThreadCache::FetchFromCentralCache(unsigned int, int, void* (*)(unsigned long))",
        "TCMallocInternalNew", "je_malloc", "je_arena_tcache_fill_small", "_rjem_sdallocx", "mi_malloc",
        "mi_heap_malloc_zero", "mi_page_free_list_extend", "_mi_page_malloc"}},
      {"allocator",
       "/home/me/static_program",
       {"tiny_size",
        "tiny_free_list_add_ptr",
        "small_malloc_from_free_list",
        "small_malloc_should_clear",
        "small_free_list_add_ptr",
        "nano_malloc",
        "_nano_malloc_check_clear",
        "_malloc_zone_calloc",
        "default_zone_malloc",
        "nanov2_free",
        "tc_free_sized",
        "tc_calloc",
        "tc_realloc",
        "tc_memalign",
        "tc_new_nothrow",
        "void* tcmalloc::allocate_full<true>(unsigned long)",
        "jemalloc_constructor",
        "mi_calloc",
        "mi_zalloc_small",
        "mi_realloc",
        "mi_free_size",
        "mi_new_n",
        "mi_segment_page_alloc",
        "mi_arena_page_alloc"}},
      {"allocator",
       "/usr/lib/x86_64-linux-gnu/libc.so.6",
       {"__libc_malloc",
        "__libc_free",
        "__libc_calloc",
        "__libc_realloc",
        "__libc_memalign",
        "__posix_memalign",
        "__malloc_arena_thread_freeres",
        "_int_malloc'2",
        "_int_free",
        "_int_free_merge_chunk",
        "_int_realloc",
        "_int_memalign",
        "_mid_memalign.isra.0",
        "malloc_consolidate",
        "malloc_printerr",
        "malloc_hook_ini",
        "ptmalloc_init.part.0",
        "unlink_chunk.isra.0",
        "sysmalloc",
        "sysmalloc_mmap.isra.0",
        "systrim.constprop.0",
        "tcache_init.part.0",
        "arena_get2.part.0",
        "new_heap",
        "alloc_perturb",
        "free_perturb",
        "checked_request2size",
        "__default_morecore",
        "__glibc_morecore",
        "sbrk",
        "brk",
        "__sbrk",
        "munmap_chunk",
        "mremap_chunk"}},
      {"allocator",
       "libstdc++.so.6.0.30",
       {"operator new(unsigned long)", "operator new[](unsigned long)", "operator delete(void*)",
        "operator delete[](void*)", "_Znwm", "_Znam", "_ZdlPv", "_ZdaPv"}},
      {"allocator", "/opt/libjemalloc.so.2", {"arena_bin_choose", "je_malloc"}},
      {"allocator", "/opt/libtcmalloc_minimal.so.4", {"SpinLock::SlowLock()"}},
      {"allocator", "/opt/libmimalloc.so.2.1", {"mi_page_free_collect"}},
      {"allocator",
       "/usr/bin/python3.11",
       {"_PyObject_Malloc", "_PyObject_Free", "_PyObject_Realloc", "PyObject_Malloc", "PyObject_Free", "pymalloc_alloc",
        "PyMem_Calloc", "PyMem_Realloc", "PyMem_Free", "_PyMem_RawMalloc"}},
      {"dynamic loader", "/lib64/ld-linux-x86-64.so.2", {"_dl_relocate_object", "0x000000000001c200", "strcmp"}},
      {"dynamic loader", "/lib/x86_64-linux-gnu/ld-2.31.so", {"_start"}},
      {"dynamic loader", "/lib/ld.so.1", {"_start"}},
      {"dynamic loader", "/lib/ld64.so.2", {"_start"}},
      {"dynamic loader", "/lib/ld-musl-x86_64.so.1", {"decode_vec"}},
      {"dynamic loader",
       "libc.so.6",
       {"_dl_addr", "_dl_runtime_resolve_xsavec", "_dlfo_process_initial", "dl_main", "dl_iterate_phdr", "do_lookup_x",
        "do_lookup_unique.constprop.0", "check_match", "lookup_malloc_symbol", "elf_machine_rela",
        "elf_dynamic_do_Rela", "__tls_get_addr_slow", "__tls_get_addr", "tls_get_addr_tail", "update_get_addr",
        "allocate_dtv_entry"}},
      {"libc strings",
       "libc.so.6",
       {"memcpy",      "memmove", "memset",  "memcmp",  "bcmp",    "memchr", "memrchr", "rawmemchr",  "mempcpy",
        "memccpy",     "memmem",  "bzero",   "strlen",  "strnlen", "strcmp", "strncmp", "strcasecmp", "strcasecmp_l",
        "strncasecmp", "strcpy",  "strncpy", "stpcpy",  "stpncpy", "strcat", "strncat", "strchr",     "strchrnul",
        "strrchr",     "strstr",  "strspn",  "strcspn", "strpbrk", "wcslen", "wmemset", "wmemcmp"}},
      {"libc strings",
       "libc.so.6",
       {"__memcpy_sse2_unaligned",
        "__memcpy_avx_unaligned_erms",
        "__memmove_evex_unaligned",
        "__memcpy_ssse3",
        "__memset_erms",
        "__memcpy_generic",
        "__rawmemchr_avx2",
        "__strlen_sse2",
        "__strlen_avx2",
        "__strlen_evex",
        "__strcmp_ssse3",
        "__stpcpy_sse2_unaligned",
        "__stpcpy_avx2",
        "__stpcpy_evex",
        "__wcslen_sse4_1",
        "__wcslen_avx2",
        "__wcsnlen_evex",
        "__wmemset_sse2_unaligned",
        "__wmemset_avx2_unaligned",
        "__wmemcmp_evex_movbe",
        "__bzero"}},
      {"locks",
       "libc.so.6",
       {"pthread_mutex_lock@@GLIBC_2.2.5", "pthread_mutex_unlock", "pthread_mutex_trylock", "___pthread_mutex_lock",
        "__pthread_mutex_unlock_usercnt", "__pthread_rwlock_rdlock", "pthread_rwlock_unlock", "pthread_spin_lock",
        "pthread_once", "__pthread_once_slow", "___pthread_once", "pthread_cond_signal", "___pthread_cond_wait",
        "__pthread_cond_wait_common", "__lll_lock_wait", "__lll_unlock_wake"}},
      {"locks", "prog", {"__gthread_mutex_lock(pthread_mutex_t*)", "std::mutex::lock()"}},
      {"locks", "libgomp.so.1", {"gomp_mutex_lock_slow", "gomp_barrier_wait", "gomp_team_barrier_wait_end"}},
      {"hashing",
       "libstdc++.so.6",
       {"std::_Hash_bytes(void const*, unsigned long, unsigned long)",
        "std::_Fnv_hash_bytes(void const*, unsigned long, unsigned long)",
        "std::__detail::_Prime_rehash_policy::_M_need_rehash(unsigned long, unsigned long, unsigned long) const",
        "_ZSt11_Hash_bytesPKvmm"}},
      {"hashing",
       "python3.11",
       {"lookdict_unicode_nodummy", "_Py_dict_lookup", "unicodekeys_lookup_unicode", "dictkeys_get_index",
        "find_empty_slot.isra.0", "_Py_HashBytes", "siphash13", "siphash24", "set_lookkey"}},
      {"unwinding of exceptions",
       "libstdc++.so.6.0.30",
       {"__gxx_personality_v0", "__gcc_personality_v0", "__cxa_throw", "__cxa_rethrow", "__cxa_begin_catch",
        "__cxa_end_catch", "__cxa_allocate_exception", "__cxa_free_exception", "__cxa_init_primary_exception",
        "__cxa_get_globals_fast", "__cxa_get_exception_ptr", "__gxx_exception_cleanup",
        "read_encoded_value_with_base.isra.0", "parse_lsda_header"}},
      {"unwinding of exceptions",
       "prog",
       {"_Unwind_Find_FDE", "uw_frame_state_for", "uw_update_context_1", "uw_init_context_1",
        "uw_install_context_1.cold", "execute_cfa_program"}},
      {"unwinding of exceptions", "/lib/x86_64-linux-gnu/libgcc_s.so.1", {"0x0000000000018ea9"}},
      {"unwinding of exceptions", "/usr/lib/libunwind.so.8", {"dwarf_step"}},
      {"Go runtime",
       "prog",
       {"runtime.mallocgc", "runtime/internal/atomic.Load", "internal/runtime/maps.newTable", "gcWriteBarrierDX",
        "gosave_systemstack_switch", "gogo", "_rt0_amd64_linux"}},
      {"OCaml's garbage collector",
       "prog",
       {"caml_alloc_string", "caml_call_gc", "caml_garbage_collection", "caml_gc_dispatch", "caml_empty_minor_heap",
        "caml_oldify_one", "caml_major_collection_slice", "caml_darken_all_roots_start", "caml_page_table_lookup",
        "mark_slice_darken", "sweep_slice"}},
      {"Lua's garbage collector",
       "liblua5.4.so.0",
       {"luaC_step", "luaM_malloc_", "propagatemark", "reallymarkobject", "singlestep", "sweeplist", "sweepstep"}},
      {"Python's garbage collector",
       "python3.11",
       {"gc_collect_main", "_PyGC_CollectNoFail", "PyObject_GC_Del", "_PyObject_GC_New", "visit_decref",
        "visit_reachable", "subtract_refs", "deduce_unreachable", "move_unreachable", "untrack_tuples"}},
  };
  return kAll;
}

TEST(NoiseGroupTest, FindsTheGroupOfWellKnownFunctions) {
  for (const Examples& some : examples())
    for (std::string_view name : some.names) EXPECT_EQ(noise_group_of(name, some.object), some.group) << name;
}

TEST(NoiseGroupTest, EveryRuleHasAnExample) {
  for (const NoiseRule& rule : noise_rules()) {
    const bool fits = std::any_of(examples().begin(), examples().end(), [&](const Examples& some) {
      return some.group == rule.group &&
             (rule.object.empty() || matches_glob(base_of_path(some.object), rule.object)) &&
             std::any_of(some.names.begin(), some.names.end(),
                         [&](std::string_view name) { return matches_glob(canonical_name(name), rule.name); });
    });
    EXPECT_TRUE(fits) << rule.name << " " << rule.object;
  }
}

TEST(NoiseGroupTest, LeavesTheUsersFunctionsAlone) {
  for (const char* name :
       {"main", "hash", "lex(Lexer&)", "free_list_push", "Arena::malloc(int)", "strlen_fast", "lock", "", "memory"})
    EXPECT_EQ(noise_group_of(name, "/home/me/program"), "") << name;
}

Cause cause_of(CauseKind kind, const std::string& function, const std::string& caller, const std::string& callee,
               int64_t delta) {
  Cause cause;
  cause.kind = kind;
  cause.function = function;
  cause.caller = caller;
  cause.callee = callee;
  cause.delta = delta;
  return cause;
}

TEST(NoiseFoldTest, CausesAreOrderedByMagnitudeThenKindThenNames) {
  const std::vector<Cause> ordered = {
      cause_of(CauseKind::kRest, "", "", "", INT64_MIN), cause_of(CauseKind::kOwnCost, "z", "", "", 7),
      cause_of(CauseKind::kOwnCost, "a", "", "", -5),    cause_of(CauseKind::kOwnCost, "b", "", "", 5),
      cause_of(CauseKind::kCalls, "", "f", "h", -5),     cause_of(CauseKind::kCalls, "", "g", "f", -5),
      cause_of(CauseKind::kCalls, "", "g", "g", 5),      cause_of(CauseKind::kEntry, "a", "", "", 5)};
  std::vector<Cause> sorted(ordered.rbegin(), ordered.rend());
  sort_causes(sorted);
  for (size_t i = 0; i < ordered.size(); ++i)
    EXPECT_EQ(std::tie(sorted[i].kind, sorted[i].function, sorted[i].caller, sorted[i].callee),
              std::tie(ordered[i].kind, ordered[i].function, ordered[i].caller, ordered[i].callee))
        << i;
}

TEST(NoiseFoldTest, OneCauseAloneIsNoGroup) {
  std::vector<GroupedCause> causes = {{cause_of(CauseKind::kOwnCost, "malloc", "", "", 5), "allocator"},
                                      {cause_of(CauseKind::kOwnCost, "f", "", "", 7), ""}};
  const std::vector<Cause> folded = fold_noise(causes, 1000);
  ASSERT_EQ(folded.size(), 2u);
  for (const Cause& cause : folded) EXPECT_EQ(cause.kind, CauseKind::kOwnCost);
  causes.push_back({cause_of(CauseKind::kOwnCost, "free", "", "", -2), "allocator"});
  causes.push_back({cause_of(CauseKind::kOwnCost, "sbrk", "", "", 1), "allocator"});
  EXPECT_EQ(fold_noise(causes, 1000).back().kind, CauseKind::kGroup);
  EXPECT_EQ(fold_noise(causes, 1000).back().delta, 4);
  EXPECT_EQ(fold_noise(causes, 1000).back().inside.size(), 3u);
}

TEST(GlobTest, StarStandsForAnyText) {
  EXPECT_TRUE(matches_glob("", ""));
  EXPECT_TRUE(matches_glob("", "*"));
  EXPECT_TRUE(matches_glob("__memcpy_avx_unaligned", "__mem*_avx*"));
  EXPECT_TRUE(matches_glob("aXbXc", "a*X*c"));
  EXPECT_TRUE(matches_glob("abXc", "a*Xc"));
  EXPECT_TRUE(matches_glob("aXbXc", "a*Xc"));
  EXPECT_FALSE(matches_glob("abc", "ab"));
  EXPECT_FALSE(matches_glob("ab", "abc"));
  EXPECT_FALSE(matches_glob("aXb", "a*c"));
}

}  // namespace
}  // namespace icount
