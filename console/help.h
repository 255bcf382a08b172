// Help for people, from the commands' own tables, and the page docs/exit_codes.md.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "icount/console/command_spec.h"

namespace icount {

/// What `icount` alone prints: what it is for, the commands, where to go on.
std::string overview_text(std::span<const CommandGroup> groups);

/// `icount NAME --help` and `icount help NAME ABOUT`. Of a long table the ordinary options, and the names of the
/// others; "all" of them; or those that have the word `about`, empty where none has. Width 0 is taken as 100.
std::string help_text(const CommandSpec& command, size_t width, std::string_view about = {});

/// The page docs/exit_codes.md.
std::string exit_codes_page();

// Manual pages (man, troff) from the commands' own tables, like the help on a terminal. Written by `icount manual`,
// installed by cmake --install.

/// "icount-suite-run" for "suite run": the page's name, without its section.
std::string man_page_name(const CommandSpec& command);

/// The page icount.1: what icount is, its commands, exit codes, environment variables.
std::string overview_man_page(std::span<const CommandSpec* const> commands, std::string_view version);

/// The page of one command.
std::string command_man_page(const CommandSpec& command, std::string_view version);

// Completion of commands, options and their values for three shells, from the commands' own tables. Printed by
// `icount completions SHELL`, installed by cmake --install.

/// Scripts for bash, zsh and fish. Where an option's value is one of several words ("text|json"), the words are
/// offered; elsewhere files are.
std::string bash_completions(std::span<const CommandSpec* const> commands);
std::string zsh_completions(std::span<const CommandSpec* const> commands);
std::string fish_completions(std::span<const CommandSpec* const> commands);

}  // namespace icount
