#include "icount/objects/load_bias.h"

#include <algorithm>
#include <map>
#include <numeric>
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

FunctionsByOffset::FunctionsByOffset(const ElfSymbols& object) : begins_(kPage + 1) {
  const auto is_function = [](const ElfSymbol& symbol) { return symbol.is_function && symbol.is_defined; };
  for (const ElfSymbol& symbol : object.symbols)
    if (is_function(symbol)) ++begins_[symbol.address % kPage + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  functions_.resize(begins_.back());
  std::vector<size_t> next = begins_;
  for (const ElfSymbol& symbol : object.symbols)
    if (is_function(symbol)) functions_[next[symbol.address % kPage]++] = &symbol;
}

std::span<const ElfSymbol* const> FunctionsByOffset::find(uint64_t address) const {
  const size_t offset = address % kPage;
  return std::span(functions_).subspan(begins_[offset], begins_[offset + 1] - begins_[offset]);
}

std::optional<uint64_t> find_load_bias(const CostGraph& graph, const ProfileCode& code, std::string_view object,
                                       const FunctionsByOffset& functions) {
  struct Begin {
    std::string_view name;
    uint64_t address = 0;
  };
  std::vector<Begin> begins;
  std::set<std::string_view> names;
  for (const FunctionCode& one : code.functions) {
    if (graph.object(one.function) != object) continue;
    const std::string_view name = without_level(graph.name(one.function));
    if (name.starts_with("0x")) continue;  // no symbol has it
    names.insert(name);
    std::set<uint64_t> addresses;
    for (const CodeEntry& entry : one.entries) addresses.insert(entry.to);
    if (!one.rows.empty()) addresses.insert(one.rows.front().address);
    for (const uint64_t address : addresses) begins.push_back({name, address});
  }
  std::map<uint64_t, std::set<std::string_view>> votes;  // names of functions
  const auto has_enough = [&](const Begin& begin, const ElfSymbol& symbol) {
    if (symbol.name != begin.name && demangle(symbol.name) != begin.name) return false;
    auto& found = votes[begin.address - symbol.address];
    found.insert(begin.name);
    return found.size() == kEnough;
  };
  // Most profiles have the object's own addresses. What all functions fit, none fits better.
  for (const Begin& begin : begins)
    for (const ElfSymbol* const symbol : functions.find(begin.address))
      if (symbol->address == begin.address && has_enough(begin, *symbol)) return 0;
  if (!names.empty() && votes[0].size() == names.size()) return 0;
  votes.clear();
  for (const Begin& begin : begins)
    for (const ElfSymbol* const symbol : functions.find(begin.address))
      if (has_enough(begin, *symbol)) return begin.address - symbol->address;
  const auto most = std::max_element(votes.begin(), votes.end(),
                                     [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  if (most == votes.end()) return std::nullopt;
  return most->first;
}

}  // namespace icount
