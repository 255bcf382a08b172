// Where a history lives: "sqlite:PATH", a plain path, or "postgresql://...". Without one: the nearest
// .icount/history.sqlite from the current folder upward. The world's part (current folder, environment) is handed in by
// cli. Then read store/history.h.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

struct StoreUrl {
  bool postgresql = false;
  std::string text;                 ///< for messages: the path, or the URL with *** for whatever may be a secret
  std::filesystem::path path;       ///< SQLite: the file
  std::string connection;           ///< PostgreSQL: the URL as given, for libpq
  std::vector<std::string> hidden;  ///< what the *** in `text` stand for
  std::optional<std::chrono::seconds> answer_limit = {};  ///< PostgreSQL: of its parameter icount_timeout
};

/// Error{kUsage} for an empty text, another scheme, a path that SQLite's connection string can't carry, and whatever
/// may be a mistyped address with a password in it, which the message doesn't quote.
StoreUrl parse_store_url(std::string_view text);

/// What may be seen of it: parse_store_url(text).text, or "***" where that throws.
std::string shown_store(std::string_view text);

/// `given` when it is not empty, else `from_environment` (ICOUNT_STORE) when that is not, else the
/// .icount/history.sqlite of `folder` or of the nearest folder above it that has one; when none has: of the nearest
/// folder with a .git, else `folder`.
StoreUrl find_store(std::string_view given, std::string_view from_environment, const std::filesystem::path& folder);

}  // namespace icount
