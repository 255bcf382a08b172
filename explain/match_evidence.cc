#include "icount/explain/match_evidence.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

#include "icount/base/hash.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/likeness.h"

namespace icount {
namespace {

// A bucket with more pairs than this tells too little; its members are looked at only where figures agree as well.
constexpr size_t kLargestBucket = 400;
// Callees are matched before their callers, so that a chain of renamed calls takes a round a level.
constexpr int kRounds = 24;

struct Candidate {
  uint32_t base = 0, head = 0;
  Likeness likeness;
};

class EvidenceMatcher {
 public:
  explicit EvidenceMatcher(Pairing& pairing)
      : pairing_(pairing),
        traits_{read_traits(pairing, 0), read_traits(pairing, 1)},
        shifts_(find_line_shifts(pairing)) {}

  void match() {
    for (int round = 0; round < kRounds; ++round)
      if (!match_round()) return;
  }

 private:
  bool match_round() {
    const std::vector<uint32_t> base = open_functions(0), head = open_functions(1);
    if (base.empty() || head.empty()) return false;
    candidates_.clear();
    collect(base, head, [this](size_t side, uint32_t f) { return traits(side, f).numberless_name; });
    collect(base, head, [this](size_t side, uint32_t f) { return traits(side, f).plain_name; });
    collect(base, head,
            [this](size_t side, uint32_t f) { return mix_keys(traits(side, f).last_word, traits(side, f).file_name); });
    collect(base, head, [this](size_t side, uint32_t f) {
      return mix_keys(traits(side, f).last_word, pairing_.objects.of(side, f));
    });
    collect(base, head, [this](size_t side, uint32_t f) { return figures(side, f); });
    collect(base, head, [this](size_t side, uint32_t f) {
      const FunctionTraits& of = traits(side, f);
      if (of.line == 0) return uint64_t{0};
      const int64_t moved = side == 0 ? shifts_.of(of.file, of.line, 0) : 0;
      return mix_keys(of.file_name, of.line + static_cast<uint64_t>(moved));
    });
    collect(base, head, [this](size_t side, uint32_t f) { return neighbour_key(side, f, false); });
    collect(base, head, [this](size_t side, uint32_t f) { return neighbour_key(side, f, true); });
    return accept_best();
  }

  const FunctionTraits& traits(size_t side, uint32_t f) const { return traits_[side].at(f); }

  std::vector<uint32_t> open_functions(size_t side) const {
    std::vector<uint32_t> found = pairing_.open(side);
    std::erase_if(found, [&](uint32_t f) {
      return (traits(side, f).calls == 0 && pairing_.function(side, f).self == 0) || pairing_.is_of_one_build(side, f);
    });
    return found;
  }

  uint64_t figures(size_t side, uint32_t f) const {
    return mix_keys(static_cast<uint64_t>(traits(side, f).calls),
                    static_cast<uint64_t>(pairing_.function(side, f).self));
  }

  /// The first matched caller (or callee): functions that hang on the same place meet here.
  uint64_t neighbour_key(size_t side, uint32_t f, bool callees) const {
    const auto& neighbours = callees ? traits(side, f).callees : traits(side, f).callers;
    uint64_t smallest = 0;
    for (const Neighbour& neighbour : neighbours)
      if (const uint64_t id = shared_id(pairing_, side, neighbour.function);
          id != 0 && (smallest == 0 || id < smallest))
        smallest = id;
    return smallest == 0 ? 0 : mix_keys(smallest, callees);
  }

  template <typename Key>
  void collect(const std::vector<uint32_t>& base, const std::vector<uint32_t>& head, const Key& key) {
    for (const auto& [left, right] : equal_keys(base, head, key)) {
      if (left.size() * right.size() <= kLargestBucket) {
        add_all(left, right);
        continue;
      }
      for (const auto& [a, b] : equal_keys(left, right, [this](size_t side, uint32_t f) { return figures(side, f); }))
        if (a.size() * b.size() <= kLargestBucket) add_all(a, b);
    }
  }

  void add_all(const std::vector<uint32_t>& base, const std::vector<uint32_t>& head) {
    for (uint32_t b : base)
      for (uint32_t h : head) candidates_.push_back({b, h, {}});
  }

  /// Best first; a pair is taken when it is convincing and no other pair of its functions is as good.
  bool accept_best() {
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return std::pair(a.base, a.head) < std::pair(b.base, b.head);
    });
    const auto last = std::unique(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return a.base == b.base && a.head == b.head;
    });
    candidates_.erase(last, candidates_.end());
    for (Candidate& candidate : candidates_)
      candidate.likeness = compare(pairing_, shifts_, {candidate.base, &traits(0, candidate.base)},
                                   {candidate.head, &traits(1, candidate.head)});
    std::erase_if(candidates_, [](const Candidate& candidate) { return !candidate.likeness.convinces(); });
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.likeness.is_better_than(b.likeness); });
    bool any = false;
    for (const Candidate& candidate : candidates_) {
      if (!pairing_.is_open(0, candidate.base) || !pairing_.is_open(1, candidate.head)) continue;
      accept(candidate);
      any = true;
    }
    return any;
  }

  void accept(const Candidate& candidate) {
    const std::string_view base = pairing_.function(0, candidate.base).name,
                           head = pairing_.function(1, candidate.head).name;
    const bool unnamed = is_address_name(base) && is_address_name(head);
    const MatchedBy by = unnamed ? MatchedBy::kPlace : base == head ? MatchedBy::kName : MatchedBy::kEvidence;
    pairing_.add(candidate.base, candidate.head, by, by == MatchedBy::kEvidence ? candidate.likeness.words() : "");
  }

  Pairing& pairing_;
  std::array<TraitsByFunction, 2> traits_;
  LineShifts shifts_;
  std::vector<Candidate> candidates_;
};

}  // namespace

void match_by_evidence(Pairing& pairing) { EvidenceMatcher(pairing).match(); }

}  // namespace icount
