#include "icount/store/postgresql_session.h"

#include <fmt/format.h>
#include <soci/backend-loader.h>
#include <soci/soci.h>
#include <soci/version.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/store/postgresql_url.h"

namespace icount {
namespace {

constexpr std::string_view kNotConnected =
    "Cannot establish connection to the database. ";  // SOCI's, before libpq's words

/// SOCI's PostgreSQL half is loaded when a history asks for it: libpq brings twenty libraries, and linking them
/// adds 7 ms to every start of icount.
void load_backend(const Database& database) {
  const std::vector<std::string> loaded = soci::dynamic_backends::list_all();
  if (std::find(loaded.begin(), loaded.end(), "postgresql") != loaded.end()) return;
  const std::string library =
      fmt::format("libsoci_postgresql.so.{}.{}", SOCI_VERSION / 100000, SOCI_VERSION / 100 % 1000);
  try {
    soci::dynamic_backends::register_backend("postgresql", library);
  } catch (...) {
    database.fail(
        ErrorKind::kTool,
        fmt::format("{} cannot be loaded; install SOCI's PostgreSQL backend (Debian: libsoci-postgresql4.0): {}",
                    library, current_database_failure().server_words));
  }
}

/// Whether libpq had taken the address: then its words are about a server, and quote no part of the address but names.
bool is_about_a_server(std::string_view words) {
  constexpr std::string_view kBeginnings[] = {"connection to server",
                                              "could not connect to server",
                                              "could not translate host name",
                                              "could not receive data",
                                              "could not send ",
                                              "server closed the connection",
                                              "timeout expired",
                                              "FATAL: "};
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                     [&](std::string_view beginning) { return words.starts_with(beginning); });
}

}  // namespace

void open_postgresql(soci::session& session, const Database& database) {
  load_backend(database);
  std::string url = database.url().connection;
  for (const auto& [key, value] :
       {std::pair("connect_timeout", "10"), std::pair("keepalives_idle", "30"), std::pair("keepalives_interval", "10"),
        std::pair("keepalives_count", "3"), std::pair("tcp_user_timeout", "60000")})
    url = with_parameter(url, key, value);
  session.open("postgresql", url);
}

std::chrono::milliseconds opening_limit(const std::string& url, std::chrono::milliseconds answer) {
  constexpr std::string_view kKey = "connect_timeout=";
  const size_t at = url.find(kKey, std::min(url.find('?'), url.size()));
  if (at == std::string::npos) return answer;
  const std::string_view value = std::string_view(url).substr(at + kKey.size());
  const int64_t seconds = std::clamp<int64_t>(parse_int64(value.substr(0, value.find('&'))).value_or(0), 0,
                                              std::chrono::seconds(std::chrono::hours(24)).count());
  return answer + std::chrono::seconds(seconds) * (1 + std::count(url.begin(), url.end(), ','));
}

std::string shown_failure(const StoreUrl& url, const DatabaseFailure& failure) {
  std::string_view words = failure.server_words;
  const bool is_opening = words.starts_with(kNotConnected);
  if (is_opening) words.remove_prefix(kNotConnected.size());
  if (is_opening && !is_about_a_server(words))
    return "libpq refuses a parameter or another part of the address (its message is hidden, it may quote a "
           "password); https://www.postgresql.org/docs/current/libpq-connect.html lists what it accepts";
  if (quotes_hidden(url.hidden, words))
    return "the server refused (its message is hidden: it quotes a part of the address that is not shown); its log has "
           "them";
  return failure.what;
}

}  // namespace icount
