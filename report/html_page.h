// Data -> one self-contained HTML file: styles, scripts (report/assets) and the data inside, nothing fetched from
// anywhere. The page's policy lets exactly these scripts and styles run, so that a hostile name in the data stays text.
#pragma once

#include <string>
#include <string_view>

#include "icount/base/json.h"

namespace icount {

/// Markup's characters as entities, control bytes as \xNN; fit for text and for attributes between double quotes.
std::string escape_html(std::string_view text);

/// What a Content-Security-Policy calls the bytes with this SHA-256.
std::string policy_hash(std::string_view sha256_hex);

/// Data above this many bytes is packed (zlib, base64) and unpacked by the browser.
inline constexpr size_t kPlainDataBytes = 200'000;

/// A page without scripts in the same style, of markup.
std::string render_plain_page(std::string_view title, std::string_view body);

std::string render_html_page(std::string_view title, const Json& data);

/// JSON text that is inert inside a <script> element: <, >, & and U+2028/2029 as \u escapes. The value stays the same.
std::string inert_json(const Json& data);

}  // namespace icount
