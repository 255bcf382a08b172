// Which brackets of a function's name belong together, read in one pass over any text: names come from files, and a
// file may hold anything. What takes names apart (symbol_name, names_apart) asks here, so that none of them loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace icount {

/// Length of "operator" and the symbol behind it where one stands at `at`: 10 for "operator<<", 10 for "operator()",
/// 8 for "operator new". 0 where `at` is inside a word or another word stands there. "operator<<int>" is operator< of
/// int.
size_t operator_length(std::string_view name, size_t at);

/// The pairs of <>, (), [] and {}. A comparison inside parentheses ("<((1)<(2)), int>"), an arrow and the symbol of an
/// operator open and close nothing; a bracket without its partner is an ordinary character.
class NameBrackets {
 public:
  /// Linear in the length of the name.
  explicit NameBrackets(std::string_view name);

  static constexpr size_t kNone = ~size_t{0};

  /// Index behind the bracket that closes the one at `at`; kNone where no bracket with a partner opens there.
  size_t end_of(size_t at) const { return end_of_.empty() || end_of_[at] == 0 ? kNone : end_of_[at]; }

 private:
  std::vector<uint32_t> end_of_;  ///< by position, 0 where nothing opens; empty for a name without brackets
};

/// The arguments between the bracket at `open`, which has a partner, and that partner, split at its own commas and
/// trimmed: {"int", "std::pair<A, B>"}. "<>" has one, which is empty.
std::vector<std::string_view> split_arguments(std::string_view name, const NameBrackets& brackets, size_t open);

/// Every template argument of a function's name, its scopes' too, in their order and not taken apart further:
/// "a::F<int>::g<B<char>, 0>(long)" has int, B<char> and 0.
std::vector<std::string_view> template_arguments(std::string_view name);

}  // namespace icount
