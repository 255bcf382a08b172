// Where times come from: something that runs a statement n times and says how long that took.
// timer/autorange.h asks it; implementations: a callable in this process (timer/callable_time_source.h), a
// stub server's session, a script in tests.
#pragma once

#include <cstdint>
#include <string>

namespace icount {

class TimeSource {
 public:
  virtual ~TimeSource() = default;
  /// Runs the statement `number` times (0: an empty loop) after its own set-up and warm-up; the seconds of
  /// the runs alone. Throws Error when the statement fails. What a coarse or odd clock says is handed on as
  /// it is, zero and negative figures too.
  virtual double run_block(int64_t number) = 0;
  /// A hint before run_block: an equal block is wanted after it, whatever it says. A source in another process may
  /// begin that one at once, without waiting to be asked. A block that was begun so and is not wanted after all is
  /// thrown away.
  virtual void expect_another() {}
  /// What has to be said of the times, one line; empty: nothing.
  virtual std::string remark() const { return {}; }
};

}  // namespace icount
