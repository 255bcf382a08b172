// icount serve: the history in a browser, on loopback.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <ostream>
#include <string>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/cli/commands.h"
#include "icount/cli/history_view.h"
#include "icount/cli/serve/http_server.h"
#include "icount/cli/serve/served_pages.h"
#include "icount/cli/time_of_results.h"
#include "icount/cli/version_text.h"
#include "icount/console/command_spec.h"
#include "icount/console/options.h"
#include "icount/inputs/open_store.h"
#include "icount/inputs/report_benchmarks.h"
#include "icount/report/html_page.h"
#include "icount/report/report_data.h"
#include "icount/store/history.h"
#include "icount/store/result_file.h"

namespace icount {
namespace {

// What `icount serve` shows: a store as it is now, or a folder of result files, which is read into a store of its own.
// Pages are cli/serve/served_pages.h's, HTTP is cli/serve/http_server.h's.

class ServedStore {
 public:
  /// `given`: a folder or a store (store/store_url.h); empty: the store that ICOUNT_STORE names or the nearest one. A
  /// folder with .icount/history.sqlite in it is that store; of another one, every result file in it, which is not
  /// looked for again. Error{kUsage} for a folder without results. Files that are none are passed over, damaged ones
  /// with a warning.
  ServedStore(const std::string& given, size_t newest, CommandContext& context);

  const std::string& name() const { return name_; }
  /// Answers a request: "/", "/benchmark?key=K", "/report?[base=ID&]head=ID[&benchmark=K]".
  HttpAnswer answer(const HttpTarget& target);

 private:
  void import_folder(const std::string& folder, CommandContext& context);
  ServedHistory overview();
  HttpAnswer benchmark_page(const std::string& key);
  HttpAnswer report_page(const HttpTarget& target);
  ResultFile load(int64_t run, const std::string& benchmark);

