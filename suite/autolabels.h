// The labels that expansion itself gives a benchmark: how it runs (eager or TorchScript), with or without backward, and
// in which language. They are part of a benchmark's key.
#pragma once

#include <string_view>

namespace icount {

enum class RuntimeMode { kEager, kJit, kExplicit };
enum class AutogradMode { kForward, kForwardBackward, kExplicit };
enum class AutoLanguage { kPython, kCpp, kProgram };

struct AutoLabels {
  RuntimeMode runtime = RuntimeMode::kEager;
  AutogradMode autograd = AutogradMode::kForward;
  AutoLanguage language = AutoLanguage::kCpp;
  bool operator==(const AutoLabels&) const = default;
};

/// "Eager", "TorchScript", "".
std::string_view to_text(RuntimeMode mode);
/// "Forward", "Forward + Backward", "".
std::string_view to_text(AutogradMode mode);
/// "Python", "C++", "program".
std::string_view to_text(AutoLanguage language);

}  // namespace icount
