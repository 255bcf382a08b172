// icount suite list: see its help text in the .cc.
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <ostream>

#include "icount/base/text.h"
#include "icount/cli/suite_options.h"
#include "icount/suite/work_order.h"

namespace icount {
namespace {

constexpr OptionSpec kSuiteListOptions[] = {
    {"keys", "", "print the work-order keys instead of the names, one per line: byte for byte PyTorch's JSON"},
    {"filter", "REGEX", "only benchmarks whose name contains a match (RE2)"},
    {"language", "LANG", "only c++, torchscript or python; a list with commas is allowed", true},
    {"shard", "I/N", "only part I of N equal parts"},
    {"no-torchscript", "", "leave out TorchScript variants"},
};

constexpr ExampleSpec kSuiteListExamples[] = {
    {"icount suite list suite/standard.toml", "the names of the standard set's benchmarks"},
    {"icount suite list suite/standard.toml --keys | md5sum",
     "a checksum over the keys (PyTorch's recorded one leaves out the line ends)"},
    {"icount suite list my.toml --filter 'parse|lex'", "the benchmarks that a filter selects"},
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
          "FILE is a suite in TOML (docs/suite.md). Nothing is compiled or run. All problems of the file are reported "
          "together, each with its line.\n\n--filter searches the names: the label, then TorchScript and Forward + "
          "Backward where they apply, then the language.",
      .options = kSuiteListOptions,
      .examples = kSuiteListExamples,
      .min_arguments = 1,
      .max_arguments = 1,
      .run = run_suite_list,
  };
  return command;
}

}  // namespace icount
