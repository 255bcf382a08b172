// TorchScript as logical lines of tokens: Python's lexical rules as far as names are concerned. Used by
// harness/torchscript_function.cc, which finds out what a statement reads and computes.
#pragma once

#include <string_view>
#include <vector>

namespace icount {

/// A piece of a line, a view into the text: a name, a string, a number, an operator of one or two bytes, or the end of
/// a logical line.
struct TorchScriptToken {
  enum class Kind { kName, kOther, kLineEnd };
  Kind kind = Kind::kOther;
  std::string_view text;
  int depth = 0;          ///< of brackets around it
  bool indented = false;  ///< of the logical line it is in
};

using TorchScriptLine = std::vector<TorchScriptToken>;

/// Strings, comments, brackets and continued lines are understood; empty lines are left out. Any text has lines, a
/// crooked one too.
std::vector<TorchScriptLine> scan_torchscript(std::string_view text);

/// A word that is no variable: Python's keywords, print and torch.
bool is_torchscript_keyword(std::string_view name);

/// Whether `c` may stand in a name.
bool is_name_part(char c);

}  // namespace icount
