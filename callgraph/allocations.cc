#include "icount/callgraph/allocations.h"

#include <array>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/callgraph/components.h"
#include "icount/callgraph/graph_sum.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/noise_groups.h"

namespace icount {
namespace {

/// Entries of the C and C++ libraries, tcmalloc, jemalloc, mimalloc, c10 and CPython, as globs.
constexpr std::string_view kAllocating =
    "malloc, calloc, realloc, reallocarray, memalign, aligned_alloc, posix_memalign, __posix_memalign, valloc, "
    "pvalloc, __libc_malloc, __libc_calloc, __libc_realloc, __libc_reallocarray, __libc_memalign, __libc_valloc, "
    "__libc_pvalloc, operator new(*, operator new[](*, _Znw*, _Zna*, tc_malloc*, tc_calloc, tc_realloc, tc_memalign, "
    "tc_posix_memalign, tc_valloc, tc_pvalloc, tc_new*, TCMallocInternalMalloc*, TCMallocInternalCalloc, "
    "TCMallocInternalRealloc, TCMallocInternalNew*, je_malloc, je_calloc, je_realloc, je_aligned_alloc, "
    "je_posix_memalign, je_memalign, je_mallocx, je_rallocx, _rjem_malloc*, _rjem_calloc, _rjem_realloc, "
    "_rjem_rallocx, _rjem_aligned_alloc, mallocx, rallocx, mi_malloc, mi_malloc_small, mi_malloc_aligned*, "
    "mi_calloc*, mi_mallocn, mi_zalloc*, mi_realloc*, mi_rezalloc*, mi_recalloc*, mi_posix_memalign, mi_memalign, "
    "mi_aligned_alloc, mi_new*, mi_heap_malloc*, mi_heap_zalloc*, mi_heap_calloc*, mi_heap_realloc*, "
    "c10::alloc_cpu(*, PyObject_Malloc, PyObject_Calloc, PyObject_Realloc, _PyObject_Malloc*, _PyObject_Calloc*, "
    "_PyObject_Realloc*, PyMem_*alloc";
constexpr std::string_view kFreeing =
    "free, cfree, free_sized, free_aligned_sized, __libc_free, operator delete(*, operator delete[](*, _Zdl*, _Zda*, "
    "tc_free*, tc_cfree, tc_delete*, TCMallocInternalFree*, TCMallocInternalDelete*, je_free*, je_dallocx, "
    "je_sdallocx, _rjem_free*, _rjem_dallocx, _rjem_sdallocx, dallocx, sdallocx, mi_free*, mi_cfree, "
    "c10::free_cpu(*, PyObject_Free, _PyObject_Free*, PyMem_Free, PyMem_RawFree";

using EntryRules = std::vector<std::pair<AllocatorEntry, std::string_view>>;

/// By the first character of the names that they fit: all functions of a profile are asked for.
const std::array<EntryRules, 256>& rules_by_first_character() {
  static const auto kIndex = [] {
    std::array<EntryRules, 256> index;
    for (const auto& [entry, globs] :
         {std::pair(AllocatorEntry::kAllocates, kAllocating), std::pair(AllocatorEntry::kFrees, kFreeing)})
      for (const std::string_view glob : split(globs, ','))
        index[static_cast<unsigned char>(trim(glob).front())].emplace_back(entry, trim(glob));
    return index;
  }();
  return kIndex;
}

constexpr std::string_view kNew = "operator new", kDelete = "operator delete";

bool is_operator(std::string_view name) { return name.starts_with(kNew) || name.starts_with(kDelete); }

/// Of the standard library's forms, which ask an allocator. Others do not, or as any function does: placement new,
/// which builds without optimization call, and a program's own (`operator new(unsigned long, Arena&)`).
bool is_standard_operator(std::string_view name) {
  const size_t open = name.find('(');
  if (open == std::string_view::npos || !name.ends_with(')')) return false;
  const std::vector<std::string_view> arguments = split(name.substr(open + 1, name.size() - open - 2), ',');
  const bool is_new = name.starts_with(kNew);
  for (size_t i = is_new ? 0 : 1; i < arguments.size(); ++i) {
    const std::string_view argument = trim(arguments[i]);
    const bool is_size = argument == "unsigned long" || argument == "unsigned int" || argument == "unsigned long long";
    const bool is_choice = argument == "std::align_val_t" || argument == "std::nothrow_t const&";
    if (is_new && i == 0 ? !is_size : !is_choice && (is_new || !is_size)) return false;
  }
  return is_new || trim(arguments[0]) == "void*";
}

/// Placement new and its delete, where names are not demangled.
bool is_mangled_placement(std::string_view name) {
  return name == "_ZnwmPv" || name == "_ZnamPv" || name == "_ZnwjPv" || name == "_ZnajPv" || name == "_ZdlPvS_" ||
         name == "_ZdaPvS_";
}

/// Callgrind's names for code without symbols.
bool is_nameless(std::string_view name) { return name.starts_with("0x") || name.starts_with("???"); }

/// A shared one exports its allocator by name, stripped or not.
bool is_c_library(std::string_view object) {
  const std::string_view file = base_of_path(object);
  return file.starts_with("libc.so") || file.starts_with("libc-2.") || file.starts_with("ld-musl-");
}

}  // namespace

bool is_part_of_allocator(std::string_view name, std::string_view object) {
  if (allocator_entry_of(name) != AllocatorEntry::kNone) return true;
  return !is_operator(canonical_name(name)) && noise_group_of(name, object) == kAllocatorGroup;
}

AllocatorEntry allocator_entry_of(std::string_view name) {
  if (name.empty()) return AllocatorEntry::kNone;
  const EntryRules& rules = rules_by_first_character()[static_cast<unsigned char>(name.front())];
  if (rules.empty()) return AllocatorEntry::kNone;
  const std::string_view plain = canonical_name(name);
  if (is_operator(plain) ? !is_standard_operator(plain) : is_mangled_placement(plain)) return AllocatorEntry::kNone;
  for (const auto& [entry, glob] : rules)
    if (matches_glob(plain, glob)) return entry;
  return AllocatorEntry::kNone;
}

std::string_view allocator_library_of(std::string_view name, std::string_view object) {
  struct LibraryRule {
    std::string_view library, name, object;
  };
  static constexpr std::string_view kC = "the C library's malloc";
  static constexpr auto kLibraries = std::to_array<LibraryRule>({
      {"jemalloc", "*", "libjemalloc*"},
      {"tcmalloc", "*", "libtcmalloc*"},
      {"mimalloc", "*", "libmimalloc*"},
      {"macOS's malloc", "*", "libsystem_malloc*"},
      {kC, "*", "libc.so*"},
      {kC, "*", "libc-2.*"},
      {kC, "*", "ld-musl-*"},
      {"jemalloc", "je_*", "*"},
      {"jemalloc", "_rjem_*", "*"},
      {"tcmalloc", "tc_*", "*"},
      {"tcmalloc", "*tcmalloc::*", "*"},
      {"tcmalloc", "TCMalloc*", "*"},
      {"mimalloc", "mi_*", "*"},
      {"mimalloc", "_mi_*", "*"},
      {kC, "_int_*", "*"},
      {kC, "unlink_chunk*", "*"},
      {kC, "sysmalloc*", "*"},
      {kC, "malloc_consolidate", "*"},
  });
  const std::string_view file = base_of_path(object);
  const auto fits = [](std::string_view text, std::string_view glob) {
    return glob == "*" || ((glob.front() == '*' || text.starts_with(glob.front())) && matches_glob(text, glob));
  };
  for (const LibraryRule& rule : kLibraries)
    if (fits(file, rule.object) && fits(name, rule.name))
      return noise_group_of(name, object) == kAllocatorGroup ? rule.library : std::string_view();
  return {};
}

std::vector<AllocationCounts> allocations_by_caller(const CostGraph& graph) {
  const size_t count = graph.functions.size();
  std::vector<AllocatorEntry> entries(count);
  for (FunctionIndex f = 0; f < count; ++f) entries[f] = allocator_entry_of(graph.name(f));
  // Only of callers of an allocator it matters whether they are a part of it.
  std::vector<std::optional<bool>> inside(count);
  const auto is_inside = [&](FunctionIndex f) {
    if (!inside[f]) inside[f] = is_part_of_allocator(graph.name(f), graph.object(f));
    return *inside[f];
  };
  std::vector<AllocationCounts> by_caller(count);
  for (const Edge& edge : graph.edges) {
    if (entries[edge.callee] == AllocatorEntry::kNone || is_inside(edge.caller)) continue;
    AllocationCounts& counts = by_caller[edge.caller];
    int64_t& calls = entries[edge.callee] == AllocatorEntry::kAllocates ? counts.allocations : counts.frees;
    calls = saturating_add(calls, edge.calls);
  }
  return by_caller;
}

std::optional<AllocationCounts> count_allocations(const CostGraph& graph) {
  if (!graph.call_counts.trusted) return std::nullopt;
  bool has_named_allocator = false, has_nameless = false;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    has_named_allocator |= allocator_entry_of(graph.name(f)) != AllocatorEntry::kNone || is_c_library(graph.object(f));
    has_nameless |= is_nameless(graph.name(f));
  }
  if (!has_named_allocator && has_nameless) return std::nullopt;
  AllocationCounts sum;
  for (const AllocationCounts& counts : allocations_by_caller(graph)) {
    sum.allocations = saturating_add(sum.allocations, counts.allocations);
    sum.frees = saturating_add(sum.frees, counts.frees);
  }
  return sum;
}

