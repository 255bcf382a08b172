// A program that is made of parts of two builds, counted where it does what either of them does. Used by the proofs of
// hunks and of objects.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "icount/console/command_spec.h"

namespace icount {

struct MixtureProgram {
  std::vector<std::string> argv;
  std::filesystem::path folder;  ///< that it runs in; a relative program is below it
};

class MixtureCounter {
 public:
  using Count = std::function<int64_t(const MixtureProgram& program)>;

  /// `time_limit_s`: of a program; 0: ten times what the slower side takes.
  MixtureCounter(double time_limit_s, Count count, const CommandContext& context)
      : time_limit_s_(time_limit_s), count_(std::move(count)), context_(context) {}

  /// Learns what one of the sides prints, and how long it takes.
  void learn(const MixtureProgram& side);

  /// `build` makes the program; nothing, and `why_not` says so of `what`, where that fails, the program fails or runs
  /// much longer, or prints what neither side prints.
  std::optional<int64_t> count(const MixtureProgram& program, const std::string& what,
                               const std::function<void()>& build, std::string& why_not) const;

 private:
  struct NativeRun {
    std::string output;
    double seconds = 0;
  };
  std::optional<NativeRun> run(const MixtureProgram& program, double limit) const;
  double time_limit() const;

  double time_limit_s_;
  Count count_;
  const CommandContext& context_;
  std::vector<NativeRun> known_;
};

}  // namespace icount
