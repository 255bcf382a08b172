#include "icount/kernels/compare_kernels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "icount/base/error.h"
#include "icount/base/hash.h"
#include "icount/base/parallel.h"
#include "icount/base/text.h"
#include "icount/harness/elf_file.h"
#include "icount/kernels/sass_match.h"

namespace icount {
namespace {

/// A kernel of one side, with the cubin that it lies in.
struct Found {
  const Cubin* cubin = nullptr;
  const KernelCode* kernel = nullptr;
  std::string stable;     ///< stable_symbol of its name
  std::string demangled;  ///< of that
};

/// "ns::apply<F>" of "void ns::apply<F>(int, F)": without what it returns and takes.
std::string without_signature(std::string_view name) {
  int depth = 0;
  size_t begin = 0, end = name.size();
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '(' && depth == 0 && !name.substr(i).starts_with("(anonymous namespace)")) {
      end = i;
      break;
    }
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == '}') --depth;
    if (c == ' ' && depth == 0) begin = i + 1;
  }
  return std::string(name.substr(begin, end - begin));
}

/// "ns::apply" of "ns::apply<F>".
std::string without_arguments(const std::string& name) { return name.substr(0, name.find('<')); }

/// Pairs what has an equal key, in the order of the sides; with `alone` only where each side has one of it.
enum class Pairs { kInOrder, kOnlyUnique };

class Pairing {
 public:
  Pairing(std::vector<Found> base, std::vector<Found> head) : base_(std::move(base)), head_(std::move(head)) {}

  template <typename Key>
  void by(Key key, Pairs which) {
    std::map<std::string, std::pair<std::vector<size_t>, std::vector<size_t>>> groups;
    for (size_t i = 0; i < base_.size(); ++i)
      if (base_[i].kernel) groups[key(base_[i])].first.push_back(i);
    for (size_t i = 0; i < head_.size(); ++i)
      if (head_[i].kernel) groups[key(head_[i])].second.push_back(i);
    for (const auto& [name, sides] : groups) {
      const auto& [of_base, of_head] = sides;
      if (which == Pairs::kOnlyUnique && (of_base.size() != 1 || of_head.size() != 1)) continue;
      for (size_t i = 0; i < std::min(of_base.size(), of_head.size()); ++i) {
        pairs_.emplace_back(base_[of_base[i]], head_[of_head[i]]);
        base_[of_base[i]].kernel = head_[of_head[i]].kernel = nullptr;
      }
    }
  }

  /// The pairs, then what is left, with an empty partner.
  std::vector<std::pair<Found, Found>> take() {
    for (const Found& one : base_)
      if (one.kernel) pairs_.emplace_back(one, Found());
    for (const Found& one : head_)
      if (one.kernel) pairs_.emplace_back(Found(), one);
    return std::move(pairs_);
  }

 private:
  std::vector<Found> base_, head_;
  std::vector<std::pair<Found, Found>> pairs_;
};

std::string references_text(const std::vector<CubinReference>& references) {
  std::string text;
  for (const CubinReference& one : references)
    text += fmt::format("{} {} {} {}\n", one.offset, one.type, one.symbol, one.addend);
  return text;
}

/// All that a function's code is, but for what it refers to in the module.
std::string code_key(const KernelCode& kernel) {
  return fmt::format("{}\n{}\n{}", content_hash(kernel.code), content_hash(kernel.literals),
                     content_hash(references_text(kernel.references)));
}

std::string variables_text(const std::vector<CubinVariable>& variables, bool with_places) {
  std::string text;
  for (const CubinVariable& one : variables)
    text += fmt::format("{} {} {} {}\n", one.name, with_places ? one.offset : 0, one.size, content_hash(one.content));
  return text;
}

/// All that code of this module may refer to by place or name.
std::string surroundings_key(const Cubin& cubin) {
  std::string text = variables_text(cubin.constants, true) + variables_text(cubin.globals, false);
  for (const auto& [offset, one] : cubin.pointers) text += references_text({one});
  for (const KernelCode& one : cubin.functions)
    if (!one.is_entry) text += stable_symbol(one.name) + code_key(one) + '\n';
  return content_hash(text);
}

int64_t signed_of(uint64_t value) { return static_cast<int64_t>(value); }

