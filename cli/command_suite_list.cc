#include "icount/cli/command_suite_list.h"

#include <fmt/format.h>

#include <ostream>

#include "icount/base/text.h"
#include "icount/cli/suite_options.h"
#include "icount/suite/work_order.h"

namespace icount {
namespace {

constexpr OptionSpec kOptions[] = {
    {"keys", "", "the work-order keys instead of the names, one a line: the ancestor's JSON, byte for byte"},
    {"filter", "REGEX", "only benchmarks whose name contains a match (RE2)"},
    {"language", "LANG", "only c++, torchscript or python; may be repeated or a list with commas", true},
    {"shard", "I/N", "only part I of N equal parts"},
    {"no-torchscript", "", "leave out TorchScript variants"},
};

constexpr ExampleSpec kExamples[] = {
    {"icount suite list suite/standard.toml", "the names of the standard set's benchmarks"},
    {"icount suite list suite/standard.toml --keys | md5sum",
     "(over the lines; the recorded checksum has no line ends)"},
    {"icount suite list my.toml --filter 'parse|lex'", "what a filter would run"},
};

ExitCode run_suite_list(const ParsedOptions& parsed, CommandContext& context) {
  PlanOptions plan = read_plan_options(parsed);
  parsed.check();
  ExpandOptions expand;
  expand.torchscript = !parsed.has("no-torchscript");
  LoadedSuite loaded = load_suite_benchmarks(parsed.arguments()[0], expand);
  for (const Benchmark& benchmark : select_benchmarks(loaded.benchmarks, plan, loaded.suite.name)) {
    context.out << (parsed.has("keys") ? work_order_key(benchmark) : escape_for_terminal(benchmark_name(benchmark)))
                << '\n';
  }
  return ExitCode::kOk;
}

}  // namespace

const CommandSpec& suite_list_command() {
  static const CommandSpec command = {
      .name = "suite list",
      .summary = "list the benchmarks of a suite file",
      .arguments = "FILE",
      .description =
          "FILE is a suite in TOML (docs/suite.md). Nothing is compiled or run. Every problem of the file is told at "
          "once, with its line.\n\n"
          "Names are what --filter searches: the label, then TorchScript and Forward + Backward where they apply, then "
          "the language.",
      .options = kOptions,
      .examples = kExamples,
      .min_arguments = 1,
      .max_arguments = 1,
      .run = run_suite_list,
  };
  return command;
}

}  // namespace icount
