#include "icount/store/store_url.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "icount/base/error.h"
#include "icount/base/hex.h"
#include "icount/base/text.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHint = "a store is a path, sqlite:PATH or postgresql://USER@HOST/DATABASE";

constexpr std::string_view kPostgresql = "postgresql://";
constexpr std::string_view kPercent =
    "; in a URL each of the characters @ : / ? # % of a name or password is written %40, %3A, %2F, %3F, %23, %25";

/// What may be seen of a URL's parameters; everything else may be a secret (password, sslpassword, passfile).
constexpr std::string_view kHarmless[] = {
    "host", "hostaddr", "port", "dbname", "user", "connect_timeout", "sslmode", "application_name", "gssencmode"};

/// Nothing of the URL is shown: which of its characters are the password's can't be told.
[[noreturn]] void refuse_url(std::string_view why) {
  throw Error(ErrorKind::kUsage, fmt::format("store {}***: {}{}", kPostgresql, why, kPercent));
}

bool is_percent_encoded(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const bool token =
        text[i] != '%' || (i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0);
    if (!token || text[i] == '@' || text[i] == ':' || static_cast<unsigned char>(text[i]) <= ' ') return false;
  }
  return true;
}

/// "user:secret@" -> "user:***@"; what may be read in another way than this one is refused.
std::string mask_user(std::string_view user) {
  const size_t colon = std::min(user.find(':'), user.size());
  const std::string_view password = user.substr(std::min(colon + 1, user.size()));
  if (!is_percent_encoded(user.substr(0, colon)) || !is_percent_encoded(password))
    refuse_url("its user or password holds characters that mean something in a URL");
  return std::string(user.substr(0, colon)) + (colon < user.size() ? ":***@" : "@");
}

std::string mask_parameters(std::string_view parameters) {
  std::string masked;
  for (const std::string_view parameter : split(parameters, '&')) {
    const size_t equals = parameter.find('=');
    const std::string_view key = parameter.substr(0, equals);
    const bool shown = std::find(std::begin(kHarmless), std::end(kHarmless), key) != std::end(kHarmless);
    masked += fmt::format("{}{}", masked.empty() ? '?' : '&', shown ? parameter : std::string(key) + "=***");
  }
  return masked;
}

/// Whether a server's port is none: "user:secret" without the "@host" that was forgotten.
bool has_odd_port(std::string_view servers) {
  for (const std::string_view server : split(servers, ',')) {
    const size_t bracket = server.rfind(']');
    const size_t colon = server.find(':', bracket == std::string_view::npos ? 0 : bracket);
    if (colon != std::string_view::npos && server.find_first_not_of("0123456789", colon + 1) != std::string_view::npos)
      return true;
  }
  return false;
}

/// "postgresql://user:secret@host/db?sslpassword=secret" with *** for secrets, which must not get into logs.
std::string mask_secrets(std::string_view url) {
  const std::string_view rest = url.substr(url.find("://") + 3);
  const size_t question = std::min(rest.find('?'), rest.size());
  const size_t authority_end = std::min(rest.find_first_of("/?#"), rest.size());
  const size_t at = rest.find('@');
  std::string masked(url.substr(0, url.size() - rest.size()));
  if (at != std::string_view::npos && at > authority_end && at < rest.size())
    refuse_url("an @ stands behind its server's name");
  const size_t host = at == std::string_view::npos ? 0 : at + 1;
  if (rest.find('@', host) != std::string_view::npos) refuse_url("it holds a second @");
  if (has_odd_port(rest.substr(host, std::max(authority_end, host) - host))) refuse_url("its port is not a number");
  if (host > 0) masked += mask_user(rest.substr(0, at));
  masked += rest.substr(host, question - host);
  return question < rest.size() ? masked + mask_parameters(rest.substr(question + 1)) : masked;
}

/// "user:secret@host": a server's address without its kind. "a:b@c.sqlite" and "./a:b@c" are files.
bool looks_like_login(std::string_view text) {
  const size_t colon = text.find_first_of(":/@");
  const bool is_login = colon < text.size() && text[colon] != '/' && text.find('@') != std::string_view::npos &&
                        text.find(':') != std::string_view::npos;
  return is_login && !text.ends_with(".sqlite") && !text.ends_with(".sqlite3") && !text.ends_with(".db");
}

/// What looks like a server's address in another spelling, and may hold a password.
bool may_hold_password(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower.find("://") != std::string::npos || lower.find("password=") != std::string::npos ||
         (lower.starts_with("postgres") && lower.find(':') != std::string::npos) || looks_like_login(lower);
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
    return {.postgresql = true, .text = mask_secrets(text), .connection = std::string(text)};
  std::string_view path = text;
  if (path.starts_with("sqlite:")) path.remove_prefix(std::string_view("sqlite:").size());
  if (path.starts_with("//")) path.remove_prefix(2);
  if (path.empty()) throw Error(ErrorKind::kUsage, fmt::format("store '{}': no path; {}", text, kHint));
  if (may_hold_password(path))
    throw Error(ErrorKind::kUsage,
                fmt::format("store '***': icount knows no such kind of store (the text is hidden, it may hold a "
                            "password); {}",
                            kHint));
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
