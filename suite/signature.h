// Signatures such as "f(x, w) -> y": which variables of the set-up a statement uses and which one it makes. Derived
// models, TorchScript variants and backward all rest on it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace icount {

struct Signature {
  bool given = false;
  std::vector<std::string> args;
  std::string output;  ///< empty: the statement makes nothing ("None", or no signature)

  /// "x, w"
  std::string arg_list() const;
};

/// The signature in `text`; `given` is false for an empty text. A text that is none adds one line to `problems`, saying
/// what was found and what the form is, and gives a Signature that is not to be used.
Signature parse_signature(std::string_view text, std::vector<std::string>& problems);

}  // namespace icount
