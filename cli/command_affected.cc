// `icount affected`: which results of a run execute what a commit changes (mine/affected.h).
#include "icount/cli/commands.h"

#include <ostream>

#include "icount/cli/affected_option.h"
#include "icount/cli/write_document.h"
#include "icount/console/options.h"
#include "icount/console/shared_options.h"
#include "icount/report/affected_report.h"

namespace icount {
namespace {

constexpr OptionSpec kAffectedOptions[] = {
    {"base-ref", "COMMIT", "the commit that RESULT was measured on (default: that of a stored run)"},
    {"head-ref", "COMMIT", "the commit with the change (default: the working tree)"},
    {"format", "text|markdown|json", "form of the output (default text)"},
};

constexpr ExampleSpec kAffectedExamples[] = {
    {"icount affected main.icount --base-ref main", "which tests and benchmarks the working tree's changes reach"},
    {"icount affected @main", "the same, by the newest run of main in the history"},
};

ExitCode run_affected(const ParsedOptions& parsed, CommandContext& context) {
  const auto format = static_cast<OutputFormat>(parsed.choice("format", {"text", "markdown", "json"}));
  parsed.check();
  const std::string& name = parsed.arguments()[0];
  const Affected affected = load_affected(parsed, name, parsed.text("head-ref"), context).affected;
  if (format == OutputFormat::kJson)
    context.out << dump_json(affected_to_json(affected)) << '\n';
  else
    write_document(context, format, [&](size_t) { return make_affected_document(affected); });
  return ExitCode::kOk;
}

}  // namespace

const CommandSpec& affected_command() {
  static const CommandSpec command = {
      .name = "affected",
      .summary = "list the tests and benchmarks that execute what a commit changes",
      .arguments = "RESULT",
      .description =
          "Compares the source lines that each result of RESULT, a file or a stored run (@main), executed with what "
          "changed since the commit that it was measured on. A result that executes a line of a changed function is "
          "affected. Macros, types, initial "
          "values, code outside of functions and files that are no source reach all; where RESULT is of other sources "
          "than that commit, it says so and lists all. A result of a run that is not in RESULT is not known.",
      .options = kAffectedOptions,
      .examples = kAffectedExamples,
      .min_arguments = 1,
      .max_arguments = 1,
      .run = run_affected,
  };
  return command;
}

}  // namespace icount
