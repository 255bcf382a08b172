// The fingerprint's fact that names the version of the stub in which a statement was counted. timer/collect_fingerprint
// sets it, comparable() judges it.
#pragma once

#include <string_view>

namespace icount {

/// Results without this fact, those of earlier icounts among them, have version "1"; unlike other facts, it is a
/// difference where one side alone has it.
inline constexpr std::string_view kStubFact = "stub";

}  // namespace icount
