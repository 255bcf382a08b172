// Names of Rust's functions by their symbols, in either mangling, as Valgrind writes them: without hashes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace icount {

/// "<bool as core::fmt::Display>::fmt" of "_RNvXsg_NtCsgEmfK2I1SDS_4core3fmtbNtB5_7Display3fmt"; nullopt for other
/// symbols, and for names that are longer than any in a program. Letters outside ASCII stay encoded.
std::optional<std::string> demangle_rust(std::string_view symbol);

}  // namespace icount
