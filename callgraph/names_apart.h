// Two names of one function in one sentence: short, but so that they can be told apart. Used by the texts of renames;
// the short form of a single name is in callgraph/symbol_name.h.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace icount {

/// A name in the forms that telling it apart from others needs, so that each is made once.
struct NameForms {
  explicit NameForms(std::string_view name);
  std::string_view whole;
  std::string shorter;  ///< short_name()
  std::string called;   ///< without parameters
  std::string bare;     ///< without parameters, common types short
};

/// short_name() of both. Where these are equal, without parameters and of the first template argument list in which the
/// names differ only the arguments that do: "map<…, std::hash<int>, …>::find". Where the names differ elsewhere only,
/// both whole.
std::pair<std::string, std::string> names_apart(std::string_view a, std::string_view b);
std::pair<std::string, std::string> names_apart(const NameForms& a, const NameForms& b);

}  // namespace icount
