// Text that shows as itself in HTML. Used by every page.
#pragma once

#include <string>
#include <string_view>

namespace icount {

/// Markup's characters as entities, control bytes as \xNN; fit for text and for attributes between double quotes.
std::string escape_html(std::string_view text);

/// What a Content-Security-Policy calls the bytes with this SHA-256.
std::string policy_hash(std::string_view sha256_hex);

}  // namespace icount
