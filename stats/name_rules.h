// Rules that rewrite names, as data: an ordered list of regular expressions (RE2 syntax) with what replaces a match.
// compatible_rules() are PyTorch's five; anyone may make others. Taking a name apart is callgraph/name_parts.h,
// cheaper.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// Every match of `pattern` (bytes, not code points) becomes `replacement`, in which \1 to \9 are groups.
struct NameRule {
  std::string title;  ///< what the rule is for, for docs and messages
  std::string pattern;
  std::string replacement;
};

/// A compiled, immutable list of rules; cheap to copy.
class NameRules {
 public:
  /// Error{kUsage} naming the rule whose pattern or replacement RE2 does not accept.
  explicit NameRules(std::vector<NameRule> rules);

  std::span<const NameRule> rules() const;
  size_t size() const { return rules().size(); }
  /// Rule `index` alone.
  std::string apply_one(size_t index, std::string_view name) const;
  /// All rules in their order.
  std::string apply(std::string_view name) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

/// The five rules of PyTorch's as_standardized, with its traps: they see the whole text "file:function [object]",
/// so the third and fourth fire inside object paths and the fifth removes clone tags too.
const NameRules& compatible_rules();

// Which functions a table of costs keeps: what `count` and `show` are asked for by --filter and --denoise. The same on
// lists of counts: FunctionCounts::filter and denoise (stats/function_counts.h). Tables are made in report.

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
