// C++ names made short for text output: template arguments and parameters collapse to "...", step by step, only as far
// as needed, and never so far that two names shown together look the same. Machine formats always carry full names.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// Longer names are told without their middle wherever people read; machine formats and --raw have them whole.
inline constexpr size_t kLongestWhole = 1'000;

/// Columns for names where no terminal says how wide it is: in files, pages and pull requests.
inline constexpr size_t kPageWidth = 120;

/// How much of a name is collapsed.
enum class Shortening {
  kFull,   ///< std::vector<Node, std::allocator<Node> >::push_back(Node const&)
  kInner,  ///< std::vector<Node, std::allocator<...> >::push_back(Node const&); std::string instead of its long form
  kTemplates,  ///< std::vector<...>::push_back(Node const&)
  kAll,        ///< std::vector<...>::push_back(...)
};

/// The name with that much collapsed; names that are no well-formed C++ stay as they are. Brackets around at most three
/// characters, "(anonymous namespace)" and operator names are kept.
std::string shorten_name(std::string_view name, Shortening shortening);

/// Adds those that stand between backticks.
void add_names(std::string_view sentence, std::vector<std::string>& names);

/// Short forms for a set of names that are shown together.
class ShortNames {
 public:
  /// Each name is collapsed only until it fits `width` columns; 0: kPageWidth. What is still longer than some lines (of
  /// `width`; kLongestWhole for 0) loses its middle. A short form that two names would share is taken by
  /// neither.
  ShortNames(std::vector<std::string> names, size_t width);

  /// The short form of a name given to the constructor; any other name as it is.
  const std::string& of(const std::string& name) const;
  /// `text` with every `name` that stands between backticks replaced by its short form.
  std::string in_sentence(std::string_view text) const;

 private:
  std::map<std::string, std::string> short_;
};

}  // namespace icount
