// The fingerprint's fact of a result that was not measured in its run but taken over from an earlier one
// (suite/take_over sets it). Its value is always the same and it only names, so that it never is a difference;
// histories know by it which of their points were measured.
#pragma once

#include <string_view>

namespace icount {

inline constexpr std::string_view kTakenOverFact = "taken over";
inline constexpr std::string_view kTakenOverValue = "unchanged, not measured in this run";

}  // namespace icount
