// `icount compare FILE...`: saved timings as PyTorch's tables, with ratios and verdicts on request.
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <ostream>

#include "icount/base/error.h"
#include "icount/console/options.h"
#include "icount/report/compare_text.h"
#include "icount/store/measurement_file.h"

namespace icount {
namespace {

constexpr OptionSpec kCompareOptions[] = {
    {"trim", "", "show only significant figures, estimated from the spread of the blocks"},
    {"colorize", "rowwise|columnwise",
     "colour each time relative to the best of its column, or of its row; also in a pipe, and despite NO_COLOR", false,
     "columnwise"},
    {"highlight-warnings", "", "mark times whose blocks differ by 10 % or more"},
    {"base", "COLUMN", "add the ratio of every other column to this one, with a 95 % interval and a verdict"},
    {"format", "text|markdown|html|csv", "form of the output (default text)"},
    {"seed", "N", "seed of the bootstrap behind --base (default 1)"},
    {"compatible", "",
     "byte for byte as torch.utils.benchmark prints it, even where that drops results or shows less than 1 ns as 0.0 "
     "s"},
};

constexpr ExampleSpec kCompareExamples[] = {
    {"icount compare base.json head.json", "one table per label, a column per description"},
    {"icount compare --base main main.json branch.json", "faster, slower, same, or can't tell"},
    {"icount compare --trim --colorize=rowwise --highlight-warnings sizes.json",
     "the switches of torch.utils.benchmark"},
    {"icount compare before.json after.json", "also reads the JSON of Google Benchmark and hyperfine"},
};

enum class Form { kText, kMarkdown, kHtml, kCsv };

struct CompareCommandOptions {
  CompareOptions show;
  Form form = Form::kText;
  std::string base;
  RatioOptions ratio;
};

CompareCommandOptions read_compare_options(const ParsedOptions& parsed) {
  CompareCommandOptions options;
  options.show.trim_significant_figures = parsed.has("trim");
  options.show.highlight_warnings = parsed.has("highlight-warnings");
  if (parsed.has("colorize"))
    options.show.colorize =
        parsed.choice("colorize", {"columnwise", "rowwise"}) == 1 ? Colorize::kRowwise : Colorize::kColumnwise;
  if (parsed.has("compatible")) options.show.mode = CompareMode::kCompatible;
  options.form = static_cast<Form>(parsed.choice("format", {"text", "markdown", "html", "csv"}));
  options.base = parsed.text("base");
  options.ratio.seed = static_cast<uint64_t>(parsed.integer("seed", 1, 0, std::numeric_limits<int64_t>::max()));
  parsed.check();
  return options;
}

// Column of the table called `name`; nothing for a table that lacks it.
std::optional<size_t> find_column(const CompareTable& table, const std::string& name) {
  auto at = std::find(table.columns.begin(), table.columns.end(), name);
  return at == table.columns.end() ? std::nullopt : std::optional<size_t>(at - table.columns.begin());
}

void check_base(const std::vector<CompareTable>& tables, const std::string& base) {
  if (base.empty()) return;
  std::vector<std::string> columns;
  for (const CompareTable& table : tables) {
    if (find_column(table, base)) return;
    columns.insert(columns.end(), table.columns.begin(), table.columns.end());
  }
  throw Error(ErrorKind::kUsage, fmt::format("--base {}: no column has that name; there are '{}'", base,
                                             fmt::join(ordered_unique(columns), "', '")));
}

std::string render(const CompareTable& table, const CompareCommandOptions& options) {
  std::optional<RatioTable> ratios;
  if (std::optional<size_t> column = find_column(table, options.base))
    ratios = make_ratios(table, *column, options.ratio);
  const RatioTable* base = ratios ? &*ratios : nullptr;
  if (options.form == Form::kCsv) return render_compare_csv(table, base);
  std::vector<ExtraColumn> extras;
  if (ratios) extras = make_ratio_columns(table, *ratios);
  if (options.show.mode != CompareMode::kCompatible)
    for (ExtraColumn& column : make_count_columns(table, base)) extras.push_back(std::move(column));
  switch (options.form) {
    case Form::kMarkdown:
      return render_compare_markdown(table, options.show, extras);
    case Form::kHtml:
      return render_compare_html(table, options.show, extras);
    default:
      return render_compare_table(table, options.show, extras);
  }
}

struct Loaded {
  std::vector<Measurement> measurements;
  bool any_failed = false;
};

// A file that can't be read costs itself only; the first failure is thrown when nothing is left.
Loaded load_all(const std::vector<std::string>& files, const CommandContext& context) {
  Loaded loaded;
  std::optional<Error> first;
  for (const std::string& file : files) {
    try {
      LoadedMeasurements one = load_measurements(file);
      for (const std::string& warning : one.warnings) context.warn(warning);
      loaded.measurements.insert(loaded.measurements.end(), one.measurements.begin(), one.measurements.end());
    } catch (const Error& error) {
      if (first || files.size() > 1) context.warn(error.what());
      if (!first) first = error;
      loaded.any_failed = true;
    }
  }
  if (loaded.measurements.empty() && first) throw *first;
  if (loaded.measurements.empty())
    throw Error(ErrorKind::kCannotJudge, fmt::format("no timings in {}", fmt::join(files, ", ")));
  return loaded;
}

ExitCode run_compare(const ParsedOptions& parsed, CommandContext& context) {
  CompareCommandOptions options = read_compare_options(parsed);
  Loaded loaded = load_all(parsed.arguments(), context);
  std::vector<CompareTable> tables = make_compare_tables(loaded.measurements, options.show.mode);
  check_base(tables, options.base);
  if (options.form == Form::kCsv) context.out << compare_csv_header(!options.base.empty());
  std::string text;
  for (const CompareTable& table : tables) {
    if (!text.empty() && options.form != Form::kCsv) text += '\n';
    text += render(table, options);
  }
  context.out << (options.form == Form::kHtml ? make_compare_page(text) : text);
  return loaded.any_failed ? ExitCode::kFailure : ExitCode::kOk;
}

}  // namespace

const CommandSpec& compare_command() {
  static const CommandSpec command = {
      .name = "compare",
      .summary = "show saved timings as tables: rows by name, columns by description",
      .arguments = "FILE...",
      .description =
          "Each FILE holds timings: what icount time or icount fuzz --time saved with --out, or JSON of Google "
          "Benchmark (--benchmark_out) or hyperfine (--export-json), whose file name becomes the column. Of a fuzzer "
          "run each sample is a row, each statement a column. Replicates of one task are joined. A row "
          "is a thread count, an environment and a name; a table has all results of one label.\n\nDifferent statements "
          "that would share a cell get separate rows, and a note below the table says so. A file that cannot be read "
          "is reported, and the others are shown (exit code 1).",
      .options = kCompareOptions,
      .examples = kCompareExamples,
      .min_arguments = 1,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .run = run_compare,
  };
  return command;
}

}  // namespace icount
