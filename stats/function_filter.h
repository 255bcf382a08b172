// Which functions a table of costs keeps: what `count` and `show` are asked for by --filter and --denoise. The same on
// lists of counts: FunctionCounts::filter and denoise (stats/function_counts.h). Tables are made in report.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// Whether `counted_name` ("file:function") is CPython's dictionary look-up, all that PyTorch takes for noise.
bool is_pytorch_noise(std::string_view counted_name);

/// Immutable; cheap to copy.
class FunctionFilter {
 public:
  /// Keeps every function.
  FunctionFilter() = default;
  /// Keeps functions in whose name one of `patterns` (RE2; bytes) is found, all where there is none; with `denoise`
  /// without is_pytorch_noise. Error{kUsage} with RE2's message for a pattern that it does not accept.
  FunctionFilter(const std::vector<std::string>& patterns, bool denoise);

  bool keeps_all() const { return !patterns_ && !denoise_; }
  /// `file` as the profile has it; empty where it is not known.
  bool keeps(std::string_view file, std::string_view name) const;

 private:
  struct Patterns;
  std::shared_ptr<const Patterns> patterns_;  ///< null: any name
  bool denoise_ = false;
};

}  // namespace icount
