#include "icount/report/change_kind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <variant>

namespace icount {
namespace {

using namespace fact;

/// Magnitudes of causes, by what they are.
struct Work {
  std::array<double, 2> alone{};  ///< work that base alone does, and that head alone does
  double same = 0, unknown = 0;
  int64_t same_net = 0;
};

void add_same(const Cause& cause, Work& work) {
  work.same += std::abs(static_cast<double>(cause.delta));
  work.same_net += cause.delta;
}

/// What a fact says how often it happens, where that is in it.
template <typename Fact>
Rates times_of(const Fact& fact) {
  const auto rates = [](const Counts& counts) {
    return Rates{static_cast<long double>(counts[0]), static_cast<long double>(counts[1])};
  };
  if constexpr (requires { fact.through; })
    return times_of(fact.through);
  else if constexpr (std::is_same_v<Fact, Calls> || std::is_same_v<Fact, InsideCalls> ||
                     std::is_same_v<Fact, GrownRecursion>)
    return rates(fact.calls);
  else if constexpr (std::is_same_v<Fact, LoopEntry>)
    return rates(fact.entries);
  else if constexpr (std::is_same_v<Fact, Branch> || std::is_same_v<Fact, LeftTo> || std::is_same_v<Fact, Begins>)
    return fact.rate;
  else if constexpr (std::is_same_v<Fact, ReachedCode>)
    return fact.times;
  else if constexpr (std::is_same_v<Fact, SharedCallee>)
    return rates(fact.gained ? Counts{fact.others, fact.calls} : Counts{fact.calls, fact.others});
  else if constexpr (std::is_same_v<Fact, Iterations> || std::is_same_v<Fact, LongerLoop> ||
                     std::is_same_v<Fact, DeeperRecursion> || std::is_same_v<Fact, Entries>)
    return {1, 1};
  else
    return {};
}

template <typename Fact>
constexpr bool kExchange = std::is_same_v<Fact, ReplacedCall> || std::is_same_v<Fact, ContainerReplaced> ||
                           std::is_same_v<Fact, AllocatorReplaced>;

void add(const Cause& cause, Work& work);

struct AddFact {
  const Cause& cause;
  Work& work;

  void operator()(const Group&) const { work.unknown += size(); }
  void operator()(const Inlined&) const { work.unknown += size(); }
  void operator()(const SharedInlining&) const { work.unknown += size(); }

  template <typename Fact>
  void operator()(const Fact& fact) const {
    const auto [base, head] = times_of(fact);
    if (kExchange<Fact>) {
      for (double& alone : work.alone) alone += size() / 2;
    } else if (base != 0 && head != 0) {
      add_same(cause, work);
    } else if (base != head) {
      work.alone[base == 0 ? 1 : 0] += size();
    } else if (cause.inside.empty()) {
      work.unknown += size();  // the lines tell where, not whether they are other code
    } else {
      for (const Cause& part : cause.inside) add(part, work);
    }
  }

  double size() const { return std::abs(static_cast<double>(cause.delta)); }
};

void add(const Cause& cause, Work& work) { std::visit(AddFact{cause, work}, cause.facts); }

constexpr std::string_view kUnknown =
    "code or input? These profiles don't say how often lines run (Callgrind: --dump-instr=yes --collect-jumps=yes)";

/// Whether the same lines of a function cost otherwise, and neither the profiles nor the sentence say how often they
/// run.
bool may_be_input(const Explanation& explanation) {
  const Cause& first = explanation.causes.front();
  const auto* const self = std::get_if<SelfCost>(&first.facts);
  return self && self->lines_run == 0 && explanation.event == "Ir" && !explanation.has_executions &&
         std::none_of(first.lines.begin(), first.lines.end(),
                      [](const CauseLine& line) { return line.base == 0 || line.head == 0; });
}

/// Empty where that is not sure.
std::string kind_of_work(const Explanation& explanation) {
  const CauseFacts& first = explanation.causes.front().facts;
  const bool is_same_file = explanation.files.program == RanFiles::Program::kSame;
  if (std::holds_alternative<LongerWork>(first) || std::holds_alternative<LongerLoop>(first))
    return fmt::format("input: the same functions do {} of the same work", explanation.delta < 0 ? "less" : "more");
  constexpr double kHalf = 0.5, kLittle = 0.2;  // most of what is known; a part that does not make it another kind
  Work work;
  for (const Cause& cause : explanation.causes) add(cause, work);
  const auto [gone, fresh] = work.alone;
  const double known = gone + fresh + work.same;
  if (known <= work.unknown) return may_be_input(explanation) && !is_same_file ? std::string(kUnknown) : "";
  if (gone + fresh >= kHalf * known) {
    const bool goes_the_other_way = (fresh > gone) != (explanation.delta > 0);
    if (goes_the_other_way || std::min(gone, fresh) >= kLittle * std::max(gone, fresh))
      return "other work: head runs other code in place of base's";
    return fresh > gone ? "new work: head runs code that base did not run"
                        : "work gone: head no longer runs code that base ran";
  }
  if ((work.same_net > 0) != (explanation.delta > 0) || gone + fresh >= kLittle * known) return {};
  return fmt::format("the same work, done {} often", explanation.delta < 0 ? "less" : "more");
}

/// Which files ran tells code from input; nothing where that is not known.
std::string files_text(const RanFiles& files) {
  if (files.program == RanFiles::Program::kNotKnown) return {};
  if (files.program == RanFiles::Program::kOther) return "another build of the program";
  if (files.other_libraries.empty()) return "the same program file: other input, options, libraries or environment";
  return fmt::format("the same program file, another build of {}", fmt::join(files.other_libraries, ", "));
}

}  // namespace

std::string kind_of_change(const Explanation& explanation) {
  if (explanation.causes.empty() || explanation.delta == 0) return {};
  const CauseFacts& first = explanation.causes.front().facts;
  if (std::holds_alternative<Rebuilt>(first) || std::holds_alternative<LinkTime>(first))
    return "build: the same source, compiled differently";
  const std::string work = kind_of_work(explanation), files = files_text(explanation.files);
  if (work.empty() || files.empty()) return work + files;
  return fmt::format("{} ({})", work, files);
}

}  // namespace icount
