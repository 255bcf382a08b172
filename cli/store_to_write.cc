#include "icount/cli/store_to_write.h"

#include <fmt/format.h>

#include "icount/base/text.h"
#include "icount/inputs/open_store.h"

namespace icount {

History open_store_to_write(const std::string& given, CommandContext& context, OpenMode mode) {
  History history(chosen_store(given, context), mode);
  if (const auto runs = history.sealed_at_opening(); runs && *runs > 0)
    context.warn(fmt::format(
        "{}: was made by an earlier icount; its {}: changes of branch, times, parents or subject are found "
        "from now on, earlier ones are not",
        history.url().text, *runs == 1 ? "run is sealed as it is" : counted(*runs, "run") + " are sealed as they are"));
  return history;
}

}  // namespace icount
