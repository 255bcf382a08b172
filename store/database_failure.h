// What SOCI throws, in icount's words: the kind of failure, what happened, and what to do where that is known. Called
// by store/database.cc, which puts the store's name before it.
#pragma once

#include <string>

#include "icount/base/error.h"

namespace icount {

struct DatabaseFailure {
  ErrorKind kind;
  std::string what;          ///< with advice where there is any
  std::string server_words;  ///< what SQLite or the server said, on one line
};

/// The failure that is being handled: call within catch (...). An exception that is not SOCI's goes on its way.
DatabaseFailure current_database_failure();

}  // namespace icount
