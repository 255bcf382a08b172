#include "icount/objects/load_bias.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

constexpr uint64_t kPage = 4096;
// So many functions at their symbols are no chance; large objects have hundreds of thousands of symbols.
constexpr size_t kEnough = 8;

/// A name as the object's symbols have it: without the recursion level.
std::string_view without_level(std::string_view name) {
  const NameParts parts = name_parts(name);
  return parts.level > 1 ? name.substr(0, name.rfind('\'')) : name;
}

}  // namespace

std::optional<uint64_t> find_load_bias(const CostGraph& graph, const ProfileCode& code, std::string_view object,
                                       const ElfSymbols& symbols) {
  struct Begin {
    std::string_view name;
    uint64_t address = 0;
  };
  // Objects are loaded at whole pages, so that an address and its symbol agree in its last bits.
  std::vector<std::vector<Begin>> by_offset(kPage);
  for (const FunctionCode& one : code.functions) {
    if (graph.object(one.function) != object) continue;
    std::set<uint64_t> begins;
    for (const CodeEntry& entry : one.entries) begins.insert(entry.to);
    if (!one.rows.empty()) begins.insert(one.rows.front().address);
    for (const uint64_t begin : begins)
      by_offset[begin % kPage].push_back({without_level(graph.name(one.function)), begin});
  }
  std::map<uint64_t, std::set<std::string_view>> votes;  // names of functions
  for (const ElfSymbol& symbol : symbols.symbols) {
    if (!symbol.is_function || !symbol.is_defined || by_offset[symbol.address % kPage].empty()) continue;
    const std::string plain = demangle(symbol.name);
    for (const Begin& begin : by_offset[symbol.address % kPage]) {
      if (symbol.name != begin.name && plain != begin.name) continue;
      auto& names = votes[begin.address - symbol.address];
      names.insert(begin.name);
      if (names.size() == kEnough) return begin.address - symbol.address;
    }
  }
  const auto most = std::max_element(votes.begin(), votes.end(),
                                     [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  if (most == votes.end()) return std::nullopt;
  return most->first;
}

}  // namespace icount
