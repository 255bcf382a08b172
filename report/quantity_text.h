// Two quantities side by side in a sentence, with no more digits than tell them apart. Used by report/cause_sentence.
#pragma once

#include <string>
#include <utility>

namespace icount {

/// Whether a quantity has no decimals.
bool is_whole(long double value);

/// Two quantities with as few digits as tell them apart and come within half a percent: {"6", "14"}, {"16.5", "14"}.
std::pair<std::string, std::string> quantities(long double before, long double after);

/// "once" of "1", else "N times".
std::string times(const std::string& count);

}  // namespace icount
