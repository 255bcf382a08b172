// Profiles of --separate-callers, in which a function stands once for every way it was called by: "leaf'a'main". Reads
// the call stacks out of them; stacks/fold_contexts.h makes the plain cost graph of them. Read stacks/call_stacks.h
// first.
#pragma once

#include <cstddef>
#include <optional>

#include "icount/callgraph/cost_graph.h"
#include "icount/stacks/call_stacks.h"

namespace icount {

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
