// What happens inside functions, as the last part of a packed cost graph (store/cost_graph_blob.h). Layout:
// docs/result_file.md.
#pragma once

#include "icount/callgraph/function_code.h"
#include "icount/store/byte_stream.h"

namespace icount {

/// `code` has the indices of the packed graph.
void put_function_code(ByteWriter& out, const ProfileCode& code);

/// Indices are below `functions`, or kUnknownFunction where they may be. Fails for anything else, as the reader does.
ProfileCode take_function_code(ByteReader& in, size_t functions, size_t events);

}  // namespace icount
