#include "icount/console/valgrind_option.h"

#include <algorithm>

namespace icount {

bool has_valgrind_option(const CommandSpec& command) {
  return std::any_of(command.options.begin(), command.options.end(),
                     [](const OptionSpec& option) { return option.name == kValgrindOption.name; });
}

}  // namespace icount
