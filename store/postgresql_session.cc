#include "icount/store/postgresql_session.h"

#include <fmt/format.h>
#include <soci/backend-loader.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>
#include <soci/version.h>

#include <algorithm>
#include <new>
#include <string_view>
#include <vector>

#include "icount/base/text.h"
#include "icount/store/postgresql_url.h"

namespace icount {
namespace {

std::string_view sqlite_advice(int code) {
  switch (code & 0xff) {  // the low byte is the primary result code of an extended one
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another process is writing it and did not finish in time; try again";
    case SQLITE_FULL:
      return "the disk is full; nothing was changed";
    case SQLITE_READONLY:
      return "it, or its folder, is read-only; nothing was changed";
    case SQLITE_CANTOPEN:
      return "cannot be opened: missing, or no permission on it or its folder";
    case SQLITE_IOERR:
      return "the disk refused the write (full, a limit on file sizes, or failing); nothing was changed";
    case SQLITE_CORRUPT:
      return "it is damaged; `icount store check` reports details, and a backup or a merge of other copies restores it";
    case SQLITE_NOTADB:
      return "it is not an SQLite database, or its first page is damaged";
    default:
      return "";
  }
}

ErrorKind sqlite_kind(int code) {
  const int primary = code & 0xff;
  return primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB ? ErrorKind::kMalformed : ErrorKind::kIo;
}

/// The server's words without line breaks and its own "ERROR:".
std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  if (const size_t at = line.find("ERROR: "); at != std::string::npos) line.erase(0, at + 7);
  return std::string(trim(line));
}

std::string_view server_advice(soci::soci_error::error_category category) {
  switch (category) {
    case soci::soci_error::connection_error:
      return "no connection to the server: ";
    case soci::soci_error::no_privilege:
      return "no permission: ";
    case soci::soci_error::system_error:
      return "the server is out of room or stopping; nothing was changed: ";
    default:
      return "";
  }
}

}  // namespace

DatabaseFailure current_database_failure() {
  try {
    throw;
  } catch (const soci::sqlite3_soci_error& error) {
    const std::string words = one_line(error.get_error_message());
    const std::string_view advice = sqlite_advice(error.result());
    return {sqlite_kind(error.result()), advice.empty() ? words : fmt::format("{} ({})", advice, words), words};
  } catch (const soci::soci_error& error) {
    const std::string words = one_line(error.get_error_message());
    return {ErrorKind::kIo, fmt::format("{}{}", server_advice(error.get_error_category()), words), words};
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // bad_cast of a column that holds another type, and what else SOCI throws
    const std::string words = one_line(error.what());
    return {ErrorKind::kMalformed, fmt::format("holds data that icount does not write ({})", words), words};
  }
}

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
