// Manual pages (man, troff) from the commands' own tables, like the help on a terminal (console/help.h). Written by
// `icount manual`, installed by cmake --install.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "icount/console/command_spec.h"

namespace icount {

/// "icount-suite-run" for "suite run": the page's name, without its section.
std::string man_page_name(const CommandSpec& command);

/// The page icount.1: what icount is, its commands, exit codes, environment variables.
std::string overview_man_page(std::span<const CommandSpec* const> commands, std::string_view version);

/// The page of one command.
std::string command_man_page(const CommandSpec& command, std::string_view version);

}  // namespace icount
