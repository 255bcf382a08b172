#include "cli/commands.h"

#include <array>

#include "cli/command_show.h"

namespace icount {

std::span<const CommandSpec* const> all_commands() {
  static const std::array commands = {
      &show_command(),
  };
  return commands;
}

}  // namespace icount
