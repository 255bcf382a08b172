#include "icount/store/store_url.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/store/postgresql_url.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHint = "a store is a path, sqlite:PATH or postgresql://USER@HOST/DATABASE";

/// Nothing but a file can be meant: it says so by how it begins.
bool begins_as_path(std::string_view text) {
  return text.starts_with('/') || text.starts_with("./") || text.starts_with("../");
}

/// "=VALUE", " = VALUE", ":VALUE", "%3DVALUE".
bool begins_value(std::string_view text) {
  text = trim(text);
  return text.starts_with('=') || text.starts_with(':') || text.starts_with("%3a") || text.starts_with("%3d");
}

/// Whether a word such as "password" occurs; with `of_value`, only where a value is given to it.
bool names_secret(std::string_view lower, bool of_value) {
  for (const std::string_view word : {"password", "passwd", "pwd", "secret", "token"})
    for (size_t at = lower.find(word); at != std::string_view::npos; at = lower.find(word, at + 1))
      if (!of_value || begins_value(lower.substr(at + word.size()))) return true;
  return false;
}

bool has_database_ending(std::string_view lower) {
  return lower.ends_with(".sqlite") || lower.ends_with(".sqlite3") || lower.ends_with(".db");
}

/// Whether anything but the path of a file may be meant, such as a server's address in another spelling: then it may
/// hold a password. What begins as a path is one unless it has the signs of a login; other texts are paths when nothing
/// in them means something in an address.
bool may_hold_password(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  if (lower.find("://") != std::string::npos || names_secret(lower, true)) return true;
  const size_t at = lower.rfind('@');
  if (begins_as_path(lower)) return lower[0] == '/' && at != std::string::npos && lower.find(':') < at;
  if (lower.find_first_of(":=?&;%#\\*|<>") != std::string::npos) return true;
  if (at != std::string::npos && lower.find('/') != std::string::npos) return true;
  return names_secret(lower, false) && !has_database_ending(lower);
}

StoreUrl sqlite_at(const fs::path& path) {
  if (path.string().find('"') != std::string::npos)
    throw Error(ErrorKind::kUsage, fmt::format("{}: a store's path can't hold a double quote", path.string()));
  return {.text = path.string(), .path = path};
}

/// The nearest folder from `start` upward that holds `name`; empty when none does.
fs::path nearest_folder_with(const fs::path& start, const fs::path& name) {
  std::error_code ignored;
  for (fs::path folder = start;; folder = folder.parent_path()) {
    if (fs::exists(folder / name, ignored)) return folder;
    if (!folder.has_relative_path()) return {};
  }
}

}  // namespace

StoreUrl parse_store_url(std::string_view text) {
  if (is_postgresql_url(text)) {
    PostgresqlUrl url = parse_postgresql_url(text);
    return {.postgresql = true,
            .text = std::move(url.shown),
            .path = {},
            .connection = std::move(url.connection),
            .hidden = std::move(url.hidden),
            .answer_limit = url.answer_limit};
  }
  std::string_view path = text;
  if (path.starts_with("sqlite:")) path.remove_prefix(std::string_view("sqlite:").size());
  if (path.starts_with("//")) path.remove_prefix(2);
  if (path.empty()) throw Error(ErrorKind::kUsage, fmt::format("store '{}': no path; {}", text, kHint));
  if (may_hold_password(path))
    throw Error(ErrorKind::kUsage,
                fmt::format("store '***': icount knows no such kind of store (the text is hidden, it may hold a "
                            "password); {}; a file whose name looks like an address is written ./NAME",
                            kHint));
  return sqlite_at(path);
}

std::string shown_store(std::string_view text) {
  try {
    return parse_store_url(text).text;
  } catch (const Error&) {
    return is_postgresql_url(text) ? "postgresql://***" : "***";
  }
}

StoreUrl find_store(std::string_view given, std::string_view from_environment, const fs::path& folder) {
  if (!given.empty()) return parse_store_url(given);
  if (!from_environment.empty()) return in_context("ICOUNT_STORE", [&] { return parse_store_url(from_environment); });
  const fs::path file = fs::path(".icount") / "history.sqlite";
  fs::path home = nearest_folder_with(folder, file);
  if (home.empty()) home = nearest_folder_with(folder, ".git");
  return sqlite_at((home.empty() ? folder : home) / file);
}

}  // namespace icount
