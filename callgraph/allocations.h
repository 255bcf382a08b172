// How often a program asks an allocator for memory and gives it back, from the call edges that every profile has: calls
// that enter the allocator from outside of it. Read cost_graph.h first; timer/count_results.h and
// inputs/measure_program put the figures into results.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"

namespace icount {

/// What a function does for who calls it from outside of the allocator.
enum class AllocatorEntry { kNone, kAllocates, kFrees };

/// By name (clone tags and a recursion level are ignored): malloc, calloc, realloc and the aligned forms, all forms of
/// operator new and delete, the entries of tcmalloc, jemalloc, mimalloc and CPython, and LibTorch's c10::alloc_cpu.
/// Reallocation allocates. Members (`T::operator new`), placement new and other forms of a program's own are functions
/// like any other.
AllocatorEntry allocator_entry_of(std::string_view name);

/// What an allocator is made of, its entries among them: a call from there is not from outside.
bool is_part_of_allocator(std::string_view name, std::string_view object);

/// The library whose allocator a function is part of, by name and object, entries and insides: "the C library's
/// malloc", "jemalloc", "tcmalloc", "mimalloc", "macOS's malloc". Empty for other functions, and for those that ask
/// another allocator for memory (operator new of the C++ library, CPython's).
std::string_view allocator_library_of(std::string_view name, std::string_view object);

/// The names of the events that these figures are in results and in limits.
inline constexpr std::string_view kAllocations = "allocations", kFrees = "frees";

/// Outermost calls: `operator new` calling `malloc` is one. free(NULL) is a call like any other.
struct AllocationCounts {
  int64_t allocations = 0;
  int64_t frees = 0;
  bool operator==(const AllocationCounts&) const = default;
};

/// nullopt where they can't be known: call counts that can't be trusted, and code without symbols in a graph in which
/// no allocator has a name (a stripped static program).
std::optional<AllocationCounts> count_allocations(const CostGraph& graph);

/// The same by the function that calls the allocator, one entry per function of the graph.
std::vector<AllocationCounts> allocations_by_caller(const CostGraph& graph);

// Allocations as the cost of a graph: what explain() needs to tell the causes of a change in allocations as it tells
// those of a change in instructions.

/// The graph with one event, `event` (kAllocations or kFrees): the self cost of a function is the number of its calls
/// into an allocator, and the allocator's own functions are gone. What an edge costs with all below is the callee's
/// cost, shared by its calls. nullopt where count_allocations knows no figure.
std::optional<CostGraph> make_allocation_graph(const CostGraph& graph, std::string_view event);

/// Whether `event` is one of the two.
bool is_allocation_event(std::string_view event);

}  // namespace icount