class Comparison {
 public:
  Comparison(const std::vector<Cubin>& base, const std::vector<Cubin>& head, const CompareKernelsOptions& options)
      : base_(base), head_(head), options_(options) {}

  KernelComparison compare() {
    const std::set<std::string> of_base = architectures(base_), of_head = architectures(head_);
    std::vector<std::string> shared;
    std::set_intersection(of_base.begin(), of_base.end(), of_head.begin(), of_head.end(), std::back_inserter(shared));
    if (shared.empty())
      throw Error(ErrorKind::kCannotJudge, fmt::format("no architecture is on both sides: base has {}, head has {}",
                                                       names(of_base), names(of_head)));
    for (const auto& [side, here, there] :
         {std::tuple("base", &of_base, &of_head), std::tuple("head", &of_head, &of_base)})
      for (const std::string& arch : *here)
        if (!there->contains(arch))
          result_.notes.push_back(fmt::format("{} is in {} only and not compared", arch, side));
    for (const std::string& arch : shared) {
      compare_arch(arch);
      if (arch.ends_with("(PTX)"))
        result_.notes.push_back(fmt::format(
            "{} is compared as text: what a driver makes of it is not known; equal PTX gives equal code with "
            "one driver",
            arch));
    }
    finish();
    return std::move(result_);
  }

 private:
  static std::set<std::string> architectures(const std::vector<Cubin>& cubins) {
    std::set<std::string> all;
    for (const Cubin& one : cubins) all.insert(one.arch);
    return all;
  }

  static std::string names(const std::set<std::string>& all) {
    std::string text;
    for (const std::string& one : all) text += (text.empty() ? "" : ", ") + one;
    return text.empty() ? "no machine code" : text;
  }

  static std::vector<Found> kernels_of(const std::vector<Cubin>& cubins, std::string_view arch) {
    std::vector<Found> found;
    for (const Cubin& cubin : cubins)
      if (cubin.arch == arch)
        for (const KernelCode& kernel : cubin.functions)
          if (kernel.is_entry) {
            Found one{&cubin, &kernel, stable_symbol(kernel.name), {}};
            one.demangled = demangle(one.stable);
            found.push_back(std::move(one));
          }
    return found;
  }

  void compare_arch(const std::string& arch) {
    Pairing pairing(kernels_of(base_, arch), kernels_of(head_, arch));
    // Those with equal code first: names of internal linkage are in several files, and lambdas are numbered anew.
    pairing.by([](const Found& one) { return one.stable + '\n' + code_key(*one.kernel); }, Pairs::kInOrder);
    pairing.by(
        [](const Found& one) {
          const bool is_lambda = one.demangled.find("{lambda") != std::string::npos;
          return (is_lambda ? without_arguments(without_signature(one.demangled)) : one.stable) + '\n' +
                 code_key(*one.kernel);
        },
        Pairs::kInOrder);
    pairing.by([](const Found& one) { return one.stable; }, Pairs::kInOrder);
    // Arguments change: the only one of its name.
    pairing.by([](const Found& one) { return without_signature(one.demangled); }, Pairs::kOnlyUnique);
    pairing.by([](const Found& one) { return without_arguments(without_signature(one.demangled)); },
               Pairs::kOnlyUnique);
    if (options_.pair_lone) pairing.by([](const Found&) { return std::string(); }, Pairs::kOnlyUnique);
    for (auto& [base, head] : pairing.take()) {
      KernelPair& pair = result_.pairs.emplace_back();
      pair.arch = arch;
      pair.symbol = head.kernel ? head.kernel->name : base.kernel->name;
      pair.name = head.kernel ? head.demangled : base.demangled;
      if (base.kernel && head.kernel && base.demangled != head.demangled) pair.base_name = base.demangled;
      if (base.kernel && head.kernel && base.kernel->name != pair.symbol) pair.base_symbol = base.kernel->name;
      if (base.kernel) pair.base = facts_of(base);
      if (head.kernel) pair.head = facts_of(head);
      pair.state = !head.kernel ? KernelState::kOnlyBase : !base.kernel ? KernelState::kOnlyHead : KernelState::kSame;
      sides_.emplace_back(base, head);
      if (base.kernel && head.kernel) compare_facts(base, head, pair);
    }
  }

