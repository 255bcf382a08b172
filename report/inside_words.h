// How often and how much, in the sentences of causes inside a function (report/cause_sentence).
#pragma once

#include <string>
#include <string_view>

namespace icount {

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
