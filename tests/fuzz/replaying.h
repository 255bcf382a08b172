// Whether a target replays its corpus, as tests do, or searches for inputs. Where an input has several properties to be
// looked at, a search looks at one, which the input chooses, and so at more inputs; a replay looks at all.
#pragma once

namespace icount {

#ifdef ICOUNT_FUZZ_REPLAY
inline constexpr bool kReplays = true;
#else
inline constexpr bool kReplays = false;
#endif

}  // namespace icount