  static KernelFacts facts_of(const Found& one) {
    KernelFacts facts;
    facts.instructions = one.cubin->is_ptx ? std::count(one.kernel->code.begin(), one.kernel->code.end(), ';')
                                           : signed_of(length_without_padding(*one.kernel));
    facts.registers = one.kernel->registers;
    facts.shared_bytes = signed_of(one.kernel->shared_bytes);
    facts.local_bytes = signed_of(one.kernel->local_bytes);
    facts.max_threads = one.kernel->max_threads;
    facts.occupancy = occupancy_of(one.cubin->arch, facts.registers, facts.shared_bytes);
    return facts;
  }

  static void compare_number(std::string_view what, int64_t base, int64_t head, KernelPair& pair) {
    if (base == head) return;
    pair.state = KernelState::kDiffers;
    pair.reasons.push_back(fmt::format("{} {} became {}", with_thousands(base), what, with_thousands(head)));
  }

  /// What a launch takes: code that is equal does not run alike with another.
  void compare_facts(const Found& base, const Found& head, KernelPair& pair) {
    compare_number("registers", pair.base->registers, pair.head->registers, pair);
    compare_number("bytes of shared memory", pair.base->shared_bytes, pair.head->shared_bytes, pair);
    compare_number("bytes of local memory", pair.base->local_bytes, pair.head->local_bytes, pair);
    if (pair.base->max_threads != pair.head->max_threads) {
      const auto bound = [](int64_t threads) { return threads == 0 ? "none" : with_thousands(threads); };
      pair.state = KernelState::kDiffers;
      pair.reasons.push_back(fmt::format("launch bounds, threads of a block: {} became {}",
                                         bound(pair.base->max_threads), bound(pair.head->max_threads)));
    }
    if (base.kernel->parameters != head.kernel->parameters) {
      pair.state = KernelState::kDiffers;
      pair.reasons.emplace_back("its parameters have other sizes or places");
    }
    if (pair.state == KernelState::kSame && base.kernel->launch != head.kernel->launch) {
      pair.state = KernelState::kDiffers;
      pair.reasons.emplace_back("it is launched otherwise: attributes that the driver reads differ");
    }
    const bool equal = code_key(*base.kernel) == code_key(*head.kernel) &&
                       base.kernel->parameter_base == head.kernel->parameter_base &&
                       surroundings(*base.cubin) == surroundings(*head.cubin);
    pair.identical = equal;
    if (equal && pair.state == KernelState::kDiffers && !base.cubin->is_ptx)
      pair.reasons.emplace_back("the instructions are the same");
    if (base.cubin->is_ptx) {
      if (equal) return;
      pair.state = KernelState::kDiffers;
      pair.reasons.emplace_back("its PTX differs, or what its module declares");
    } else if (!equal || is_open(pair))
      wanted_.push_back(result_.pairs.size() - 1);
  }

  bool is_open(const KernelPair& pair) const {
    return std::any_of(options_.open.begin(), options_.open.end(), [&](const std::string& part) {
      return pair.name.find(part) != std::string::npos || pair.symbol == part;
    });
  }

  const std::string& surroundings(const Cubin& cubin) {
    std::string& key = surroundings_[&cubin];
    if (key.empty()) key = surroundings_key(cubin);
    return key;
  }

  const SassCode& code_of(const Found& one) const { return code_.at(one.cubin).at(one.kernel->name); }

  /// Disassembles what has to be, each cubin once.
  void finish() {
    std::map<const Cubin*, std::vector<const KernelCode*>> wanted;
    for (const size_t i : wanted_) {
      wanted[sides_[i].first.cubin].push_back(sides_[i].first.kernel);
      wanted[sides_[i].second.cubin].push_back(sides_[i].second.kernel);
    }
    // Functions that kernels call, where there are any: they are few.
    for (auto& [cubin, functions] : wanted)
      for (const KernelCode& one : cubin->functions)
        if (!one.is_entry) functions.push_back(&one);
    const std::vector<std::pair<const Cubin*, std::vector<const KernelCode*>>> work(wanted.begin(), wanted.end());
    std::vector<std::map<std::string, SassCode>> codes(work.size());
    run_parallel(work.size(), count_usable_cores(), [&](size_t i) {
      codes[i] = run_nvdisasm(*work[i].first, work[i].second, options_.environment, options_.cancelled);
    });
    for (size_t i = 0; i < work.size(); ++i) code_[work[i].first] = std::move(codes[i]);
    for (const size_t i : wanted_) match(i);
    std::stable_sort(result_.pairs.begin(), result_.pairs.end(), [](const KernelPair& a, const KernelPair& b) {
      const auto rank = [](KernelState state) {
        constexpr KernelState kOrder[] = {KernelState::kDiffers, KernelState::kOnlyBase, KernelState::kOnlyHead,
                                          KernelState::kMoved, KernelState::kSame};
        return std::find(std::begin(kOrder), std::end(kOrder), state) - std::begin(kOrder);
      };
      return std::tuple(rank(a.state), a.name, a.arch, a.symbol) < std::tuple(rank(b.state), b.name, b.arch, b.symbol);
    });
  }

