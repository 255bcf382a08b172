// Two quantities side by side in a sentence, with no more digits than tell their difference. Used by
// report/cause_sentence.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace icount {

/// Whether a quantity has no decimals.
bool is_whole(long double value);

/// Two quantities with as few digits as come within half a percent of each and 3 % of their difference: {"6",
/// "14"},
/// {"16.5", "14"}.
std::pair<std::string, std::string> quantities(long double before, long double after);

/// "once" of "1", else "N times".
std::string times(const std::string& count);

// How often and how much, of causes inside a function.

/// "once", "twice", "3 times".
std::string times_text(const std::string& quantity);

/// "1,000 entries", "7,080 -> 6,542 entries".
std::string counts_text(long double base, long double head, std::string_view one, std::string_view many);

/// "33 %", "1.6 %": as many digits as come within a twentieth of it, or of what is left to 100 %.
std::string percent_text(long double share);

/// "33 % of the time instead of 1.6 %"; where it is no share, since control also comes from nowhere (exceptions), "45
/// times per call instead of 25".
std::string share_text(long double base, long double head, std::string_view per);

}  // namespace icount
