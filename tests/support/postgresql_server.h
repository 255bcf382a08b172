// A PostgreSQL server of the tests' own: a fresh cluster in a temporary folder, on a free port of the loopback address,
// ended with its owner (and by the kernel when the owner dies without saying so).
#pragma once

#include <sys/types.h>

#include <string>

#include "icount/base/scratch_dir.h"

namespace icount {

class PostgresqlServer {
 public:
  /// Why no server can be started here; empty when one can.
  static std::string missing();
  /// The server of this test program, started at the first call.
  static PostgresqlServer& shared();

  ~PostgresqlServer();
  /// The URL of a new, empty database.
  std::string new_database();
  /// A URL at which nothing listens.
  std::string dead_url() const;

 private:
  PostgresqlServer();
  void start();
  std::string url(const std::string& database, int port) const;

  ScratchDir dir_;
  int port_ = 0;
  pid_t pid_ = -1;
  int databases_ = 0;
};

}  // namespace icount