  void match(size_t index) {
    KernelPair& pair = result_.pairs[index];
    const auto& [base, head] = sides_[index];
    const SassSide of_base{base.cubin, base.kernel, &code_of(base)}, of_head{head.cubin, head.kernel, &code_of(head)};
    for (auto [facts, side] : {std::pair(&pair.base, &of_base), std::pair(&pair.head, &of_head)}) {
      (*facts)->classes = count_classes(*side->code, 0, length_without_padding(*side->code));
    }
    if (!pair.identical) {
      const SassMatch matched = match_sass(of_base, of_head);
      pair.renamed = matched.renamed;
      std::string reason = matched.reason;
      bool same = matched.relation == SassRelation::kSame || matched.relation == SassRelation::kMoved;
      if (same && matched.calls_by_address && surroundings(*base.cubin) != surroundings(*head.cubin)) {
        same = false;
        reason = "it calls functions by address, and the functions or variables of the module differ";
      }
      std::set<std::pair<std::string, std::string>> seen;
      if (same) same = same_callees(base, head, matched.callees, seen, reason);
      if (!same) {
        pair.rescheduled = matched.relation == SassRelation::kRescheduled;
        pair.state = KernelState::kDiffers;
        pair.reasons.insert(pair.reasons.begin(), reason);
      } else if (pair.state == KernelState::kSame && matched.relation == SassRelation::kMoved) {
        pair.state = KernelState::kMoved;
      } else if (pair.state == KernelState::kDiffers) {
        pair.reasons.emplace_back("the instructions are the same");
      }
    }
    if (pair.state == KernelState::kDiffers) add_loops(of_base, of_head, pair);
    pair.opened = is_open(pair);
    if (pair.opened || (pair.state == KernelState::kDiffers && listed_++ < options_.list_changed))
      add_listing(of_base, of_head, pair);
  }

  /// Functions that the kernel calls, and those that they call.
  bool same_callees(const Found& base, const Found& head, const std::vector<std::pair<std::string, std::string>>& names,
                    std::set<std::pair<std::string, std::string>>& seen, std::string& reason) const {
    for (const auto& pair : names) {
      if (!seen.insert(pair).second) continue;
      const Found callee_base = function_named(base, pair.first), callee_head = function_named(head, pair.second);
      const auto disassembled = [&](const Found& one) {
        return one.kernel && code_.at(one.cubin).contains(one.kernel->name);
      };
      if (!disassembled(callee_base) || !disassembled(callee_head)) {
        reason = fmt::format("`{}`, which it calls, is not compared", demangle(pair.second));
        return false;
      }
      const SassMatch matched = match_sass({callee_base.cubin, callee_base.kernel, &code_of(callee_base)},
                                           {callee_head.cubin, callee_head.kernel, &code_of(callee_head)});
      // A caller counts on the registers that its callee leaves alone.
      if (matched.relation != SassRelation::kSame || matched.renamed || matched.calls_by_address) {
        reason = fmt::format("`{}`, which it calls, differs: {}", demangle(pair.second), matched.reason);
        return false;
      }
      if (!same_callees(base, head, matched.callees, seen, reason)) return false;
    }
    return true;
  }

  static Found function_named(const Found& beside, const std::string& stable) {
    for (const KernelCode& one : beside.cubin->functions)
      if (stable_symbol(one.name) == stable) return {beside.cubin, &one, stable, {}};
    return {};
  }

  static std::map<SassClass, int64_t> count_classes(const SassCode& code, size_t begin, size_t end) {
    std::map<SassClass, int64_t> counts;
    for (size_t i = begin; i < end; ++i)
      if (code[i].opcode != "NOP") ++counts[class_of(code[i])];
    return counts;
  }

