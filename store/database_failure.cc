#include "icount/store/database_failure.h"

#include <fmt/format.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <new>
#include <string_view>

#include "icount/base/text.h"

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

}  // namespace icount
