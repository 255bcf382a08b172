// icount suite show: see its help text in the .cc.
#include "icount/cli/commands.h"

#include <algorithm>
#include <ostream>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/console/options.h"
#include "icount/console/shared_options.h"
#include "icount/report/suite_text.h"
#include "icount/store/measurement_file.h"
#include "icount/store/result_file.h"
#include "icount/suite/suite_record.h"
#include "icount/suite/work_order.h"

namespace icount {
namespace {

constexpr OptionSpec kSuiteShowOptions[] = {
    {"format", "text|markdown|json|pytorch-ci",
     "form of the output; pytorch-ci is the file that PyTorch's CI writes (default text)"},
    kPathsOption,
};

constexpr ExampleSpec kSuiteShowExamples[] = {
    {"icount suite show standard.json", "the results, grouped like their labels"},
    {"icount suite show --format pytorch-ci standard.json > ci.json", "for programs that read PyTorch's files"},
};

void show_pytorch_ci(const ResultFile& file, CommandContext& context) {
  const std::string* fact = file.fingerprint.find(kSuiteFact);
  SuiteIdentity identity = parse_suite_identity(fact ? *fact : "");
  int64_t start = 0, end = 0;
  for (const Result& result : file.results) {
    int64_t time = parse_record(result.extra).unix_time;
    if (time == 0) continue;
    start = start == 0 ? time : std::min(start, time);
    end = std::max(end, time);
  }
  PytorchCi ci = make_pytorch_ci(file.results, identity.version, identity.md5, start, end);
  for (const std::string& warning : ci.warnings) context.warn(warning);
  context.out << json_for_logs(dump_json(ci.json, -1)) << '\n';
}

ExitCode run_suite_show(const ParsedOptions& parsed, CommandContext& context) {
  enum class Format { kText, kMarkdown, kJson, kPytorchCi };
  const auto format = static_cast<Format>(parsed.choice("format", {"text", "markdown", "json", "pytorch-ci"}));
  parsed.check();
  LoadedResults loaded = load_result_file(parsed.arguments()[0]);
  for (const std::string& warning : loaded.warnings) context.warn(warning);
  sort_by_position(loaded.file.results);
  for (Result& result : loaded.file.results) result.fingerprint = full_fingerprint(loaded.file, result);
  const std::vector<Result>& results = loaded.file.results;
  switch (format) {
    case Format::kText:
      make_suite_document(results, load_times(results)).render_text(context.out, context.terminal.style);
      break;
    case Format::kMarkdown:
      make_suite_document(results, load_times(results)).render_markdown(context.out);
      break;
    case Format::kJson:
      context.out << dump_json(suite_to_json(loaded.file.results)) << '\n';
      break;
    case Format::kPytorchCi:
      show_pytorch_ci(loaded.file, context);
      break;
  }
  return ExitCode::kOk;
}

}  // namespace

const CommandSpec& suite_show_command() {
  static const CommandSpec command = {
      .name = "suite show",
      .summary = "show the results of a suite, grouped like their labels",
      .arguments = "FILE",
      .description =
          "FILE is what `icount suite run --out` wrote, finished or not. The columns: \"per run\" is the count of the "
          "median repeat divided by its runs; \"slope\" is the marginal cost of one more run (from counts over n and "
          "2n runs); \"fixed\" is what does not grow with the number of runs; \"spread\" is the difference between the "
          "repeats; \"wall time\", where it was measured, is the median. `icount diff A B` compares two such files, "
          "`icount show --label` opens one result.",
      .options = kSuiteShowOptions,
      .examples = kSuiteShowExamples,
      .min_arguments = 1,
      .max_arguments = 1,
      .run = run_suite_show,
  };
  return command;
}

}  // namespace icount
