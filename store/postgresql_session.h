// How a session with a PostgreSQL server is opened, and which of its words are shown. Used by store/database.cc.
#pragma once

#include <chrono>
#include <string>

#include "icount/store/database.h"
#include "icount/store/database_failure.h"

namespace soci {
class session;
}

namespace icount {

/// Opens `session` with limits for connecting and for a connection that is cut off, where the URL has none of its own.
/// What SOCI throws, and Error{kTool} where its PostgreSQL backend cannot be loaded.
void open_postgresql(soci::session& session, const Database& database);

/// How long opening may take when an answer may take `answer`: a URL's own connect_timeout comes on top, for each
/// server.
std::chrono::milliseconds opening_limit(const std::string& url, std::chrono::milliseconds answer);

/// `failure.what`, unless it may quote what url.text hides.
std::string shown_failure(const StoreUrl& url, const DatabaseFailure& failure);

}  // namespace icount
