#include "icount/report/shared_cause_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "icount/base/text.h"
#include "icount/explain/match/node_names.h"

namespace icount {
namespace {

std::string percent(double share) {
  double value = 100 * share;
  return std::abs(value) < 10 ? fmt::format("{:.1f} %", value) : fmt::format("{:.0f} %", value);
}

std::string per_call_text(const SharedCause& cause) {
  if (!cause.change_per_call) return {};
  double change = *cause.change_per_call;
  double whole = std::round(change);
  if (std::abs(change - whole) < 0.005 && std::abs(whole) < 1e15)
    return fmt::format(" {} per call", with_sign(static_cast<int64_t>(whole)));
  return fmt::format(" {:+.2f} per call", change);
}

/// With whole names: whoever shows them makes them short.
std::string whole_label(const std::string& label) {
  if (label == kNoSymbols) return label;
  const auto [name, functions] = parts_of_label(label);
  return functions < 2 ? fmt::format("`{}`", name) : recursion_through(fmt::format("`{}`", name), functions);
}

}  // namespace

std::string shared_cause_subject(const SharedCause& cause) {
  switch (cause.kind) {
    case CauseKind::kOwnCost:
    case CauseKind::kCluster:
      return fmt::format("self cost of {}{}", whole_label(cause.function), per_call_text(cause));
    case CauseKind::kRenamed:
      return fmt::format("{} under its new name", whole_label(cause.function));
    case CauseKind::kCalls: {
      const bool recursion = cause.caller == cause.callee && cause.caller != kNoSymbols;
      return fmt::format("{} calling {}{}", whole_label(cause.caller), recursion ? "itself" : whole_label(cause.callee),
                         per_call_text(cause));
    }
    case CauseKind::kIterations:
      return fmt::format("iterations of loops in {}", whole_label(cause.function));
    case CauseKind::kIterationCost:
      return fmt::format("cost of one iteration of loops in {}", whole_label(cause.function));
    case CauseKind::kLoopEntry:
      return fmt::format("entries of loops in {}", whole_label(cause.function));
    case CauseKind::kBranch:
      return fmt::format("ways taken at branches in {}", whole_label(cause.function));
    case CauseKind::kReshaped:
      return fmt::format("loops unrolled or vectorised differently in {}", whole_label(cause.function));
    case CauseKind::kInlined:
      return fmt::format("inlining of {} in {}", whole_label(cause.callee), whole_label(cause.caller));
    case CauseKind::kEntry:
      return fmt::format("entries into {}", whole_label(cause.function));
    case CauseKind::kGroup:
      return fmt::format("inside the {}", cause.function);
    case CauseKind::kProcess:
      return fmt::format("process {}", cause.function);
    case CauseKind::kSum:
      return fmt::format("{} as a whole", whole_label(cause.function));
    case CauseKind::kPlace:  // stands for its members
    case CauseKind::kRest:
      break;
  }
  return "the rest";
}

std::string shared_cause_effect(const SharedCause& cause, const SharedCauses& all) {
  const size_t count = cause.benchmarks.size();
  std::string text;
  if (cause.raised_in > 0 && cause.lowered_in > 0)
    text += fmt::format("net {} ({} in {}, {} in {})", with_sign(cause.delta), with_sign(cause.raised), cause.raised_in,
                        with_sign(cause.lowered), cause.lowered_in);
  else
    text += with_sign(cause.delta);
  if (all.changed == 0) return text + fmt::format(" in {} benchmarks whose totals did not change", count);
  text += fmt::format(" in {} of {} changed benchmarks, the main cause in {}", std::min(count, all.changed),
                      all.changed, cause.explains == 0 ? "none" : std::to_string(cause.explains));
  if (cause.opposes) return text + "; in some it works against the change";
  return cause.share > 0 && cause.share <= 1 ? text + fmt::format("; {} of all changes", percent(cause.share)) : text;
}

std::string shared_cause_text(const SharedCause& cause, const SharedCauses& all) {
  return shared_cause_subject(cause) + ": " + shared_cause_effect(cause, all);
}

}  // namespace icount
