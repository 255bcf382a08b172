// `icount growth`: how a cost grows with a size, exactly, and which function and loop it grows in.
#include "icount/cli/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <ostream>
#include <set>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/cli/count_options.h"
#include "icount/cli/run_suite.h"
#include "icount/cli/write_document.h"
#include "icount/console/shared_options.h"
#include "icount/harness/build_cache.h"
#include "icount/inputs/growth_of.h"
#include "icount/inputs/shown_arguments.h"
#include "icount/report/growth_document.h"
#include "icount/store/result_file.h"
#include "icount/suite/bench_cases.h"
#include "icount/suite/definition_file.h"
#include "icount/suite/labels.h"
#include "icount/suite/library_flags.h"
#include "icount/suite/size_axis.h"
#include "icount/timer/count_bench.h"
#include "icount/timer/google_benchmark.h"
#include "icount/verdict/growth_limit.h"

namespace icount {
namespace {

constexpr int kNoDescriptor = -1;  // of an empty standard input

constexpr OptionSpec kGrowthOptions[] = {
    {"bench", "BINARY", "count a family of cases of a Google Benchmark binary (arguments for it: after --)"},
    {"family", "NAME", "the family, \"BM_sort\" for BM_sort/8, BM_sort/64, ...; \"BM_at/{n}/2\" where more follows"},
    {"op", "FILE.toml", "a fuzzer's table, whose tensors the statement has (docs/fuzzer.md)"},
    {"parameter", "NAME", "the parameter of the table that is the size"},
    {"seed", "N", "whose sample 0 has the other parameters (default 0)"},
    {"", "", "how it may grow"},
    {"sizes", "N,N,N,...",
     "three sizes or more, which take the place of {n}; each doubled is a good choice (required; of a family all that "
     "it has by default)"},
    {"max-exponent", "K", "exit with 3 when the cost grows faster than n^K"},
    {"max-function-exponent", "K",
     "the same for each function with a hundredth of the cost at the largest size, and each of its loops"},
    {"max-ratio", "R", "exit with 3 when the cost is more than R times that at the size before"},
};

constexpr ExampleSpec kGrowthExamples[] = {
    {"icount growth --sizes 1000,2000,4000 --max-exponent 1.2 -- ./prog --lines '{n}'",
     "a program must stay nearly linear"},
    {"icount growth --sizes 100,200,400 --setup 'std::vector<int> v({n}, 7);' --stmt 'std::sort(v.begin(), v.end());'",
     "a statement; {n} may stand in the statement, its set-up and its global set-up"},
    {"icount growth --bench build/my_benchmark --family BM_sort --max-exponent 1.2", "cases of a benchmark binary"},
};

std::span<const OptionSpec> growth_option_table() {
  static const std::vector<OptionSpec> table = [] {
    std::vector<OptionSpec> all(std::begin(kGrowthOptions), std::end(kGrowthOptions));
    const auto count = count_option_table();
    all.insert(all.end(), count.begin(), count.end());
    return all;
  }();
  return table;
}

struct GrowthOptions {
  CountOptions count;  ///< its statements and program have {n} in them
  std::vector<int64_t> sizes;
  GrowthLimit limit = {};                 ///< its pattern is that of the cases of `bench`
  BenchBinary bench = {};                 ///< whose command is empty where no binary's cases are counted
  std::vector<std::string> tensors = {};  ///< as GrowthBenchmark has them
  std::string suite = {};                 ///< a file with [[growth]] tables; empty: what the rest says
};

std::optional<double> read_limit(const ParsedOptions& parsed, std::string_view name, double most) {
  if (!parsed.has(name)) return std::nullopt;
  const std::string text = parsed.text(name);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value <= most))
    parsed.problem(fmt::format("--{} needs a number from 0 to {}, not '{}'", name, most, text));
  return value;
}

bool has_size(const std::string& text) { return text.find(kSizeWord) != std::string::npos; }

bool names_size(const CountOptions& count) {
  return std::any_of(count.program.begin(), count.program.end(), has_size) || has_size(count.input.file) ||
         (!count.statements.empty() &&
          std::all_of(count.statements.begin(), count.statements.end(), [](const TimerArgs& one) {
            return has_size(one.stmt) || has_size(one.setup) || has_size(one.global_setup);
          }));
}

