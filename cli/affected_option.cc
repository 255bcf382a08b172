#include "icount/cli/affected_option.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/gate/commit_sources.h"
#include "icount/inputs/diff_side.h"
#include "icount/inputs/executed_lines.h"

namespace icount {

void check_affected(const ParsedOptions& parsed) {
  if (parsed.has("base-ref") && !parsed.has("affected")) parsed.problem("--base-ref is for --affected");
  if (parsed.has("affected") && !parsed.has("base-ref") && !parsed.text("affected").starts_with('@'))
    parsed.problem("--affected needs --base-ref COMMIT, or a stored run such as @main");
}

AffectedRun load_affected(const ParsedOptions& parsed, const std::string& name, const std::string& head_ref,
                          CommandContext& context) {
  const DiffSide side = load_kept_side(name, context);
  AffectedRun run{.base = parsed.text("base-ref", side.commit), .results = side.file.results.size()};
  if (run.base.empty())
    throw Error(ErrorKind::kUsage, fmt::format("{}: --base-ref COMMIT is missing: what it was measured on", name));
  run.affected = find_affected(executed_lines(side.file, name), load_commit_sources(".", run.base, head_ref));
  return run;
}

std::set<std::string> find_left_out(const ParsedOptions& parsed, std::string_view thing, CommandContext& context) {
  if (!parsed.has("affected")) return {};
  const AffectedRun run = load_affected(parsed, parsed.text("affected"), {}, context);
  for (const std::string& why : run.affected.all_because)
    context.warn(fmt::format("all {}s are counted: {}", thing, why));
  const std::vector<std::string>& left_out = run.affected.left_out;
  if (!left_out.empty())
    context.warn(fmt::format("not counted: {} of {} execute nothing that changed since {}", left_out.size(),
                             counted(run.results, thing), run.base));
  return {left_out.begin(), left_out.end()};
}

}  // namespace icount
