// icount suite run: see its help text in the .cc.
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <ostream>

#include "icount/cli/affected_option.h"
#include "icount/cli/run_suite.h"
#include "icount/cli/server_option.h"
#include "icount/cli/statement_options.h"
#include "icount/report/suite_text.h"
#include "icount/store/measurement_file.h"

namespace icount {
namespace {

constexpr OptionSpec kOwnOptions[] = {
    kAffectedOption,
    kAffectedBaseOption,
    kNoServerOption,
    {"", "", "output"},
    {"out,o", "FILE", "write each result to this file as soon as it is measured"},
    {"resume", "", "continue an unfinished --out FILE: measure what is missing or has changed"},
    {"no-graphs", "",
     "save only the most expensive functions instead of whole cost graphs; `icount diff` then cannot explain changes"},
};

constexpr ExampleSpec kSuiteRunExamples[] = {
    {"icount suite run suite/standard.toml --out a.json", "the standard set, with the LibTorch that is found"},
    {"icount suite run suite/standard.toml --torch ~/libtorch --out b.json",
     "the same with another build; `icount diff a.json b.json` compares the two"},
    {"icount suite run suite/standard.toml --out a.json --resume", "continue after an interruption"},
    {"icount suite run my.toml --filter 'parse' --repeats 5", "some benchmarks, without saving the results"},
    {"icount suite run my.toml --affected main.icount --base-ref main", "those that execute a change since main"},
};

SuiteRunOptions read_suite_run_options(const ParsedOptions& parsed) {
  SuiteRunOptions options = read_suite_measuring_options(parsed);
  if (!parsed.arguments().empty()) options.file = parsed.arguments()[0];
  options.out = parsed.text("out");
  options.resume = parsed.has("resume");
  options.finds_server = !parsed.has("no-server");
  options.keep_graphs = !parsed.has("no-graphs");
  check_affected(parsed);
  if (options.resume && options.out.empty()) parsed.problem("--resume needs the unfinished file as --out");
  parsed.check();
  return options;
}

ExitCode run_suite_run(const ParsedOptions& parsed, CommandContext& context) {
  SuiteRunOptions options = read_suite_run_options(parsed);
  options.plan.left_out = find_left_out(parsed, "benchmark", context);
  options.plan.may_be_empty = parsed.has("affected");
  warn_of_missing_folders(parsed, "link-flag", context);
  const SuiteRun run = run_suite(options, context);
  make_suite_document(run.results, load_times(run.results)).render_text(context.out, context.terminal.style);
  if (run.cancelled) {
    context.warn(options.out.empty()
                     ? "interrupted"
                     : fmt::format("interrupted; repeat the command with --resume to continue {}", options.out));
    return ExitCode::kFailure;
  }
  return run.failed > 0 ? ExitCode::kFailure : ExitCode::kOk;
}

}  // namespace

const CommandSpec& suite_run_command() {
  static const std::vector<OptionSpec> table = [] {
    std::vector<OptionSpec> all(suite_measuring_options().begin(), suite_measuring_options().end());
    all.insert(all.end(), std::begin(kOwnOptions), std::end(kOwnOptions));
    return all;
  }();
  static const CommandSpec command = {
      .name = "suite run",
      .summary = "count the instructions of every benchmark of a suite file",
      .arguments = "FILE",
      .description =
          "FILE is a suite in TOML (docs/suite.md); suite/standard.toml is the standard set for LibTorch. All "
          "benchmarks of a language share one server process under Valgrind; each count is a fork of it. A benchmark "
          "that does not compile, crashes or hangs does not affect the others: it is listed with its own message, and "
          "the exit code is 1.\n\nWith --out each result is saved as soon as it is measured. After an interruption or "
          "a crash, add --resume to the same command to continue.\n\nOptions override the suite's [run] section. "
          "Python statements, and modules that only Python can script, need a Python with torch; without one they are "
          "skipped and listed.",
      .options = table,
      .examples = kSuiteRunExamples,
      .min_arguments = 1,
      .max_arguments = 1,
      .run = run_suite_run,
  };
  return command;
}

}  // namespace icount
