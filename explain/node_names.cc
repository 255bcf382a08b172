#include "icount/explain/node_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"

namespace icount {
namespace {

/// "`0x283d0` in liblua.so (was `0x28210`)": an address means something in its object only.
std::string unnamed(const JoinedGraph& joined, const JoinedFunction& function) {
  std::string text = fmt::format("{} in {}", quoted(joined, function.name), base_of_path(function.object));
  if (!function.base_name.empty() && !function.head_name.empty() && function.base_name != function.head_name)
    text += fmt::format(" (was {})", quoted(function.base_name));
  return text;
}

// Names up to these lengths stay whole, and with their scope, when they are mentioned again.
constexpr size_t kShortAgain = 24, kShortWithScope = 32;

/// "`addInputVariable`" of a long name, unless that alone says nothing.
std::string quoted_again(const JoinedGraph& joined, std::string_view name) {
  if (joined.raw_names || name.size() <= kShortAgain || is_address_name(name)) return quoted(joined, name);
  const std::string plain = plain_name(name);
  const std::string_view last = plain.size() <= kShortWithScope ? std::string_view(plain) : last_word(plain);
  const bool says_nothing = last.empty() || last.starts_with("operator(") || last.find('{') != std::string_view::npos;
  return says_nothing ? fmt::format("`{}`", plain.empty() ? name : plain) : fmt::format("`{}`", last);
}

}  // namespace

std::string quoted(std::string_view name) {
  return is_address_name(name) ? fmt::format("`{:#x}`", address_of_name(name)) : fmt::format("`{}`", short_name(name));
}

std::string quoted(const JoinedGraph& joined, std::string_view name) {
  return joined.raw_names ? fmt::format("`{}`", name) : quoted(name);
}

const JoinedFunction& most_expensive_of(const JoinedGraph& joined, const std::vector<uint32_t>& members) {
  const auto weight = [&](uint32_t member) {
    const BothSides& self = joined.flow.nodes[member].self;
    return static_cast<long double>(self[0]) + static_cast<long double>(self[1]);
  };
  const auto lighter = [&](uint32_t a, uint32_t b) { return weight(a) < weight(b); };
  return joined.functions[*std::max_element(members.begin(), members.end(), lighter)];
}

std::vector<std::string> name_nodes(const JoinedGraph& joined, const CondensedFlow& condensed) {
  std::vector<std::string> names;
  names.reserve(condensed.members.size());
  for (const auto& members : condensed.members) {
    const JoinedFunction& function =
        members.size() == 1 ? joined.functions[members.front()] : most_expensive_of(joined, members);
    if (members.size() > 1) {
      names.push_back(fmt::format("the cycle of {} and {} more (functions that call each other)",
                                  quoted(joined, function.name), members.size() - 1));
    } else if (is_address_name(function.name)) {
      names.push_back(unnamed(joined, function));
    } else if (function.name_is_shared) {
      names.push_back(fmt::format("{} ({})", quoted(joined, function.name), base_of_path(function.file)));
    } else {
      names.push_back(quoted(joined, function.name));
    }
  }
  return names;
}

std::vector<std::string> name_nodes_again(const JoinedGraph& joined, const CondensedFlow& condensed) {
  std::vector<std::string> names;
  names.reserve(condensed.members.size());
  for (const auto& members : condensed.members)
    names.push_back(members.size() > 1 ? "the cycle" : quoted_again(joined, joined.functions[members.front()].name));
  return names;
}

}  // namespace icount
