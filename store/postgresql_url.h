// The address of a PostgreSQL server, read by a grammar that is stricter than libpq's: what icount shows of it is made
// of parts that are known to be harmless, and an address in which a password may stand elsewhere is refused. Called by
// store/store_url.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace icount {

struct PostgresqlUrl {
  std::string shown;                ///< with *** in place of the password and of whatever may be a secret
  std::vector<std::string> hidden;  ///< what the *** stand for, as written and decoded
};

/// "postgresql://" or "postgres://".
bool is_postgresql_url(std::string_view text);

/// Error{kUsage}, which quotes nothing of `url`, for what is not
/// SCHEME://[USER[:PASSWORD]@]HOST[:PORT][,...][/DATABASE][?KEY=VALUE[&...]].
PostgresqlUrl parse_postgresql_url(std::string_view url);

/// `url`, which parse_postgresql_url() took, with KEY=VALUE where it has no KEY of its own.
std::string with_parameter(const std::string& url, std::string_view key, std::string_view value);

/// Whether one of the `hidden` texts, or eight characters of one, occur in `words`, such as a server's.
bool quotes_hidden(const std::vector<std::string>& hidden, std::string_view words);

}  // namespace icount
