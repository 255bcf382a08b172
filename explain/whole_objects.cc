#include "icount/explain/whole_objects.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "icount/base/checked.h"
#include "icount/callgraph/name_parts.h"
#include "icount/explain/link_time.h"
#include "icount/explain/optimisation_change.h"
#include "icount/explain/producer_change.h"

namespace icount {
namespace {

/// Where most happens in the object, all that changed is its doing.
void join_in_object(const std::array<std::string_view, 2>& objects, std::string text,
                    std::vector<GroupedCause>& causes) {
  int64_t inside = 0, all = 0;
  for (const GroupedCause& grouped : causes) {
    const int64_t size = std::abs(grouped.cause.delta);
    all = saturating_add(all, size);
    if (grouped.objects[0] == objects[0] || grouped.objects[1] == objects[1]) inside = saturating_add(inside, size);
  }
  if (causes.empty() || inside < all / 2) return;
  Cause cause;
  cause.kind = CauseKind::kSum;
  for (GroupedCause& grouped : causes) {
    cause.delta = saturating_add(cause.delta, grouped.cause.delta);
    cause.inside.push_back(std::move(grouped.cause));
  }
  causes.clear();
  cause.function = base_of_path(objects[1]);
  cause.text = std::move(text);
  causes.push_back({std::move(cause), {}, {}});
}

/// `producers`: what debug information says about it.
std::string other_build_text(const OtherBuild& build, const std::string& producers) {
  std::string only;
  for (const auto& [functions, side] : {std::pair(build.alone[0], "base"), {build.alone[1], "head"}})
    if (functions > 0) only += fmt::format(", {} {} only in {}", functions, functions == 1 ? "is" : "are", side);
  return fmt::format("`{}` was built differently ({}): {} of {} functions have another self cost{}",
                     base_of_path(build.objects[1]), producers.empty() ? "options, compiler or version" : producers,
                     build.changed, build.common, only);
}

std::string link_time_text(const LinkTimeBuild& build) {
  return fmt::format(
      "`{}` was built with{} link-time optimisation: {} functions are {} inlined into functions of other files",
      base_of_path(build.objects[1]), build.side == 1 ? "" : "out", build.functions,
      build.side == 1 ? "now" : "no longer");
}

}  // namespace

void join_other_builds(const JoinedGraph& joined, const OpenedFlow& flow, const std::vector<InliningMove>& moves,
                       std::vector<GroupedCause>& causes) {
  for (const OtherBuild& build : find_other_builds(joined))
    join_in_object(build.objects, other_build_text(build, producer_change(joined, build.objects)), causes);
  for (const LinkTimeBuild& build : find_link_time_builds(joined, flow, moves))
    join_in_object(build.objects, link_time_text(build), causes);
}

}  // namespace icount
