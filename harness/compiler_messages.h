// What the messages of a compiler or linker say about the user's statements: whose fault it is, and in which of their
// own lines. harness/build.h takes failing units apart by it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// Statements by index.
using Members = std::vector<size_t>;

/// Those of `among` whose numbered texts ("icount-3/stmt:1:2: error: ...") the compiler complains about, in its order,
/// once each.
Members suspects_of(std::string_view message, const Members& among);

/// The same for a linker's message, which names functions or sections of the generated code.
Members unlinked_of(std::string_view message, const Members& among);

/// The first error as one line, in the user's own coordinates where there is one: "stmt:2:5: expected ';'"; the first
/// line that names an error otherwise.
std::string first_compiler_error(std::string_view message);

}  // namespace icount
