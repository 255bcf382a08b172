#include "icount/explain/whole_objects.h"

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
void join_in_object(const std::array<std::string_view, 2>& objects, CauseFacts facts,
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
  cause.facts = std::move(facts);
  causes.push_back({std::move(cause), {}, {}});
}

}  // namespace

void join_other_builds(const JoinedGraph& joined, const OpenedFlow& flow, const std::vector<InliningMove>& moves,
                       std::vector<GroupedCause>& causes) {
  for (const OtherBuild& build : find_other_builds(joined))
    join_in_object(build.objects,
                   fact::Rebuilt{.object = std::string(base_of_path(build.objects[1])),
                                 .producers = producer_change(joined, build.objects),
                                 .alone = build.alone,
                                 .common = build.common,
                                 .changed = build.changed},
                   causes);
  for (const LinkTimeBuild& build : find_link_time_builds(joined, flow, moves))
    join_in_object(build.objects,
                   fact::LinkTime{std::string(base_of_path(build.objects[1])), build.side == 1, build.functions},
                   causes);
}

}  // namespace icount
