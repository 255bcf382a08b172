// What the history's tests share: an empty store in SQLite or PostgreSQL, runs to put in, processes that write.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <functional>
#include <string>

#include "icount/base/scratch_dir.h"
#include "icount/store/history.h"
#include "support/error_of.h"

namespace icount {

enum class Backend { kSqlite, kPostgresql };

/// Parameterised by the backend; skips PostgreSQL where there is no server.
class HistoryFixture : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override;

  History open(OpenMode mode = OpenMode::kCreate, int lock_wait_s = 30) {
    return History(url_, mode, {.lock_wait_s = lock_wait_s});
  }
  bool postgresql() const { return GetParam() == Backend::kPostgresql; }
  /// A second, empty store of the same kind.
  StoreUrl another_store();

  ScratchDir dir_{"icount-history"};
  StoreUrl url_;
};

/// `count` benchmarks "group / b0".. with graphs whose counts follow from `shift`: 0 for the same ones as ever.
ResultFile sample_run(int64_t shift = 0, int count = 3);

/// A commit "hash" (40 times that character) at a time.
RunTag tag_at(char hash, int64_t time, std::string parents = "");

/// Runs `work` in a process of its own that ends at once afterwards: status 0, or 1 with the Error's message on stderr.
pid_t in_process(const std::function<void()>& work);
/// Waits; true for status 0.
bool ended_well(pid_t pid);

}  // namespace icount