GrowthOptions read_growth_options(const ParsedOptions& parsed) {
  GrowthOptions options;
  options.sizes = parsed.integers("sizes", 1, int64_t{1} << 50);
  const std::set<int64_t> distinct(options.sizes.begin(), options.sizes.end());
  options.sizes.assign(distinct.begin(), distinct.end());
  if (parsed.arguments().size() == 1) {
    options.suite = parsed.arguments()[0];
    for (const char* name :
         {"stmt", "file", "sizes", "op", "setup", "global-setup", "stdin", "label", "backward", "bench", "family"})
      if (parsed.has(name)) parsed.problem(fmt::format("--{} stands in the suite's [[growth]] tables", name));
    if (!parsed.program().empty()) parsed.problem("give a suite or a program, not both");
  } else if (options.sizes.size() < kLeastSizes && !(parsed.has("bench") && options.sizes.empty())) {
    parsed.problem("--sizes needs three different sizes or more, such as --sizes 100,200,400");
  }
  options.limit.max_exponent = read_limit(parsed, "max-exponent", 10);
  options.limit.max_function_exponent = read_limit(parsed, "max-function-exponent", 10);
  options.limit.max_ratio = read_limit(parsed, "max-ratio", 1'000'000);
  const FuzzAxis axis{parsed.text("op"), parsed.text("parameter"),
                      static_cast<uint64_t>(parsed.integer("seed", 0, 0, INT64_MAX))};
  if (parsed.has("op") != parsed.has("parameter")) parsed.problem("--op and --parameter are given together");
  if (parsed.has("op") && !parsed.has("stmt")) parsed.problem("--op is for --stmt");
  if (parsed.has("bench") != parsed.has("family")) parsed.problem("--bench and --family are given together");
  if (options.suite.empty() && !parsed.has("bench")) check_subject(parsed);
  for (const char* name : {"explain", "emit-stub", "children"})
    if (parsed.has(name)) parsed.problem(fmt::format("--{} has no meaning for growth", name));
  options.count = read_count_options(parsed);
  if (!parsed.has("number")) options.count.collect.number = 1;  // what is shown is the cost of a run
  if (parsed.has("bench")) {
    options.limit.pattern = family_pattern(parsed.text("family"));
    options.bench.command = {parsed.text("bench")};
    options.bench.command.insert(options.bench.command.end(), parsed.program().begin(), parsed.program().end());
    options.bench.filter = family_filter(options.limit.pattern, options.sizes);
  } else if (options.suite.empty() && !parsed.has("op") && !names_size(options.count)) {
    parsed.problem(
        fmt::format("nothing depends on the size: write {} where it stands, in the program's arguments or "
                    "--stdin, or in each statement or its set-up",
                    kSizeWord));
  }
  parsed.check();
  if (!options.count.statements.empty())
    options.tensors = tensors_by_size(axis, options.sizes, options.count.statements[0].language);
  return options;
}

/// One count of what is asked for, at a size.
struct Measured {
  std::string label;  ///< without the size
  int64_t size = 0;
  Result result;
};

std::vector<Measured> measure_statements(const GrowthOptions& options, CommandContext& context) {
  CountOptions count = options.count;
  count.statements.clear();
  for (const TimerArgs& statement : options.count.statements)
    for (size_t i = 0; i < options.sizes.size(); ++i) {
      const int64_t size = options.sizes[i];
      TimerArgs& one = count.statements.emplace_back(at_size(statement, size, options.tensors[i]));
      if (one.label.empty()) one.label = {statement.stmt};
      one.label.push_back(with_size(kSizeLabel, size));
    }
  std::vector<Measured> all;
  for (Result& result : measure_counts(count, context)) {
    const int64_t size = options.sizes[all.size() % options.sizes.size()];
    std::string label = result.label.front();
    all.push_back({std::move(label), size, std::move(result)});
  }
  return all;
}

std::vector<Measured> measure_program_sizes(const GrowthOptions& options, CommandContext& context) {
  CountOptions count = options.count;
  std::vector<Measured> all;
  std::optional<ProgramInput> shared;  // read once: the second size would find nothing left of it
  if (!has_size(count.input.file)) {
    shared.emplace(input_options(count, context));
    count.input.file = shared->path().string();
    count.input.descriptor = kNoDescriptor;
  }
  for (const int64_t size : options.sizes) {
    count.program.clear();
    for (const std::string& word : options.count.program) count.program.push_back(with_size(word, size));
    if (!shared) count.input.file = with_size(options.count.input.file, size);
    count.label = options.count.label;
    if (count.label.empty()) count.label = {fmt::format("{}", fmt::join(options.count.program, " "))};
    std::string label = count.label.front();
    count.label.push_back(with_size(kSizeLabel, size));
    std::vector<Result> measured = measure_counts(count, context);
    all.push_back({std::move(label), size, std::move(measured.front())});  // behind it: regions that the program names
  }
  return all;
}

