// System calls by kind, from a graph that was measured with --syscalls: Callgrind attributes each call to the function
// that makes it, and the C library has a function of its own for nearly every system call. Read cost_graph.h first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"

namespace icount {

/// Callgrind's events of system calls: their number, and how long they took, in milliseconds.
inline constexpr std::string_view kSystemCallCount = "sysCount", kSystemCallTime = "sysTime";

/// "calls of openat": one kind of them, as an event.
inline constexpr std::string_view kCallsOf = "calls of ";

struct SystemCall {
  std::string name;  ///< system_call_name of the functions that make it
  int64_t calls = 0;
  int64_t milliseconds = 0;  ///< each call's time was rounded down
  bool operator==(const SystemCall&) const = default;
};

/// "openat" of "__openat_nocancel", "write" of "__GI___libc_write". A function that makes a call by itself
/// (`syscall`, code of the loader, Go's) keeps its name.
std::string system_call_name(std::string_view function);

/// The most frequent first, then by name; empty where the graph has no such event.
std::vector<SystemCall> system_calls(const CostGraph& graph);

/// The number of an event that begins with kCallsOf; nullopt for others and where the graph has no such events.
std::optional<int64_t> calls_of_kind(const CostGraph& graph, std::string_view event);

}  // namespace icount
