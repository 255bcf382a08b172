// Completion of commands, options and their values for three shells, from the commands' own tables. Printed by
// `icount completions SHELL`, installed by cmake --install.
#pragma once

#include <span>
#include <string>

#include "icount/console/command_spec.h"

namespace icount {

/// Scripts for bash, zsh and fish. Where an option's value is one of several words ("text|json"), the words are
/// offered; elsewhere files are.
std::string bash_completions(std::span<const CommandSpec* const> commands);
std::string zsh_completions(std::span<const CommandSpec* const> commands);
std::string fish_completions(std::span<const CommandSpec* const> commands);

}  // namespace icount