/// The cases of the family, by size.
std::vector<Measured> measure_family(const GrowthOptions& options, CommandContext& context) {
  const CollectOptions& collect = options.count.collect;
  BenchOptions bench = bench_options(options.bench);
  bench.repeats = collect.repeats;
  bench.time_limit = collect.time_limit;
  bench.pins = collect.pins;
  bench.environment = context.environment;
  bench.callgrind_options = collect.callgrind_options;
  bench.toolchain = collect.toolchain;
  bench.cancelled = context.cancelled;
  const std::string label = options.count.label.empty() ? options.limit.pattern : options.count.label.front();
  std::vector<Measured> all;
  BenchCount counted = count_bench(bench);
  for (const std::string& note : counted.notes) context.warn(note);
  for (Result& result : counted.results)
    if (const auto size = size_in_name(result.label.back(), options.limit.pattern))
      all.push_back({label, *size, std::move(result)});
  std::stable_sort(all.begin(), all.end(), [](const Measured& a, const Measured& b) { return a.size < b.size; });
  if (all.size() < kLeastSizes)
    throw Error(ErrorKind::kCannotJudge, fmt::format("{}: {} cases are named {}; three or more sizes are needed",
                                                     options.bench.command.front(), all.size(), options.limit.pattern));
  return all;
}

/// Benchmark by benchmark, sizes ascending.
std::vector<Measured> measure_sizes(const GrowthOptions& options, CommandContext& context) {
  if (!options.bench.command.empty()) return measure_family(options, context);
  return options.count.program.empty() ? measure_statements(options, context) : measure_program_sizes(options, context);
}

/// Those of which every size was counted; the failure of another has been reported.
std::vector<Growth> growths_of(const std::vector<Measured>& measured) {
  std::vector<Growth> growths;
  for (size_t begin = 0, end = 0; begin < measured.size(); begin = end) {
    std::vector<SizedCount> counts;
    for (end = begin; end < measured.size(); ++end) {
      const Measured& one = measured[end];
      if (one.label != measured[begin].label || (end > begin && one.size <= measured[end - 1].size)) break;
      if (auto count = sized_count(one.size, one.result, one.result.graph)) counts.push_back(std::move(*count));
    }
    if (counts.size() == end - begin)
      growths.push_back(make_growth(measured[begin].label, measured[begin].result.event, counts));
  }
  return growths;
}

void show(const std::vector<Growth>& growths, const CountOptions& count, CommandContext& context) {
  if (count.format == OutputFormat::kJson) {
    Json all = Json::array();
    for (const Growth& growth : growths) all.push_back(growth_to_json(growth));
    context.out << dump_json({{"schema", {{"name", "icount-growth"}, {"version", 1}}}, {"growths", std::move(all)}})
                << '\n';
    return;
  }
  for (size_t i = 0; i < growths.size(); ++i) {
    if (i > 0) context.out << '\n';
    write_document(context, count.format, [&](size_t width) {
      constexpr size_t kUsual = 100;  // a pipe or a comment has no width
      return make_growth_document(growths[i], count.view.top, count.view.raw ? 0 : width > 0 ? width : kUsual);
    });
  }
}

/// What the command line asks for: each [[growth]] table of the suite, or itself.
std::vector<GrowthOptions> expand(const GrowthOptions& options, const CommandContext& context) {
  if (options.suite.empty()) return {options};
  const Suite suite = load_suite(options.suite);
  if (suite.growths.empty())
    throw Error(ErrorKind::kUsage, fmt::format("{}: it has no [[growth]] table", options.suite));
  const auto is_program = [](const GrowthBenchmark& one) { return one.statement.stmt.empty(); };
  if (std::any_of(suite.growths.begin(), suite.growths.end(), is_program)) run_build(suite, context);
  CountOptions common = options.count;
  if (!std::all_of(suite.growths.begin(), suite.growths.end(), is_program))
    common.collect.toolchain = add_library_flags(
        suite.library,
        {common.collect.toolchain, context.environment, default_cache_dir(context.environment), context.cancelled});
  std::vector<GrowthOptions> all;
  for (const GrowthBenchmark& growth : suite.growths) {
    GrowthOptions& one =
        all.emplace_back(GrowthOptions{common, growth.sizes, growth.limit, growth.bench, growth.tensors});
    if (options.limit.max_exponent) one.limit.max_exponent = options.limit.max_exponent;
    if (options.limit.max_ratio) one.limit.max_ratio = options.limit.max_ratio;
    if (options.limit.max_function_exponent) one.limit.max_function_exponent = options.limit.max_function_exponent;
    one.count.label = {growth.limit.key};
    one.count.program = growth.command;
    one.count.working_dir = growth.folder.string();
    one.count.input.file = growth.input.empty() ? growth.input : (growth.folder / growth.input).string();
    one.count.input.descriptor = kNoDescriptor;  // as programs of a suite have it
    if (growth.statement.stmt.empty()) continue;
    TimerArgs statement = growth.statement;
    statement.label = one.count.label;
    statement.torch = suite.library.torch && statement.torch;
    if (statement.language == Language::kCpp)
      statement.global_setup = include_lines(suite.library) + statement.global_setup;
    one.count.statements = {std::move(statement)};
  }
  return all;
}

