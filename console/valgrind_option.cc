#include "icount/console/valgrind_option.h"

#include <algorithm>

namespace icount {
namespace {

bool has_option(const CommandSpec& command, std::string_view name) {
  return std::any_of(command.options.begin(), command.options.end(),
                     [&](const OptionSpec& option) { return option.name == name; });
}

}  // namespace

bool has_valgrind_option(const CommandSpec& command) { return has_option(command, kValgrindOption.name); }
bool has_counter_option(const CommandSpec& command) { return has_option(command, kCounterOption.name); }

}  // namespace icount
