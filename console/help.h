// Help for people, from the commands' own tables, and the page docs/exit_codes.md.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "icount/console/command_spec.h"

namespace icount {

/// "--out, -o FILE", as the help and the manual name an option.
std::string option_title(const OptionSpec& option);

/// "icount suite run [options] FILE".
std::string usage_line(const CommandSpec& command);

/// The paragraphs of the description, each in one line.
std::vector<std::string> description_paragraphs(const CommandSpec& command);

/// What `icount` alone prints: what it is for, the commands, where to go on.
std::string overview_text(std::span<const CommandGroup> groups);

/// `icount NAME --help` and `icount help NAME ABOUT`. Of a long table the ordinary options, and the names of the
/// others; "all" of them; or those that have the word `about`, empty where none has. Width 0 is taken as 100.
std::string help_text(const CommandSpec& command, size_t width, std::string_view about = {});

/// The page docs/exit_codes.md.
std::string exit_codes_page();

}  // namespace icount
