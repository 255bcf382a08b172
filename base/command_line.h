// Command lines as text: argv to what a shell would need typed, and back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// argv as a shell would need it typed, for messages.
std::string shell_quote(const std::vector<std::string>& argv);

/// A command line split as a POSIX shell splits words (quotes and backslashes; no expansion). Error{kUsage} for an
/// unclosed quote.
std::vector<std::string> split_command(std::string_view command);

}  // namespace icount
