// What happens inside functions, as the last part of a packed cost graph (store/cost_graph_blob.h).
//
// Layout: the files, each as length and bytes; then for every function its number plus one and four tables, each
// beginning with its length: rows (address, file, line, executions, self cost per event less executions), jumps (from,
// function, to, followed), calls (from, callee, to, calls), entries (to, caller times two plus one for a jump, times).
// Functions are numbers plus one, 0 for one that is not in the graph. Addresses of rows and jumps, lines and executions
// are differences to the one above. What object files said follows where there is any: objects (name, path, identity,
// compiler and options, what is added to their addresses, whether inlined functions are known), inlined functions
// (name, file, line, line of the call, number plus one of the one around it), and for every row its inlined function
// plus one, as a difference to the row above.
#pragma once

#include "icount/callgraph/function_code.h"
#include "icount/store/byte_stream.h"

namespace icount {

/// `code` has the indices of the packed graph.
void put_function_code(ByteWriter& out, const ProfileCode& code);

/// Indices are below `functions`, or kUnknownFunction where they may be. Fails for anything else, as the reader does.
ProfileCode take_function_code(ByteReader& in, size_t functions, size_t events);

}  // namespace icount
