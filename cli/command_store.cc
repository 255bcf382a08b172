// `icount store ...`: runs into the history and out of it. Upkeep (gc, check, merge) is in cli/command_store_upkeep.cc.
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/cli/store_to_write.h"
#include "icount/cli/time_of_results.h"
#include "icount/console/options.h"
#include "icount/inputs/git_commit.h"
#include "icount/inputs/open_store.h"
#include "icount/report/document.h"
#include "icount/report/history_text.h"
#include "icount/store/result_file.h"
#include "icount/store/run_order.h"
#include "icount/suite/suite_record.h"

namespace icount {
namespace {

constexpr OptionSpec kImportOptions[] = {
    kStoreOption,
    {"commit", "COMMIT", "the commit that was measured: HEAD, a tag or any other git revision, or a full hash"},
    {"branch", "NAME",
     "its branch (default: with --commit, the one checked out here if that is there, else one that has it)"},
    {"name", "NAME", "a name for the run, for example \"nightly\""},
    {"time", "SECONDS", "time of the measurement, Unix time (default: from the results, else the time of the file)"},
};

constexpr ExampleSpec kImportExamples[] = {
    {"icount store import results.json --commit HEAD", "store a run under the checked-out commit"},
    {"icount store import results.json --commit HEAD --store postgresql://ci@db.example/bench", "the team's history"},
};

constexpr OptionSpec kExportOptions[] = {
    kStoreOption,
    {"out,o", "FILE", "where to (default: standard output)"},
};

constexpr ExampleSpec kExportExamples[] = {
    {"icount store export @abc1234 --out base.json", "a stored run as the file it came from"},
};

constexpr OptionSpec kRunsOptions[] = {
    kStoreOption,
    {"branch", "NAME", "only runs of this branch"},
    {"name", "NAME", "only runs stored under this name"},
    {"last", "N", "only the newest N; 0 for all (default 40)"},
    {"format", "text|json", "form of the output (default text)"},
};

constexpr ExampleSpec kRunsExamples[] = {
    {"icount store runs --last 10", "the runs stored last"},
};

constexpr int64_t kMost = 1'000'000'000'000;
constexpr int64_t kDefaultRuns = 40;
constexpr size_t kMostFiles = 100'000;

bool is_full_hash(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

CommitInfo named_commit(const std::string& revision) {
  if (auto commit = probe_commit(revision, std::filesystem::current_path())) return std::move(*commit);
  // A hash in full needs no repository here: results may be collected on another machine.
  if (is_full_hash(revision)) return {.hash = revision};
  throw Error(ErrorKind::kUsage,
              fmt::format("--commit {}: git does not know this commit, and it is not a full hash (40 or 64 hex digits)",
                          revision));
}

/// The one checked out where that is the commit there; else the one that has it in its own line.
std::string branch_of(const std::string& commit) {
  const std::filesystem::path here = std::filesystem::current_path();
  const std::optional<CommitInfo> head = probe_commit("HEAD", here);
  const std::string branch = probe_branch(here);
  if (head && head->hash == commit && !branch.empty()) return branch;
  return probe_branches({commit}, ".." + commit, here)[commit];
}

ExitCode run_import(const ParsedOptions& parsed, CommandContext& context) {
  RunTag tag{.branch = parsed.text("branch"), .name = parsed.text("name")};
  tag.unix_time = parsed.integer("time", 0, 1, kMost);
  parsed.check();
  if (parsed.has("commit")) {
    tag.commit = named_commit(parsed.text("commit"));
    if (!parsed.has("branch")) tag.branch = branch_of(tag.commit.hash);
  }
  // Read everything first: a damaged file then leaves no store behind that was made for nothing.
  std::vector<LoadedResults> loaded;
  for (const std::string& path : parsed.arguments()) {
    loaded.push_back(load_result_file(path));
    for (const std::string& warning : loaded.back().warnings) context.warn(warning);
  }
  History history = open_store_to_write(parsed.text("store"), context, OpenMode::kCreate);
  for (size_t i = 0; i < loaded.size(); ++i) {
    const std::string& path = parsed.arguments()[i];
    RunTag own = tag;
    if (own.unix_time == 0) own.unix_time = time_of_results(loaded[i].file, path);
    const ImportOutcome outcome = history.import(loaded[i].file, own, path);
    const std::string run = escape_for_terminal(describe_run({.id = outcome.run, .tag = own}));
    if (outcome.added)
      context.out << fmt::format("{}: {}, {}, {} of them new: {} of {}\n", escape_for_terminal(path),
                                 counted(outcome.results, "result"), counted(outcome.graphs, "cost graph"),
                                 outcome.new_graphs, run, escape_for_terminal(history.url().text));
    else
      context.out << fmt::format("{}: is already stored: {} of {}\n", escape_for_terminal(path), run,
                                 escape_for_terminal(history.url().text));
  }
  return ExitCode::kOk;
}

ExitCode run_export(const ParsedOptions& parsed, CommandContext& context) {
  parsed.check();
  History history(chosen_store(parsed.text("store"), context), OpenMode::kRead);
  const RunInfo run = find_run(history, parsed.arguments()[0]);
  ResultFile file = history.load(run.id);
  for (Result& result : file.results) {  // pack the graphs as whoever wrote the file would have
    result.graph = unpack_graph(result, history.url().text);
    result.graph_blob.clear();
  }
  if (parsed.has("out"))
    save_result_file(parsed.text("out"), file);
  else
    context.out << result_file_text(file);
  return ExitCode::kOk;
}

Json runs_to_json(const std::vector<RunInfo>& runs, const std::string& store) {
  Json json;
  json["schema"] = {{"name", "icount-store-runs"}, {"version", 1}};
  json["store"] = store;
  Json& list = json["runs"] = Json::array();
  for (const RunInfo& run : runs)
    list.push_back({{"id", run.id},
                    {"commit", run.tag.commit.hash},
                    {"parents", run.tag.commit.parents},
                    {"subject", run.tag.commit.subject},
                    {"branch", run.tag.branch},
                    {"name", run.tag.name},
                    {"unix_time", time_of(run.tag)},
                    {"measured", run.tag.unix_time},
                    {"results", run.results},
                    {"command", run.command}});
  return json;
}

ExitCode run_runs(const ParsedOptions& parsed, CommandContext& context) {
  const bool as_json = parsed.choice("format", {"text", "json"}) == 1;
  RunFilter filter{.name = parsed.text("name"), .branch = parsed.text("branch")};
  filter.newest = static_cast<size_t>(parsed.integer("last", kDefaultRuns, 0, kMost));
  parsed.check();
  History history(chosen_store(parsed.text("store"), context), OpenMode::kRead);
  const std::vector<RunInfo> runs = history.runs(filter);
  if (as_json) {
    context.out << dump_json(runs_to_json(runs, history.url().text)) << '\n';
    return ExitCode::kOk;
  }
  Table table({{"run"},
               {"commit", Align::kLeft},
               {"time (UTC)", Align::kLeft},
               {"branch", Align::kLeft},
               {"name", Align::kLeft},
               {"results"},
               {"", Align::kLeft}});
  for (const RunInfo& run : runs)
    table.add_row({{fmt::format("#{}", run.id)},
                   {short_hash(run.tag.commit.hash)},
                   {utc_text(time_of(run.tag))},
                   {run.tag.branch},
                   {run.tag.name},
                   {with_thousands(run.results)},
                   {run.tag.commit.subject}});
  table.render_text(context.out, context.terminal.style);
  return ExitCode::kOk;
}

}  // namespace

const CommandSpec& store_import_command() {
  static const CommandSpec command = {
      .name = "store import",
      .summary = "import saved results into the history",
      .arguments = "FILE...",
      .description =
          "The history keeps every count, every wall-clock sample and every cost graph, so that any two runs can be "
          "explained later; unchanged data is stored once. If there is no store, it is created: .icount/history.sqlite "
          "in the repository's top folder. Importing the same results under the same commit and name again has no "
          "effect. Each file is imported completely or not at all, even when several processes import at once or one "
          "is killed.",
      .options = kImportOptions,
      .examples = kImportExamples,
      .min_arguments = 1,
      .max_arguments = kMostFiles,
      .run = run_import,
  };
  return command;
}

const CommandSpec& store_export_command() {
  static const CommandSpec command = {
      .name = "store export",
      .summary = "write a stored run as a result file",
      .arguments = "RUN",
      .description =
          "RUN is @REF or @REF:NAME. REF is #ID, a commit (at least four characters of its hash, or a git revision: "
          "HEAD~1, a tag), a branch or a run's name; of several matching runs the newest is taken. NAME selects runs "
          "stored under that name.",
      .options = kExportOptions,
      .examples = kExportExamples,
      .min_arguments = 1,
      .max_arguments = 1,
      .run = run_export,
  };
  return command;
}

const CommandSpec& store_runs_command() {
  static const CommandSpec command = {
      .name = "store runs",
      .summary = "list the stored runs",
      .description = "Oldest first, in the order of their commits: by time, and never a commit before its parent.",
      .options = kRunsOptions,
      .examples = kRunsExamples,
      .run = run_runs,
  };
  return command;
}

}  // namespace icount
