// Short names for many functions of one text: as short as callgraph/symbol_name.h makes each alone, and longer where
// two different functions would look the same.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace icount {

// Two names of one function in one sentence: short, but so that they can be told apart. The short form of a single name
// is in callgraph/symbol_name.h.

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

/// short_name() of each; those that are equal for different names keep the template arguments or parameters in which
/// they differ. Equal names have equal short names.
std::vector<std::string> distinct_names(std::span<const std::string_view> names);

}  // namespace icount