  std::string name_;
  size_t newest_;
  std::optional<ScratchDir> scratch_;
  std::optional<History> history_;
};

namespace fs = std::filesystem;

/// Saved results of icount, by the name of the file: other JSON is nobody's business here.
bool may_hold_results(const fs::path& file) { return file.extension() == ".icount" || file.extension() == ".json"; }

ServedRun served(const RunInfo& run, int64_t before) {
  const RunTag& tag = run.tag;
  return {.id = run.id,
          .commit = tag.commit.hash,
          .subject = tag.commit.subject,
          .branch = tag.branch,
          .name = tag.name,
          .unix_time = tag.unix_time,
          .results = run.results,
          .before = before};
}

std::string value_of(const HttpTarget& target, std::string_view name) {
  const auto found = target.query.find(name);
  return found == target.query.end() ? "" : found->second;
}

HttpAnswer not_found(std::string_view message) {
  return {.status = 404, .body = render_message_page("Not found", message)};
}

ServedStore::ServedStore(const std::string& given, size_t newest, CommandContext& context) : newest_(newest) {
  std::error_code ignored;
  if (!given.empty() && fs::is_directory(given, ignored) &&
      !fs::exists(fs::path(given) / ".icount/history.sqlite", ignored)) {
    import_folder(given, context);
    return;
  }
  const bool in_folder = !given.empty() && fs::is_directory(given, ignored);
  history_.emplace(chosen_store(in_folder ? (fs::path(given) / ".icount/history.sqlite").string() : given, context),
                   OpenMode::kRead);
  name_ = history_->url().text;
}

void ServedStore::import_folder(const std::string& folder, CommandContext& context) {
  std::vector<fs::path> files;
  for (const fs::path& entry : list_folder(folder))
    if (fs::is_regular_file(entry) && may_hold_results(entry)) files.push_back(entry);
  scratch_.emplace("icount-serve");
  history_.emplace(parse_store_url((scratch_->path() / "history.sqlite").string()), OpenMode::kCreate);
  int64_t read = 0;
  for (const fs::path& file : files) {
    try {
      const LoadedResults loaded = load_result_file(file.string());
      RunTag tag;
      tag.name = file.filename().string();
      tag.unix_time = time_of_results(loaded.file, file.string());
      history_->import(loaded.file, tag, file.string());
      ++read;
    } catch (const Error& error) {
      context.warn(fmt::format("left out: {}", escape_for_terminal(error.what())));
    }
  }
  if (read == 0)
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: no result file in this folder (.icount or .json, as `icount count --out` "
                            "and `suite run` save them), and no .icount/history.sqlite",
                            folder));
  name_ = folder;
}

ServedHistory ServedStore::overview() {
  ServedHistory out{.name = name_, .runs = {}, .benchmarks = {}};
  const RunFilter filter{.newest = newest_};
  const std::vector<RunInfo> runs = history_->runs(filter);
  const std::map<int64_t, int64_t> before = runs_before(runs);
  for (const RunInfo& run : runs) out.runs.push_back(served(run, before.at(run.id)));
  out.benchmarks = make_histories(*history_, history_->all_series(filter), HistoryMetric::kCounts);
  return out;
}

HttpAnswer ServedStore::benchmark_page(const std::string& key) {
  const std::vector<BenchmarkHistory> histories =
      make_histories(*history_, {history_->series(key, {.newest = newest_})}, HistoryMetric::kCounts);
  if (histories.empty()) return not_found(fmt::format("no benchmark '{}' has counts here", key));
  return {.body = render_benchmark_page(name_, histories[0])};
}

ResultFile ServedStore::load(int64_t run, const std::string& benchmark) {
  ResultFile file = history_->load(run);
  if (!benchmark.empty())
    std::erase_if(file.results, [&](const Result& result) { return result_key(result) != benchmark; });
  return file;
}

HttpAnswer ServedStore::report_page(const HttpTarget& target) {
  const auto run_of = [&](std::string_view side) -> std::optional<RunInfo> {
    const std::optional<int64_t> id = parse_int64(value_of(target, side));
    return id ? history_->run(*id) : std::nullopt;
  };
  const std::optional<RunInfo> head = run_of("head"), base = run_of("base");
  if (!head || (!base && !value_of(target, "base").empty()))
    return not_found("no such run here; the store may have changed since the page was made");
  const std::string benchmark = value_of(target, "benchmark");
  const ResultFile head_file = load(head->id, benchmark);
  const ResultFile base_file = base ? load(base->id, benchmark) : ResultFile{};
  ReportHead page;
  page.version = std::string(icount_version());
  page.command = fmt::format("icount serve {}", name_);
  page.head = {describe_run(*head), head_file.command, head_file.fingerprint};
  if (base) page.base = {describe_run(*base), base_file.command, base_file.fingerprint};
  page.title = base ? fmt::format("{} \u2192 {}", page.base.name, page.head.name) : page.head.name;
  ReportSources sources;
  sources.head = {page.head.name, &head_file};
  if (base) sources.base = {page.base.name, &base_file};
  sources.history = load_report_history(*history_);
  sources.compare.explain.list_opened = true;
  page.history = sources.history.names;
  ReportJson report(page, report_limits(std::max(head_file.results.size(), base_file.results.size())));
  add_report_benchmarks(report, sources);
  return {.body = render_html_page(page.title, report.json())};
}

HttpAnswer ServedStore::answer(const HttpTarget& target) {
  try {
    if (target.path == "/") return {.body = render_overview_page(overview())};
    if (target.path == "/benchmark") return benchmark_page(value_of(target, "key"));
    if (target.path == "/report") return report_page(target);
    if (target.path == "/favicon.ico") return {.status = 204};  // every browser asks
    return not_found(fmt::format("there is no page {}", target.path));
  } catch (const Error& error) {
    return {.status = 500, .body = render_message_page("This cannot be shown", error.what())};
  }
}

constexpr OptionSpec kServeOptions[] = {
    {"port", "N", "where to listen on 127.0.0.1; 0 takes a free port (default 0)"},
    {"last", "N", "only the newest N runs; 0 for all (default 200)"},
};

constexpr ExampleSpec kServeExamples[] = {
    {"icount serve", "the nearest .icount/history.sqlite"},
    {"icount serve results --port 8080", "every result file of a folder, as runs in the order of their times"},
};

constexpr int64_t kDefaultRuns = 200;
constexpr int64_t kMostRuns = 1'000'000'000;
constexpr int64_t kMostPort = 65535;

ExitCode run_serve(const ParsedOptions& parsed, CommandContext& context) {
  const auto port = static_cast<uint16_t>(parsed.integer("port", 0, 0, kMostPort));
  const auto newest = static_cast<size_t>(parsed.integer("last", kDefaultRuns, 0, kMostRuns));
  parsed.check();
  ServedStore store(parsed.arguments().empty() ? "" : parsed.arguments()[0], newest, context);
  HttpServer server(port, [&](const HttpTarget& target) { return store.answer(target); });
  context.out << fmt::format("{} at http://127.0.0.1:{}/ until Ctrl-C\n", escape_for_terminal(store.name()),
                             server.port())
              << std::flush;
  server.run(context.cancelled);
  return ExitCode::kOk;
}

}  // namespace

const CommandSpec& serve_command() {
  static const CommandSpec command = {
      .name = "serve",
      .summary = "show the history in a browser: runs, benchmarks, and any two runs explained",
      .arguments = "[DIR|STORE]",
      .description =
          "STORE is a history (default: ICOUNT_STORE, else the nearest .icount/history.sqlite); reload a page to "
          "see runs that were stored meanwhile. Of a folder, every result file in it is a run. Pages are "
          "made "
          "when they are asked for: all runs and benchmarks, one benchmark run by run, and the report of any run or "
          "any "
          "two, which is the page that `icount report` writes.\n\nOnly this machine is answered (127.0.0.1), and "
          "nothing "
          "can be changed.",
      .options = kServeOptions,
      .examples = kServeExamples,
      .max_arguments = 1,
      .run = run_serve,
  };
  return command;
}

}  // namespace icount
