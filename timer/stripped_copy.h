// A copy of a program without debug information, which is counted where Valgrind ends itself over it (split DWARF 5).
// Its code lies at the same addresses and its functions have the same names. Used by timer/count_program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "icount/base/scratch_dir.h"
#include "icount/callgrind/run.h"
#include "icount/harness/environment.h"

namespace icount {

class StrippedCopy {
 public:
  /// nullopt where no such copy can stand for `program`: there is no strip, or libraries are searched beside it.
  static std::optional<StrippedCopy> make(const std::filesystem::path& program, const Environment& environment);

  std::filesystem::path path() const { return folder_.path() / program_.filename(); }
  /// Whether the run, whose system calls were listed, shows that the program went by where its file lies.
  static bool is_seen(const CallgrindRun& run) { return run.system_calls.own_file; }
  /// The profiles say the program where they say the copy; with a note.
  void stand_in(CallgrindRun& run) const;

 private:
  explicit StrippedCopy(std::filesystem::path program) : program_(std::move(program)), folder_("icount-stripped") {}

  std::filesystem::path program_;
  ScratchDir folder_;
};

}  // namespace icount
