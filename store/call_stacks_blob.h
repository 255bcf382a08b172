// Call stacks as a few kilobytes, beside the packed cost graph in result files. Layout: docs/result_file.md.
#pragma once

#include <string>
#include <string_view>

#include "icount/stacks/call_stacks.h"

namespace icount {

/// The stacks packed. Deterministic for one zstd version.
std::string encode_call_stacks(const CallStacks& stacks);

/// The stacks back. Error{kMalformed} beginning with `name` for anything that encode_call_stacks did not write.
CallStacks decode_call_stacks(std::string_view blob, std::string_view name);

}  // namespace icount