namespace {

/// Gives every edge its share of what its callee costs with all below.
void share_inclusive(CostGraph& graph) {
  std::vector<Arc> arcs;
  for (const Edge& edge : graph.edges) arcs.push_back({edge.caller, edge.callee});
  const Components components = find_components(graph.functions.size(), arcs);
  const Components::Members members = components.members();
  std::vector<std::vector<uint32_t>> entering(components.count());
  std::vector<int64_t> below(components.count(), 0);
  for (uint32_t e = 0; e < graph.edges.size(); ++e)
    if (const uint32_t to = components.of[graph.edges[e].callee]; components.of[graph.edges[e].caller] != to)
      entering[to].push_back(e);
  // Callees have the lower numbers: what a component costs is complete when its turn comes.
  for (uint32_t c = 0; c < components.count(); ++c) {
    int64_t cost = below[c];
    for (const uint32_t f : members.of(c)) cost = saturating_add(cost, graph.self[f]);
    int64_t calls = 0;
    for (const uint32_t e : entering[c]) calls = saturating_add(calls, graph.edges[e].calls);
    for (const uint32_t e : entering[c]) {
      const int64_t own = graph.edges[e].calls;
      const int64_t share = calls == 0 ? 0 : static_cast<int64_t>(static_cast<__int128>(cost) * own / calls);
      graph.inclusive[e] = share;  // the rest goes to the calls that come last
      cost -= share;
      calls -= own;
      int64_t& above = below[components.of[graph.edges[e].caller]];
      above = saturating_add(above, share);
    }
  }
}

}  // namespace