  /// The first line that a kernel has code of, by file: lines below move with it.
  static uint64_t first_line(const SassSide& side, const std::string& file) {
    uint64_t first = 0;
    for (const auto& [offset, index] : side.kernel->lines) {
      const SourceLine& line = side.cubin->lines[index];
      if (line.file == file && (first == 0 || line.line < first)) first = line.line;
    }
    return first;
  }

  /// Loops at one line of the kernel are one row, in their order where a line has several; those left over too, by
  /// their depths: a line between moves what is below it.
  static void add_loops(const SassSide& base, const SassSide& head, KernelPair& pair) {
    const auto line_in_kernel = [](const SassSide& side, const SassLoop& loop) {
      return loop.place.line - first_line(side, loop.place.file);
    };
    std::vector<SassLoop> of_base = find_sass_loops(*base.cubin, *base.kernel, *base.code);
    const std::vector<SassLoop> of_head = find_sass_loops(*head.cubin, *head.kernel, *head.code);
    std::vector<std::optional<SassLoop>> partners(of_head.size());
    for (const bool by_line : {true, false}) {
      for (size_t i = 0; i < of_head.size(); ++i) {
        const auto found = std::find_if(of_base.begin(), of_base.end(), [&](const SassLoop& one) {
          return one.depth == of_head[i].depth &&
                 (!by_line || line_in_kernel(base, one) == line_in_kernel(head, of_head[i]));
        });
        if (partners[i] || found == of_base.end()) continue;
        partners[i] = *found;
        of_base.erase(found);
      }
    }
    for (size_t i = 0; i < of_head.size(); ++i) {
      KernelLoop& row = pair.loops.emplace_back(KernelLoop{of_head[i].place, of_head[i].depth, {}, {}});
      row.head = count_classes(*head.code, of_head[i].first, of_head[i].last + 1);
      if (partners[i]) row.base = count_classes(*base.code, partners[i]->first, partners[i]->last + 1);
    }
    for (const SassLoop& loop : of_base) {
      KernelLoop& row = pair.loops.emplace_back(KernelLoop{loop.place, loop.depth, {}, {}});
      row.base = count_classes(*base.code, loop.first, loop.last + 1);
    }
  }

  static SourceLine place_of(const SassSide& side, size_t index) {
    const SourceLine* line = line_at(*side.cubin, *side.kernel, index * kSassBytes);
    return line ? *line : SourceLine();
  }

  /// Opcodes aligned by their longest common subsequence; of what is too long for that, equal ends alone.
  static void add_listing(const SassSide& base, const SassSide& head, KernelPair& pair) {
    const size_t base_end = length_without_padding(*base.code), head_end = length_without_padding(*head.code);
    const auto equal = [&](size_t b, size_t h) {
      return (*base.code)[b].opcode == (*head.code)[h].opcode &&
             (*base.code)[b].predicate.empty() == (*head.code)[h].predicate.empty();
    };
    size_t begin = 0, behind = 0;
    while (begin < std::min(base_end, head_end) && equal(begin, begin)) ++begin;
    while (behind < std::min(base_end, head_end) - begin && equal(base_end - behind - 1, head_end - behind - 1))
      ++behind;
    const size_t rows = base_end - begin - behind, columns = head_end - begin - behind;
    constexpr size_t kMostCells = 16'000'000;
    const bool aligned = rows * columns <= kMostCells;
    std::vector<uint16_t> common;
    const auto cell = [&](size_t r, size_t c) -> uint16_t& { return common[r * (columns + 1) + c]; };
    if (aligned) {
      common.assign((rows + 1) * (columns + 1), 0);
      for (size_t r = rows; r-- > 0;)
        for (size_t c = columns; c-- > 0;)
          cell(r, c) = equal(begin + r, begin + c) ? static_cast<uint16_t>(cell(r + 1, c + 1) + 1)
                                                   : std::max(cell(r + 1, c), cell(r, c + 1));
    }
    const auto both = [&](size_t b, size_t h) {
      pair.listing.push_back({(*base.code)[b].text(), (*head.code)[h].text(), place_of(head, h)});
    };
    for (size_t i = 0; i < begin; ++i) both(i, i);
    size_t r = 0, c = 0;
    while (r < rows || c < columns) {
      if (aligned && r < rows && c < columns && equal(begin + r, begin + c)) {
        both(begin + r, begin + c);
        ++r, ++c;
      } else if (r < rows && (!aligned || c >= columns || cell(r + 1, c) >= cell(r, c + 1))) {
        pair.listing.push_back({(*base.code)[begin + r].text(), "", place_of(base, begin + r)});
        ++r;
      } else {
        pair.listing.push_back({"", (*head.code)[begin + c].text(), place_of(head, begin + c)});
        ++c;
      }
    }
    for (size_t i = behind; i-- > 0;) both(base_end - i - 1, head_end - i - 1);
  }

