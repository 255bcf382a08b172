// A function name as profiles spell it, taken apart: base name, clone tags of the compiler, recursion level, contexts;
// and PyTorch's "file:function [object]". Plain scans, fast enough for every name of a large profile. Rewriting
// by rules is stats/name_rules.h; noise groups are callgraph/noise_groups.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

// Which brackets of a function's name belong together, read in one pass over any text: names come from files, and a
// file may hold anything.

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

/// Views into the name that was taken apart. name = base + tags + level suffix.
struct NameParts {
  std::string_view base;  ///< without clone tags and level: what two builds of one function share
  std::string_view tags;  ///< ".isra.0.cold", " [clone .part.0]", "@@GLIBC_2.34", "::h0123456789abcdef"; empty: none
  int level = 1;          ///< recursion level: 2 for "f'2", 1 for "f"
};

/// Takes a name apart from its end: the level ('N with N >= 2), then every compiler's tag (kCloneWords in the .cc).
/// Variants chosen at run time (.avx2, .resolver) and outlined bodies (._omp_fn.0) are functions of their own.
/// A name that consists of nothing but tags is its own base.
NameParts name_parts(std::string_view name);

/// name_parts(name).base.
inline std::string_view canonical_name(std::string_view name) { return name_parts(name).base; }

/// "f'2" -> "f": a name without its recursion level.
std::string_view without_level(std::string_view name);

/// `name'2'caller'caller_of_caller` of --separate-callers, taken apart. Apostrophes inside brackets and in user-made
/// symbols are part of a name, so this is only done when a profile is known to hold contexts.
struct NameContexts {
  std::string_view function;              ///< with its clone tags and, when there is one, its level: "f'2"
  std::vector<std::string_view> callers;  ///< nearest first
};
NameContexts split_contexts(std::string_view name);

/// PyTorch's row "file:function [object]", taken apart at the first ':' and at the last " [...]" that is no
/// clone tag. A missing part is empty.
struct CountedName {
  std::string_view file;
  std::string_view function;
  std::string_view object;
};
CountedName split_counted_name(std::string_view name);

/// The row's text again: "file:function [object]"; without ':' when file is empty, without " []" when object is.
std::string join_counted_name(const CountedName& name);

/// "`f`, `g`": the first three in a sentence, and how many more there are.
std::string list_functions(const std::set<std::string>& names);

/// "/usr/lib/libc.so.6" -> "libc.so.6"; a text without '/' is returned as it is.
std::string_view base_of_path(std::string_view path);

/// What a profile calls the function and the object of a counted statement: another one's in each benchmark.
inline constexpr std::string_view kStatementFunction = "stmt", kStubObject = "stub";

/// What stubs call the file that has the loop around a statement (harness/stub_source.cc), so that it is nobody's
/// source.
inline constexpr std::string_view kMeasuringLoopFile = "icount-generated";

}  // namespace icount
