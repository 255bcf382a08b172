// Bytes as PostgreSQL takes and gives them: "\x0a1b". Used by store/database.cc; SQLite takes bytes as they are.
#pragma once

#include <string>
#include <string_view>

namespace icount {

/// "\n\x1b" -> "\x0a1b".
std::string to_hex_bytes(std::string_view bytes);

/// Back again; the first two characters are passed over, an odd last digit is left out.
std::string from_hex_bytes(std::string_view hex);

}  // namespace icount
