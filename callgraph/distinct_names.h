// Short names for many functions of one text: as short as callgraph/symbol_name.h makes each alone, and longer where
// two different functions would look the same. Two names of one sentence: callgraph/names_apart.h.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// short_name() of each; those that are equal for different names keep the template arguments or parameters in which
/// they differ. Equal names have equal short names.
std::vector<std::string> distinct_names(std::span<const std::string_view> names);

}  // namespace icount
