// Profiles of --separate-callers, in which a function stands once for every way it was called by: "leaf'a'main". Reads
// the call stacks out of them, and makes the plain cost graph of them. Read stacks/call_stacks.h first.
#pragma once

#include <cstddef>
#include <optional>

#include "icount/callgraph/cost_graph.h"
#include "icount/stacks/call_stacks.h"

namespace icount {

// A profile of --separate-callers as the plain cost graph that the same run gives without it.

/// The graph without callers in names; recursion levels stay. Equal to that of the same run without --separate-callers.
CostGraph fold_contexts(const CostGraph& contexts);

/// Keeps the costliest frames (by the first event); others join in a frame "… other" of their caller, where each
/// function has a leaf. At most max_frames remain, or a leaf for each function where those are more.
CallStacks limit_call_stacks(CallStacks stacks, size_t max_frames);

/// Whether names are contexts: they name callers, and the calls of the graph agree with most of them. An apostrophe
/// alone proves nothing, symbols may hold one.
bool has_contexts(const CostGraph& graph);

/// The stacks behind the contexts. A context that names fewer callers than the others tells its whole stack. One that
/// names as many may have been reached in several ways: as far as all ways have the same frames, these are its outer
/// frames, then comes a frame of kind kJoined, then the callers that it names. Frames above the measured region, which
/// cost nothing of it, are left out. Recursion of a function through itself is a frame of the same name below it.
CallStacks make_call_stacks(const CostGraph& contexts);

/// How many frames a result keeps.
inline constexpr size_t kMostStoredFrames = 100000;

/// Nothing for a graph without contexts. Else folds it and returns its stacks, limited to kMostStoredFrames.
std::optional<CallStacks> take_call_stacks(CostGraph& graph);

}  // namespace icount
