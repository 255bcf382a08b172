// How a session with a PostgreSQL server is opened, what SOCI throws in icount's words, and which of the server's words
// are shown. Used by store/database.cc.
#pragma once

#include <chrono>
#include <string>

#include "icount/base/error.h"
#include "icount/store/database.h"

namespace soci {
class session;
}

namespace icount {

/// The kind of failure, what happened, and what to do where that is known; store/database.cc puts the store's name
/// before it.
struct DatabaseFailure {
  ErrorKind kind;
  std::string what;          ///< with advice where there is any
  std::string server_words;  ///< what SQLite or the server said, on one line
};

/// The failure that is being handled: call within catch (...). An exception that is not SOCI's goes on its way.
DatabaseFailure current_database_failure();

/// Opens `session` with limits for connecting and for a connection that is cut off, where the URL has none of its own.
/// What SOCI throws, and Error{kTool} where its PostgreSQL backend cannot be loaded.
void open_postgresql(soci::session& session, const Database& database);

/// How long opening may take when an answer may take `answer`: a URL's own connect_timeout comes on top, for each
/// server.
std::chrono::milliseconds opening_limit(const std::string& url, std::chrono::milliseconds answer);

/// `failure.what`, unless it may quote what url.text hides.
std::string shown_failure(const StoreUrl& url, const DatabaseFailure& failure);

}  // namespace icount
