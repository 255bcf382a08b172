#include "icount/callgrind/costly_functions.h"

#include <unordered_map>

#include "icount/base/checked.h"
#include "icount/base/hash.h"
#include "icount/callgraph/name_parts.h"

namespace icount {

uint64_t piece_key(std::string_view name, std::string_view object) {
  return hash64(canonical_name(name)) * 0x9E3779B97F4A7C15u + hash64(object);
}

std::vector<bool> find_costly(std::span<const Function> functions, const StringPool& strings,
                              std::span<const int64_t> self, int64_t total, double part) {
  std::unordered_map<uint64_t, int64_t> sums;
  sums.reserve(functions.size());
  std::vector<const int64_t*> sum_of;  // of all pieces, for each function
  for (size_t f = 0; f < functions.size(); ++f) {
    int64_t& sum = sums[piece_key(strings.view(functions[f].name), strings.view(functions[f].object))];
    sum = saturating_add(sum, self[f]);
    sum_of.push_back(&sum);
  }
  const double least = part * static_cast<double>(total);
  std::vector<bool> costly;
  for (const int64_t* const sum : sum_of) costly.push_back(*sum > 0 && static_cast<double>(*sum) >= least);
  return costly;
}

std::vector<FunctionIndex> costly_functions(const CostGraph& graph, double part) {
  std::vector<int64_t> self;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) self.push_back(graph.self_of(f, 0));
  const std::vector<bool> costly = find_costly(graph.functions, graph.strings, self, graph.totals[0], part);
  std::vector<FunctionIndex> found;
  for (FunctionIndex f = 0; f < costly.size(); ++f)
    if (costly[f]) found.push_back(f);
  return found;
}

}  // namespace icount
