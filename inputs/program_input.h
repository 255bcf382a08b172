// The standard input of a program that is counted: spooled to a file before the program starts, so that every repeat
// reads the same bytes and the result can name them. Used by inputs/measure_program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "icount/base/scratch_dir.h"

namespace icount {

struct ProgramInputOptions {
  std::string file;                  ///< --stdin; empty: what comes on `descriptor`
  int descriptor = 0;                ///< a terminal, a closed one or an empty one: the program has an empty input
  int64_t limit = int64_t{1} << 30;  ///< --stdin-limit, in bytes
  double time_limit_s = 0;           ///< --timeout, for what comes on `descriptor`; 0: none
  std::function<bool()> cancelled;
  std::function<void(const std::string&)> say;  ///< told once when the input is slow to end
};

/// The input as a file, which lives as long as the object.
class ProgramInput {
 public:
  /// Reads to the end. Error{kIo} for a file that can't be read, an input above the limit (naming --stdin-limit), one
  /// that does not end in time (naming --timeout).
  explicit ProgramInput(const ProgramInputOptions& options);

  /// Empty: nothing came.
  const std::filesystem::path& path() const { return path_; }

 private:
  void spool(const ProgramInputOptions& options);

  std::optional<ScratchDir> folder_;
  std::filesystem::path path_;
};

}  // namespace icount
