#include "icount/explain/match/likeness.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "icount/base/checked.h"
#include "icount/base/hash.h"
#include "icount/callgraph/components.h"
#include "icount/callgraph/function_code.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/explain/match/alignment.h"
#include "icount/explain/match/folded_graph.h"
#include "icount/explain/match/node_names.h"
#include "icount/explain/weights.h"

namespace icount {
namespace {

std::vector<uint64_t> identifiers(std::string_view name) {
  std::vector<uint64_t> words;
  for (const std::string_view word : words_of(name)) words.push_back(hash64(word));
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

/// "outer" of "ns::outer::{lambda(int)#}::operator()" and of "ns::outer::{lambda(int)#}::_FUN".
std::string_view owner_of_lambda(std::string_view plain) {
  bool inside = false;
  while (!plain.empty()) {
    const std::string_view word = last_word(plain);
    const bool is_lambda = word.starts_with('{') || word.starts_with("$_") || word.starts_with('\'');
    if (inside && !is_lambda) return word;
    inside |= is_lambda;
    plain.remove_suffix(std::min(plain.size(), word.size() + 2));
  }
  return {};
}

void read_name(const FoldedFunction& function, FunctionTraits& traits) {
  const std::string_view file = base_of_path(function.file);
  if (file != "???" && !file.empty()) {
    traits.file = file;
    traits.file_name = hash64(file);
  }
  if (is_address_name(function.name)) return;
  // gcc names a file's static initialisation after the file's first symbol, mangled: it is known by the file.
  constexpr std::string_view kInitialisation = "_GLOBAL__sub_I_";
  const std::string plain(function.name.starts_with(kInitialisation) ? std::string(kInitialisation).append(file)
                                                                     : plain_name(function.name));
  traits.plain_name = hash64(plain);
  const std::string_view word = last_word(plain);
  traits.last_word = hash64(word);
  if (plain.size() > word.size() + 2)
    traits.last_two_words = mix_keys(
        traits.last_word, hash64(last_word(std::string_view(plain).substr(0, plain.size() - word.size() - 2))));
  traits.words = identifiers(function.name);
  // A lambda's number shifts when another is written above it: an argument that differs in it alone is the same one.
  for (std::string_view argument : template_arguments(function.name))
    traits.arguments.push_back(hash64(without_lambda_numbers(argument)));
  if (!has_lambda_number(function.name) && !has_place(function.name)) return;
  traits.numberless_name = hash64(without_lambda_numbers(function.name));
  if (const std::string_view owner = owner_of_lambda(plain); !owner.empty()) traits.owner = hash64(owner);
}

void read_lines(const Pairing& pairing, size_t side, TraitsByFunction& traits) {
  const std::vector<LineSpan> spans = line_spans(*pairing.sides[side]);
  for (auto& [f, trait] : traits) trait.line = spans[f].first;
}

/// Words at which functions of several plain names end.
void mark_frequent_words(TraitsByFunction& traits) {
  std::unordered_map<uint64_t, uint64_t> name_of_word;
  std::unordered_set<uint64_t> frequent;
  for (const auto& [f, trait] : traits)
    if (trait.last_word != 0 &&
        name_of_word.try_emplace(trait.last_word, trait.plain_name).first->second != trait.plain_name)
      frequent.insert(trait.last_word);
  for (auto& [f, trait] : traits) trait.is_frequent_word = frequent.contains(trait.last_word);
}

void mark_cycles(const std::vector<uint32_t>& open, TraitsByFunction& traits) {
  std::unordered_map<uint32_t, uint32_t> place;
  for (const uint32_t f : open) place.emplace(f, static_cast<uint32_t>(place.size()));
  std::vector<Arc> arcs;
  for (const uint32_t f : open)
    for (const Neighbour& callee : traits.at(f).callees)
      if (const auto to = place.find(callee.function); to != place.end()) arcs.push_back({place.at(f), to->second});
  const Components components = find_components(open.size(), arcs);
  for (const uint32_t f : open)
    for (Neighbour& callee : traits.at(f).callees)
      if (const auto to = place.find(callee.function); to != place.end())
        callee.is_of_cycle = components.of[place.at(f)] == components.of[to->second];
}

}  // namespace

TraitsByFunction read_traits(const Pairing& pairing, size_t side) {
  const FoldedGraph& graph = *pairing.sides[side];
  TraitsByFunction traits;
  const std::vector<uint32_t> open = pairing.open(side);
  for (uint32_t f : open) read_name(graph.functions[f], traits[f]);
  for (const FoldedEdge& edge : graph.edges) {
    if (const auto callee = traits.find(edge.callee); callee != traits.end()) {
      callee->second.calls = saturating_add(callee->second.calls, edge.calls);
      callee->second.callers.push_back({edge.caller, edge.calls, edge.inclusive});
    }
    if (const auto caller = traits.find(edge.caller); caller != traits.end())
      caller->second.callees.push_back({edge.callee, edge.calls, edge.inclusive});
  }
  read_lines(pairing, side, traits);
  mark_frequent_words(traits);
  mark_cycles(open, traits);
  return traits;
}

namespace {

// More points for the name than this make it a like one.
constexpr double kUnlikeName = 1.9;
constexpr double kLikeName = 2;
// The same but for template arguments, parameters and the numbers of lambdas.
constexpr double kSameName = 3;
// Points for lines that lie where the other function's lie, moved as their neighbours.
constexpr double kSamePlace = 2.5;

// Small functions that do the same are many; without a like name only those that matter are called one.
constexpr double kSmallestPart = 1e-5;

/// How much two lists of template arguments have in common. Where one only has further ones, more than where arguments
/// were exchanged.
double argument_likeness(const std::vector<uint64_t>& base, const std::vector<uint64_t>& head) {
  const size_t most = std::max(base.size(), head.size()), least = std::min(base.size(), head.size());
  if (most == 0) return 1;
  constexpr size_t kMostArguments = 64;
  if (most > kMostArguments) return base == head ? 1 : 0;
  const size_t common =
      align_in_order(base.size(), head.size(), [&](size_t b, size_t h) { return base[b] == head[h]; }).size();
  const double part = static_cast<double>(common) / static_cast<double>(most);
  return least > 0 && common == least ? (1 + part) / 2 : part;
}

/// Part of the neighbours that both have, 0 to 1, and whether there are any to compare.
struct Overlap {
  double part = 0;
  bool any = false;
};

Overlap overlap(const Pairing& pairing, const std::vector<Neighbour>& base, const std::vector<Neighbour>& head) {
  std::vector<uint64_t> left, right, both;
  for (const Neighbour& neighbour : base) left.push_back(shared_id(pairing, 0, neighbour.function));
  for (const Neighbour& neighbour : head) right.push_back(shared_id(pairing, 1, neighbour.function));
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(both));
  // Neighbours without a partner (id 0) may yet turn out to be the same: they count half.
  const double open = static_cast<double>(std::count(both.begin(), both.end(), 0u));
  const size_t all = std::max(left.size(), right.size());
  return {all == 0 ? 0 : (static_cast<double>(both.size()) - open / 2) / static_cast<double>(all), all > 0};
}

double name_points(const FunctionTraits& base, const FunctionTraits& head) {
  if (base.plain_name == 0 || head.plain_name == 0) return 0;
  if (base.numberless_name != 0 && base.numberless_name == head.numberless_name) return 4;
  if (base.plain_name == head.plain_name) return 3;
  std::vector<uint64_t> both;
  std::set_intersection(base.words.begin(), base.words.end(), head.words.begin(), head.words.end(),
                        std::back_inserter(both));
  const size_t all = std::max(base.words.size(), head.words.size());
  const double likeness = all == 0 ? 0 : static_cast<double>(both.size()) / static_cast<double>(all);
  if (base.owner != head.owner) return std::min(likeness * 2, kUnlikeName);
  if (base.last_word != head.last_word) return likeness * 2;
  // Among many methods called `call` it is the class that tells one from the other.
  const bool frequent = base.is_frequent_word || head.is_frequent_word;
  return frequent && base.last_two_words != head.last_two_words ? std::min(likeness * 2, kUnlikeName)
                                                                : 2 + likeness / 2;
}

/// What the callees cost, and how much of that is in callees which the other side's function has as well.
struct Work {
  double all = 0, shared = 0;
  void add_shared(double cost) {
    all += cost;
    shared += cost;
  }
  double shared_part() const { return all == 0 ? 0 : shared / all; }
};

/// `nameless_count`: whether an open callee without a name is one that the other side lacks. Where two builds meet,
/// nobody knows. Callees of the same cycle are matched together with the function, or not at all.
Work work_of(const Pairing& pairing, size_t side, TraitsOf function, const std::vector<uint64_t>& others,
             bool nameless_count) {
  Work work;
  for (const Neighbour& callee : function.traits->callees) {
    if (callee.is_of_cycle || callee.function == function.function) continue;
    const uint64_t id = shared_id(pairing, side, callee.function);
    if (id == 0 && !nameless_count && pairing.is_unnamed(side, callee.function)) continue;
    work.all += static_cast<double>(callee.inclusive);
    if (std::binary_search(others.begin(), others.end(), id)) work.shared += static_cast<double>(callee.inclusive);
  }
  return work;
}

std::vector<uint64_t> matched_callees(const Pairing& pairing, size_t side, const FunctionTraits& traits) {
  std::vector<uint64_t> ids;
  for (const Neighbour& callee : traits.callees)
    if (const uint64_t id = shared_id(pairing, side, callee.function); id != 0) ids.push_back(id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

/// Functions that stand in the same place but hand on to other functions are two: a dispatcher of `mul` and one of
/// `matmul`. Callees that are still open speak against a pair until they are matched themselves, leaves first; where as
/// many calls cost exactly the same in all (a recursion under a new name), nothing speaks against it. `is_same_text`:
/// one template on the same lines, whose own work is the same work, too.
bool does_other_work(const Pairing& pairing, TraitsOf base, TraitsOf head, bool is_same_text) {
  const bool may_be_one_build = pairing.may_be_one_build(base.function, head.function);
  Work left = work_of(pairing, 0, base, matched_callees(pairing, 1, *head.traits), may_be_one_build);
  Work right = work_of(pairing, 1, head, matched_callees(pairing, 0, *base.traits), may_be_one_build);
  if (left.all == 0 || right.all == 0) return false;
  if (left.all == right.all && base.traits->calls == head.traits->calls &&
      base.traits->callees.size() == head.traits->callees.size())
    return false;
  if (is_same_text) {
    left.add_shared(static_cast<double>(pairing.function(0, base.function).self));
    right.add_shared(static_cast<double>(pairing.function(1, head.function).self));
  }
  return std::max(left.shared_part(), right.shared_part()) < kHalf;
}

double cost_points(double base, double head) {
  if (base == head) return 2;
  const double small = std::min(base, head), large = std::max(base, head);
  if (small >= (1 - kLittle) * large) return 1;
  if (small >= kMostlyOwn * large) return 0.5;
  return small * 3 < large ? -1 : 0;
}

void compare_places(const LineShifts& shifts, const FunctionTraits& base, const FunctionTraits& head,
                    Likeness& likeness) {
  const bool known = base.file_name != 0 && head.file_name != 0, lines = base.line != 0 && head.line != 0;
  if (!known) return;
  if (base.file_name != head.file_name) {
    likeness.contradicts_lines = lines;
    return;
  }
  likeness.place = 1;
  if (!lines) return;
  const LineShifts::Place place = shifts.compare(base.file, base.line, head.line);
  if (place == LineShifts::Place::kSame) likeness.place = 2.5;
  likeness.contradicts_lines = place == LineShifts::Place::kAnother;
}

}  // namespace

uint64_t shared_id(const Pairing& pairing, size_t side, uint32_t function) {
  if (pairing.is_open(side, function)) return 0;
  return 1 + uint64_t{side == 0 ? function : pairing.partner[1][function]};
}

bool Likeness::convinces() const {
  constexpr double kEnough = 5, kEnoughWithoutName = 6.5, kEnoughInItsPlace = 5.5;
  if (does_other_work || is_another_lambda || is_inlined_there) return false;
  if (name >= kLikeName) return score >= kEnough;
  // On the same lines, called by the same functions as often: it was renamed and changed.
  const bool is_in_its_place = place >= kSamePlace && callers >= 2 * (1 - kHardly) && calls >= 1;
  if (is_in_its_place && score >= kEnoughInItsPlace && matters) return true;
  return score >= kEnoughWithoutName && cost >= 1 && calls >= 1 && matters && !contradicts_lines;
}

bool Likeness::is_better_than(const Likeness& other) const {
  const auto order = [](const Likeness& of) {
    const int name = of.name >= kSameName ? 2 : of.name >= kLikeName ? 1 : 0;
    return std::tuple(name, name == 2 ? of.arguments : 0, name > 0 && !of.contradicts_lines, name > 0 ? of.place : 0,
                      of.score);
  };
  return order(*this) > order(other);
}

std::string Likeness::words() const {
  std::vector<std::string_view> found;
  if (name >= 4) found.push_back("same except for the number or place of a closure");
  if (place >= 2) found.push_back("same place in the file");
  if (callers >= 1.5 && callees >= 1.5) {
    found.push_back("same callers and callees");
  } else if (callers >= 1.5) {
    found.push_back("same callers");
  } else if (callees >= 1.5) {
    found.push_back("same callees");
  }
  if (cost >= 2) found.push_back("same cost per call");
  if (calls >= 1) found.push_back("same number of calls");
  if (found.empty()) found.push_back("similar name");
  std::string text;
  for (std::string_view word : found) text.append(text.empty() ? "" : ", ").append(word);
  return text;
}

LineShifts find_line_shifts(const Pairing& pairing) {
  LineShifts shifts;
  const std::array<std::vector<LineSpan>, 2> spans = {line_spans(*pairing.sides[0]), line_spans(*pairing.sides[1])};
  for (const FunctionMatch& pair : pairing.pairs)
    shifts.add(base_of_path(pairing.function(0, pair.base).file), spans[0][pair.base],
               base_of_path(pairing.function(1, pair.head).file), spans[1][pair.head]);
  return shifts;
}

Likeness compare(const Pairing& pairing, const LineShifts& shifts, TraitsOf base, TraitsOf head) {
  const FunctionTraits &a = *base.traits, &b = *head.traits;
  Likeness found;
  found.name = name_points(a, b);
  found.arguments = argument_likeness(a.arguments, b.arguments);
  found.is_another_lambda = a.owner != b.owner && a.owner != 0 && b.owner != 0 && found.name < kLikeName;
  found.is_inlined_there = (a.is_inlined_there || b.is_inlined_there) && a.last_word != b.last_word;
  compare_places(shifts, a, b, found);
  const Overlap callers = overlap(pairing, a.callers, b.callers), callees = overlap(pairing, a.callees, b.callees);
  found.callers = callers.any ? 2 * callers.part : 0.5;
  found.callees = callees.any ? 2 * callees.part : 0.5;
  const auto per_call = [&](size_t side, const TraitsOf& of) {
    return static_cast<double>(pairing.function(side, of.function).self) /
           static_cast<double>(std::max<int64_t>(1, of.traits->calls));
  };
  found.cost = cost_points(per_call(0, base), per_call(1, head));
  found.calls = a.calls == b.calls ? 1 : 0;
  found.score = found.name + found.place + found.callers + found.callees + found.cost + found.calls;
  const int64_t self = std::max(pairing.function(0, base.function).self, pairing.function(1, head.function).self);
  found.matters = static_cast<double>(self) >=
                  kSmallestPart * static_cast<double>(std::max(pairing.sides[0]->total, pairing.sides[1]->total));
  // Lambdas that kept their number are the likelier pair, unless figures say otherwise.
  const bool same_name = pairing.function(0, base.function).name == pairing.function(1, head.function).name;
  if (same_name) found.score += 0.75;
  constexpr double kSameButForNumber = 4;
  // Under another signature (a parameter of another type) a function may do everything by other means, but not on other
  // lines.
  const bool is_called_alike = found.calls > 0 && callers.any && callers.part >= 1 - kHardly;
  found.does_other_work = !same_name && found.name < kSameButForNumber &&
                          !(found.name >= kSameName && found.place >= kSamePlace && is_called_alike) &&
                          does_other_work(pairing, base, head, found.name >= kSameName && found.place >= kSamePlace);
  // Another source file under a name without scope: two statics more often than one that moved.
  if (a.file_name != 0 && b.file_name != 0 && a.file_name != b.file_name) found.score -= 1.5;
  if (pairing.objects.of(0, base.function) != pairing.objects.of(1, head.function)) found.score -= 1;
  return found;
}

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
        shifts_(find_line_shifts(pairing)) {
    for (size_t side = 0; side < 2; ++side) mark_inlined(side);
  }

  void match() {
    for (int round = 0; round < kRounds; ++round)
      if (!match_round()) return;
  }

 private:
  /// By name and file, and begins on the line that the inlined code's declaration is on, or a few below.
  void mark_inlined(size_t side) {
    const ProfileCode* const code = pairing_.sides[1 - side]->graph->code.get();
    if (code == nullptr || traits_[side].empty()) return;
    std::map<std::pair<uint64_t, uint64_t>, std::vector<uint64_t>> lines;  // by last word and file
    for (const InlinedCode& inlined : code->inlined) {
      if (inlined.file >= code->files.size()) continue;
      lines[{hash64(last_word(plain_name(inlined.name))), hash64(base_of_path(code->files[inlined.file]))}].push_back(
          inlined.line);
    }
    constexpr int64_t kHead = 10;
    for (auto& of : traits_[side]) {
      FunctionTraits& trait = of.second;
      const auto found = lines.find({trait.last_word, trait.file_name});
      if (found == lines.end()) continue;
      const int64_t there = static_cast<int64_t>(trait.line) + shifts_.of(trait.file, trait.line, side);
      trait.is_inlined_there = std::any_of(found->second.begin(), found->second.end(), [&](uint64_t line) {
        const int64_t below = there - static_cast<int64_t>(line);
        return line == 0 || trait.line == 0 || (below >= -kHead && below <= kHead);
      });
    }
  }

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
