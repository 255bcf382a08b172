// Does a statement compile at all? A fuzzer run has the same statement hundreds of times; when it is
// misspelt, one compiler message is enough, and soon.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "icount/harness/timer_args.h"
#include "icount/timer/collect_callgrind.h"

namespace icount {

/// The compiler's first error for `statements`, with its whole message below it; nullopt when they compile
/// (Python: always).
using CompileCheck = std::function<std::optional<std::string>(std::span<const TimerArgs>, const CollectOptions&)>;

/// Compiles and links a stub of these statements alone, in the build cache. Errors as collect_callgrind's.
std::optional<std::string> check_compiles(std::span<const TimerArgs> statements, const CollectOptions& options);

}  // namespace icount
