#include "icount/store/store_url.h"

#include <fmt/format.h>

#include "icount/base/error.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHint = "a store is a path, sqlite:PATH or postgresql://USER@HOST/DATABASE";

/// "postgresql://user:secret@host/db" with *** for the secret, which must not get into logs.
std::string mask_password(std::string_view url) {
  const size_t start = url.find("://") + 3;
  const size_t authority_end = std::min(url.find_first_of("/?", start), url.size());
  const size_t at = url.substr(0, authority_end).rfind('@');
  const size_t colon = url.find(':', start);
  std::string masked(url);
  if (at != std::string_view::npos && colon < at) masked.replace(colon + 1, at - colon - 1, "***");
  const size_t key = masked.find("password=");
  if (key != std::string::npos) {
    const size_t value = key + std::string_view("password=").size();
    masked.replace(value, std::min(masked.find('&', value), masked.size()) - value, "***");
  }
  return masked;
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
  if (text.starts_with("postgresql://") || text.starts_with("postgres://"))
    return {.postgresql = true, .text = mask_password(text), .connection = std::string(text)};
  std::string_view path = text;
  if (path.starts_with("sqlite:")) path.remove_prefix(std::string_view("sqlite:").size());
  if (path.starts_with("//")) path.remove_prefix(2);
  if (path.empty()) throw Error(ErrorKind::kUsage, fmt::format("store '{}': no path; {}", text, kHint));
  if (path.find("://") != std::string_view::npos)
    throw Error(ErrorKind::kUsage, fmt::format("store '{}': icount knows no such kind of store; {}", text, kHint));
  return sqlite_at(path);
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
