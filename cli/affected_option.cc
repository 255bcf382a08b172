#include "icount/cli/affected_option.h"

#include <fmt/format.h>

#include "icount/base/text.h"
#include "icount/gate/commit_sources.h"
#include "icount/inputs/executed_lines.h"
#include "icount/mine/affected.h"
#include "icount/store/result_file.h"

namespace icount {

void check_affected(const ParsedOptions& parsed) {
  if (parsed.has("affected") != parsed.has("base-ref")) parsed.problem("--affected and --base-ref go together");
}

std::set<std::string> find_left_out(const ParsedOptions& parsed, std::string_view thing, CommandContext& context) {
  if (!parsed.has("affected")) return {};
  const std::string name = parsed.text("affected");
  const ResultFile base = load_result_file(name).file;
  const Affected affected =
      find_affected(executed_lines(base, name), load_commit_sources(".", parsed.text("base-ref"), {}));
  for (const std::string& why : affected.all_because) context.warn(fmt::format("all {}s are counted: {}", thing, why));
  if (!affected.left_out.empty())
    context.warn(fmt::format("not counted: {} of {} execute nothing that changed since {}", affected.left_out.size(),
                             counted(base.results.size(), thing), parsed.text("base-ref")));
  return {affected.left_out.begin(), affected.left_out.end()};
}

}  // namespace icount
