// The conditions of a counted program: the pins that mean something for one, what a runtime needs to be countable, and
// the facts of both that go into its fingerprint. Used by timer/count_program.
#pragma once

#include <string>
#include <vector>

#include "icount/callgrind/installed_valgrind.h"
#include "icount/harness/environment.h"
#include "icount/harness/pins.h"
#include "icount/stats/fingerprint.h"

namespace icount {

/// `pins` without those that mean nothing for a program of the user's own: it runs where and as it was asked for.
Pins program_pins(Pins pins);

/// Why the program at `file` cannot run under Valgrind although it runs alone: it is built with a sanitizer that maps
/// memory of its own. Empty where nothing tells; asked for when a run failed.
std::string find_sanitizer(const std::string& file);

/// What made a program, and what its count stands on besides its own code.
class ProgramSurroundings {
 public:
  /// `program` as it was given; what made it is read from its file. `extra` is set last, as apply_pins does.
  ProgramSurroundings(const std::string& program, const Pins& pins, const Environment& caller,
                      const std::vector<std::string>& extra);

  /// For a Go program with GODEBUG=asyncpreemptoff=1 where the environment is pinned and `extra` has no GODEBUG: Go
  /// interrupts its threads by a signal after 10 ms, and Callgrind gives up at its handlers
  /// (callgrind/valgrind_log.cc).
  const PinnedSurroundings& pinned() const { return pinned_; }

  /// Functions of the program's own that are called as those of the C library that start processes, "clone" say.
  const std::vector<std::string>& own_functions() const { return own_functions_; }

  Fingerprint make_fingerprint(const Valgrind& valgrind, bool aslr_refused) const;

  /// What of its build makes its count, or the explanation of it, say less than its user thinks.
  std::vector<std::string> build_notes() const;

 private:
  std::string name_;
  Pins pins_;
  PinnedSurroundings pinned_;
  std::string compilers_, options_;
  bool is_go_set_ = false;
  bool is_unoptimised_ = false, lacks_lines_ = false;
  std::vector<std::string> own_functions_;
};

}  // namespace icount
