#include "icount/console/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "icount/base/text.h"
#include "icount/console/help.h"

namespace icount {
namespace {

/// Text as troff prints it: a backslash and a hyphen mean what they are, and no line begins a request.
std::string escape_troff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string header(std::string_view name, std::string_view summary, std::string_view version) {
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(".TH \"{}\" 1 \"\" \"icount {}\" \"icount\"\n.SH NAME\n{} \\- {}\n", escape_troff(upper),
                     escape_troff(version), escape_troff(name), escape_troff(summary));
}

void add_options(std::string& page, const CommandSpec& command) {
  page += ".SH OPTIONS\n";
  for (const OptionSpec& option : command.options) {
    if (option.name.empty())
      page += fmt::format(".SS {}\n", escape_troff(option.help));
    else
      page += fmt::format(".TP\n.B {}\n{}{}\n", escape_troff(option_title(option)), escape_troff(option.help),
                          option.repeated ? " (may be repeated)" : "");
  }
  page += fmt::format(".TP\n.B {}\n{}\n", escape_troff(option_title(kHelpOption)), escape_troff(kHelpOption.help));
}

}  // namespace

std::string man_page_name(const CommandSpec& command) {
  std::string name = "icount-" + std::string(command.name);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string overview_man_page(std::span<const CommandSpec* const> commands, std::string_view version) {
  std::string page =
      header("icount", "count the instructions that a program executes, and explain differences", version);
  page += ".SH SYNOPSIS\n.B icount\n.I COMMAND\n[options] [arguments]\n.SH DESCRIPTION\n";
  page += escape_troff(
      "icount runs programs and statements under Valgrind. Counts are in Ir, \"instructions read\": the "
      "number of instructions that the CPU executed.\n");
  page += ".SH COMMANDS\n";
  for (const CommandSpec* command : commands)
    page += fmt::format(".TP\n.BR {} (1)\n{}\n", escape_troff(man_page_name(*command)), escape_troff(command->summary));
  page += ".SH EXIT STATUS\n";
  for (const ExitCodeRow& row : kExitCodes)
    page += fmt::format(".TP\n.B {}\n{}\n", static_cast<int>(row.code), escape_troff(row.meaning));
  return page;
}

std::string command_man_page(const CommandSpec& command, std::string_view version) {
  std::string page = header(man_page_name(command), command.summary, version);
  page += ".SH SYNOPSIS\n" + escape_troff(usage_line(command)) + "\n.SH DESCRIPTION\n";
  bool first = true;
  for (const std::string& paragraph : description_paragraphs(command)) {
    page += (first ? "" : ".PP\n") + escape_troff(paragraph) + "\n";
    first = false;
  }
  add_options(page, command);
  if (!command.examples.empty()) page += ".SH EXAMPLES\n";
  for (const ExampleSpec& example : command.examples)
    page += fmt::format(".PP\n{}:\n.PP\n.nf\n.RS\n{}\n.RE\n.fi\n", escape_troff(example.purpose),
                        escape_troff(example.command));
  page += ".SH SEE ALSO\n.BR icount (1)\n";
  return page;
}

}  // namespace icount
