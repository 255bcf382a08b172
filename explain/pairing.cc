#include "icount/explain/pairing.h"

#include <map>
#include <utility>

#include "icount/callgraph/symbol_name.h"

namespace icount {
namespace {

// Fewer functions of an object say nothing about its table of symbols: those with a name may be exported ones.
constexpr size_t kFewestFunctions = 8;
// Parts of the functions that have a name: at least the first before stripping, at most the second behind.
constexpr double kNearlyAllNamed = 0.95, kFewNamed = 0.5;

struct NamedPart {
  size_t named = 0, all = 0;
  double part() const { return static_cast<double>(named) / static_cast<double>(all); }
};

std::set<ObjectClass> find_stripped_on_one_side(const Pairing& pairing) {
  std::map<ObjectClass, std::array<NamedPart, 2>> parts;
  for (size_t side = 0; side < 2; ++side)
    for (uint32_t f = 0; f < pairing.unnamed[side].size(); ++f) {
      NamedPart& of_object = parts[pairing.objects.of(side, f)][side];
      ++of_object.all;
      of_object.named += !pairing.unnamed[side][f];
    }
  std::set<ObjectClass> found;
  for (const auto& [object, sides] : parts) {
    if (std::min(sides[0].all, sides[1].all) < kFewestFunctions) continue;
    const auto [less, more] = std::minmax({sides[0].part(), sides[1].part()});
    if (more >= kNearlyAllNamed && less <= kFewNamed) found.insert(object);
  }
  return found;
}

}  // namespace

Pairing::Pairing(const FoldedGraph& base, const FoldedGraph& head)
    : sides{&base, &head},
      objects(base, head),
      partner{std::vector(base.functions.size(), kNoFunction), std::vector(head.functions.size(), kNoFunction)} {
  for (size_t side = 0; side < 2; ++side)
    for (const FoldedFunction& function : sides[side]->functions)
      unnamed[side].push_back(is_address_name(function.name));
  stripped_on_one_side = find_stripped_on_one_side(*this);
}

std::vector<uint32_t> Pairing::open(size_t side) const {
  std::vector<uint32_t> found;
  for (uint32_t f = 0; f < partner[side].size(); ++f)
    if (is_open(side, f)) found.push_back(f);
  return found;
}

void Pairing::add(uint32_t base, uint32_t head, MatchedBy by, std::string evidence) {
  partner[0][base] = head;
  partner[1][head] = base;
  pairs.push_back({base, head, by, std::move(evidence)});
}

}  // namespace icount