  const std::vector<Cubin>& base_;
  const std::vector<Cubin>& head_;
  const CompareKernelsOptions& options_;
  KernelComparison result_;
  std::vector<std::pair<Found, Found>> sides_;  ///< of each pair
  std::vector<size_t> wanted_;                  ///< pairs to disassemble
  size_t listed_ = 0;                           ///< of those that differ
  std::map<const Cubin*, std::string> surroundings_;
  std::map<const Cubin*, std::map<std::string, SassCode>> code_;
};

}  // namespace

std::string_view to_text(KernelState state) {
  switch (state) {
    case KernelState::kSame:
      return "same";
    case KernelState::kMoved:
      return "moved";
    case KernelState::kDiffers:
      return "differs";
    case KernelState::kOnlyBase:
      return "only base";
    case KernelState::kOnlyHead:
      return "only head";
  }
  return {};
}

KernelComparison compare_kernels(const std::vector<Cubin>& base, const std::vector<Cubin>& head,
                                 const CompareKernelsOptions& options) {
  return Comparison(base, head, options).compare();
}

std::string kernels_sentence(const KernelComparison& comparison) {
  std::map<KernelState, int64_t> counts;
  std::set<std::string> architectures;
  for (const KernelPair& pair : comparison.pairs) {
    ++counts[pair.state];
    architectures.insert(pair.arch);
  }
  if (comparison.pairs.empty()) return "no kernel on either side";
  std::string text = fmt::format("{} for {}:", counted(static_cast<int64_t>(comparison.pairs.size()), "kernel"),
                                 fmt::join(architectures, ", "));
  const auto add = [&](KernelState state, std::string_view one, std::string_view several) {
    const int64_t count = counts[state];
    if (count == 0) return;
    text += fmt::format("{} {} {}", text.ends_with(':') ? "" : ",", with_thousands(count), count == 1 ? one : several);
  };
  add(KernelState::kDiffers, "differs", "differ");
  add(KernelState::kOnlyBase, "is in base only", "are in base only");
  add(KernelState::kOnlyHead, "is in head only", "are in head only");
  add(KernelState::kMoved, "has its blocks in another order", "have their blocks in another order");
  const bool machine_code = std::none_of(comparison.pairs.begin(), comparison.pairs.end(),
                                         [](const KernelPair& pair) { return pair.arch.ends_with("(PTX)"); });
  add(KernelState::kSame, machine_code ? "has the same machine code" : "is the same",
      machine_code ? "have the same machine code" : "are the same");
  return text;
}

bool is_same_code(const KernelPair& pair) {
  return pair.state == KernelState::kSame || pair.state == KernelState::kMoved;
}

std::vector<std::string> find_kernel_excesses(const KernelComparison& comparison,
                                              const std::set<std::string>& fail_on) {
  std::vector<std::string> excesses;
  for (const KernelPair& pair : comparison.pairs) {
    const auto add = [&](std::string_view what) {
      excesses.push_back(fmt::format("`{}` for {}: {}", pair.name, pair.arch, what));
    };
    if (fail_on.contains("differs") && !is_same_code(pair)) add(to_text(pair.state));
    if (!pair.base || !pair.head) continue;
    const auto add_rise = [&](const char* limit, std::string_view what, int64_t base, int64_t head) {
      if (fail_on.contains(limit) && head > base)
        add(fmt::format("{} {} became {}", with_thousands(base), what, with_thousands(head)));
    };
    add_rise("registers", "registers", pair.base->registers, pair.head->registers);
    add_rise("spills", "bytes of local memory", pair.base->local_bytes, pair.head->local_bytes);
  }
  return excesses;
}

}  // namespace icount