bool is_allocation_event(std::string_view event) { return event == kAllocations || event == kFrees; }

std::optional<CostGraph> make_allocation_graph(const CostGraph& graph, std::string_view event) {
  ICOUNT_CHECK(is_allocation_event(event), "allocations or frees");
  if (!count_allocations(graph)) return std::nullopt;
  const std::vector<AllocationCounts> by_caller = allocations_by_caller(graph);
  CostGraph made = graph;
  made.events = {std::string(event)};
  made.code.reset();
  made.lines.clear();
  made.line_self.clear();
  made.rows.clear();
  made.row_self.clear();
  made.inclusive.assign(made.edges.size(), 0);
  made.self.assign(made.functions.size(), 0);
  made.totals = {0};
  for (FunctionIndex f = 0; f < made.functions.size(); ++f) {
    made.self[f] = event == kAllocations ? by_caller[f].allocations : by_caller[f].frees;
    made.totals[0] = checked_add(made.totals[0], made.self[f], "the allocations");
    made.rows.push_back({f, made.functions[f].file});
    made.row_self.push_back(made.self[f]);
  }
  remove_functions(
      made, [&](FunctionIndex f) { return made.self[f] == 0 && is_part_of_allocator(made.name(f), made.object(f)); });
  share_inclusive(made);
  return made;
}

}  // namespace icount
