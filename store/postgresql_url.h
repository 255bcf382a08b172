// The address of a PostgreSQL server, read by a grammar that is stricter than libpq's: what icount shows of it is made
// of parts that are known to be harmless, and an address in which a password may stand elsewhere is refused. Called by
// store/store_url.h.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// The parameter of a URL that is icount's, not libpq's: how many seconds a server may take for one statement.
inline constexpr std::string_view kAnswerLimitKey = "icount_timeout";

struct PostgresqlUrl {
  std::string shown;                ///< with *** in place of the password and of whatever may be a secret
  std::string connection;           ///< for libpq: the URL as written, without kAnswerLimitKey
  std::vector<std::string> hidden;  ///< what the *** stand for, as written and decoded
  std::optional<std::chrono::seconds> answer_limit;  ///< of kAnswerLimitKey
};

/// "postgresql://" or "postgres://".
bool is_postgresql_url(std::string_view text);

/// Error{kUsage}, which quotes nothing of `url`, for what is not
/// SCHEME://[USER[:PASSWORD]@]HOST[:PORT][,...][/DATABASE][?KEY=VALUE[&...]], or has a kAnswerLimitKey twice or with
/// anything but whole seconds from 1 to 86400.
PostgresqlUrl parse_postgresql_url(std::string_view url);

/// `url`, which parse_postgresql_url() took, with KEY=VALUE where it has no KEY of its own.
std::string with_parameter(const std::string& url, std::string_view key, std::string_view value);

/// Whether one of the `hidden` texts, or eight characters of one, occur in `words`, such as a server's.
bool quotes_hidden(const std::vector<std::string>& hidden, std::string_view words);

}  // namespace icount