/// Says what is over its limit, or measures nothing.
ExitCode judge(const std::vector<Growth>& growths, const GrowthLimit& limit, const CommandContext& context) {
  ExitCode code = ExitCode::kOk;
  for (const Growth& growth : growths) {
    for (const std::string& text : find_excesses(growth, limit)) {
      context.warn(fmt::format("{}: {}", growth.label, text));
      code = ExitCode::kOverLimit;
    }
    const std::string flat = flat_text(growth, limit);
    if (!limit.any() || flat.empty()) continue;
    context.warn(fmt::format("{}: {}", growth.label, flat));
    if (code == ExitCode::kOk) code = ExitCode::kCannotJudge;
  }
  return code;
}

ExitCode run_growth(const ParsedOptions& parsed, CommandContext& context) {
  const GrowthOptions asked = read_growth_options(parsed);
  check_writable(asked.count.out_file);
  ResultFile file;
  file.command = "icount " + shell_quote(shown_arguments(context.arguments));
  std::vector<Growth> all;
  std::set<ExitCode> codes;
  const std::vector<GrowthOptions> expanded = expand(asked, context);
  std::vector<std::vector<Growth>> found;  // by what is asked for
  for (const GrowthOptions& options : expanded) {
    const std::vector<Measured> measured = measure_sizes(options, context);
    const std::vector<Growth>& growths = found.emplace_back(growths_of(measured));
    all.insert(all.end(), growths.begin(), growths.end());
    std::vector<Result> results;
    for (const Measured& one : measured) results.push_back(one.result);
    report_failed_counts(results, context);
    if (!std::all_of(results.begin(), results.end(), [](const Result& one) { return one.ok(); }))
      codes.insert(ExitCode::kFailure);
    file.results.insert(file.results.end(), results.begin(), results.end());
  }
  show(all, asked.count, context);
  for (size_t i = 0; i < expanded.size(); ++i) codes.insert(judge(found[i], expanded[i].limit, context));
  if (!asked.count.out_file.empty()) {
    share_fingerprint(file);
    save_result_file(asked.count.out_file, file);
  }
  for (const ExitCode code : {ExitCode::kFailure, ExitCode::kOverLimit, ExitCode::kCannotJudge})
    if (codes.contains(code)) return code;
  return ExitCode::kOk;
}

}  // namespace

const CommandSpec& growth_command() {
  static const CommandSpec command = {
      .name = "growth",
      .summary = "tell how a cost grows with a size, and in which loop: n^1.0, n log n, n^2.0",
      .arguments = "[SUITE] [-- PROGRAM ARGS...]",
      .description =
          "Counts a program or a statement at each of --sizes, written in place of {n}, and fits c + a n^k to the "
          "whole, to the cost of each function, and to the iterations of each loop. Counts are exact, so three sizes "
          "tell n^1.0 from n^2.0 where a stopwatch needs hundreds of runs; a fourth size shows whether one law holds "
          "at all "
          "(\"about n^1.4\": it does not, as where a cache or a threshold sets in).\n\nWith a limit the exit code is 3 "
          "when something grows faster, and 125 when nothing grows: such a benchmark measures nothing.\n\nSUITE "
          "is a suite file with [[growth]] tables (docs/growth.md). The options of `icount count` say how to count.",
      .options = growth_option_table(),
      .examples = kGrowthExamples,
      .max_arguments = 1,
      .takes_program = true,
      .run = run_growth,
  };
  return command;
}

}  // namespace icount
