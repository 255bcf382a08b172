#include "icount/cli/case_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "icount/base/command_line.h"
#include "icount/base/text.h"
#include "icount/cli/event_options.h"
#include "icount/cli/named_folders.h"
#include "icount/cli/pins_option.h"
#include "icount/console/shared_options.h"
#include "icount/console/terminal.h"
#include "icount/inputs/shown_arguments.h"
#include "icount/report/bench_report.h"
#include "icount/store/result_file.h"

namespace icount {
namespace {

/// What is noted of cases, each note once with the cases that it is of.
std::map<std::string, std::string> cases_by_note(const BenchCount& count) {
  std::map<std::string, std::string> cases;
  for (const Result& result : count.results)
    for (const std::string& note : result.notes)
      cases[note] += (cases.contains(note) && !cases[note].empty() ? ", " : "") + result_key(result);
  return cases;
}

void report_failures(const BenchCount& count, const CommandContext& context) {
  for (const std::string& note : count.notes) context.warn(note);
  for (const auto& [note, cases] : cases_by_note(count)) context.warn(fmt::format("{}: {}", cases, note));
  for (const Result& result : count.results)
    if (!result.ok() && !result.is_left_out())
      context.err << "icount: " << escape_for_terminal(result_key(result)) << ": "
                  << escape_for_terminal(result.error.empty() ? result.status : result.error) << '\n';
}

void save(const std::string& path, std::vector<Result> results, const CommandContext& context) {
  ResultFile file;
  file.command = "icount " + shell_quote(shown_arguments(context.arguments));
  file.results = std::move(results);
  const std::vector<NamedFolder> folders = probe_named_folders({"."}, {}, context.environment);
  for (Result& result : file.results) name_folders(result.fingerprint, folders);
  share_fingerprint(file);
  save_result_file(path, file);
}

}  // namespace

CaseOptions read_case_options(const ParsedOptions& parsed) {
  CaseOptions options;
  options.bench.argv = parsed.arguments();
  for (const std::string& word : parsed.program()) options.bench.argv.push_back(word);
  options.bench.filter = parsed.text("filter");
  options.bench.isolate = parsed.has("isolate");
  options.bench.memory = parsed.has("memory");
  options.bench.jumps = !parsed.has("no-jumps");
  options.bench.time_limit = Seconds(parsed.seconds("timeout", 60));
  options.bench.toolchain.compiler = parsed.text("compiler");
  options.bench.callgrind_options = read_event_options(parsed);
  read_pins(parsed, options.bench.pins);
  options.format = static_cast<OutputFormat>(parsed.choice("format", {"text", "markdown", "json"}));
  options.view.top = static_cast<size_t>(parsed.integer("top", 0, 0, 1'000'000'000));
  options.view.raw = parsed.has("raw");
  options.out_file = parsed.text("out");
  if (parsed.has("out") && options.out_file.empty()) parsed.problem("--out needs a file name");
  return options;
}

ExitCode answer_cases(const CaseOptions& options, const BenchCount& count,
                      Document (*make_document)(const BenchCount&, const ResultsView&, size_t width),
                      CommandContext& context) {
  report_failures(count, context);
  if (options.format == OutputFormat::kJson)
    context.out << dump_json(bench_to_json(count)) << '\n';
  else
    write_document(context, options.format, [&](size_t width) { return make_document(count, options.view, width); });
  const bool all_ok = std::all_of(count.results.begin(), count.results.end(),
                                  [](const Result& result) { return result.ok() || result.is_left_out(); });
  const bool any = std::any_of(count.results.begin(), count.results.end(),
                               [](const Result& result) { return !result.counts.empty(); });
  if (!options.out_file.empty() && any) save(options.out_file, count.results, context);
  if (count.results.empty() && options.bench.left_out.empty()) return ExitCode::kCannotJudge;  // every case was refused
  return all_ok ? ExitCode::kOk : ExitCode::kFailure;
}

ExitCode run_cases(CaseOptions options, Document (*make_document)(const BenchCount&, const ResultsView&, size_t width),
                   CommandContext& context) {
  check_writable(options.out_file);
  options.bench.environment = context.environment;
  options.bench.cancelled = context.cancelled;
  BenchCount count;
  {
    StatusLine progress(context.err, context.error_terminal);
    options.bench.say = [&](const std::string& text) { progress.say(text); };
    count = count_bench(options.bench);
  }
  return answer_cases(options, count, make_document, context);
}

}  // namespace icount
