// `icount store ...`: upkeep of the history. Runs go in and out in cli/command_store.cc.
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <ostream>

#include "icount/base/text.h"
#include "icount/cli/store_to_write.h"
#include "icount/console/options.h"
#include "icount/inputs/open_store.h"

namespace icount {
namespace {

constexpr OptionSpec kStoreUpkeepOptions[] = {kStoreOption};

constexpr ExampleSpec kMergeExamples[] = {
    {"icount store merge other/.icount/history.sqlite", "import what another machine measured"},
    {"icount store merge .icount/history.sqlite --store postgresql://ci@db.example/bench", "from a file to a server"},
};
constexpr ExampleSpec kDropExamples[] = {
    {"icount store drop @#17 @#18", "delete two runs; `icount store gc` then frees their data"},
};
constexpr ExampleSpec kGcExamples[] = {
    {"icount store gc", "after `icount store drop`"},
};
constexpr ExampleSpec kCheckExamples[] = {
    {"icount store check", "check the whole store"},
};

std::string name_of(const History& history) { return escape_for_terminal(history.url().text); }
std::string megabytes(int64_t bytes) { return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6); }

ExitCode run_merge(const ParsedOptions& parsed, CommandContext& context) {
  parsed.check();
  History other(parse_store_url(parsed.arguments()[0]), OpenMode::kRead);
  History history = open_store_to_write(parsed.text("store"), context, OpenMode::kCreate);
  const int64_t had = history.size().runs;
  const MergeOutcome merged = history.merge(other);
  context.out << fmt::format("{}: {} imported from {}: {} now, {} before\n", name_of(history),
                             counted(merged.added, "run"), name_of(other), counted(history.size().runs, "run"), had);
  for (const std::string& problem : merged.unreadable)
    context.err << "icount: error: left out: " << escape_for_terminal(problem) << '\n';
  return merged.unreadable.empty() ? ExitCode::kOk : ExitCode::kFailure;
}

ExitCode run_drop(const ParsedOptions& parsed, CommandContext& context) {
  parsed.check();
  History history = open_store_to_write(parsed.text("store"), context, OpenMode::kWrite);
  std::vector<int64_t> ids;
  std::string names;
  for (const std::string& reference : parsed.arguments()) {
    const RunInfo run = find_run(history, reference);
    ids.push_back(run.id);
    names += fmt::format("{}: {} was deleted\n", name_of(history), escape_for_terminal(describe_run(run)));
  }
  history.remove_runs(ids);
  context.out << names;
  return ExitCode::kOk;
}

ExitCode run_gc(const ParsedOptions& parsed, CommandContext& context) {
  parsed.check();
  History history = open_store_to_write(parsed.text("store"), context, OpenMode::kWrite);
  const int64_t before = history.size().file_bytes;
  const int64_t gone = history.gc();
  context.out << fmt::format("{}: removed {} that no run uses; {} before, {} now\n", name_of(history),
                             counted(gone, "text"), megabytes(before), megabytes(history.size().file_bytes));
  return ExitCode::kOk;
}

ExitCode run_check(const ParsedOptions& parsed, CommandContext& context) {
  parsed.check();
  History history(chosen_store(parsed.text("store"), context), OpenMode::kRead);
  const std::vector<std::string> problems = history.check();
  for (const std::string& problem : problems) context.err << "icount: error: " << escape_for_terminal(problem) << '\n';
  if (!problems.empty()) {
    context.err << "icount: error: " << name_of(history)
                << ": damaged; runs that can still be read come out with `icount store merge " << name_of(history)
                << " --store NEW`\n";
    return ExitCode::kFailure;
  }
  const HistorySize size = history.size();
  context.out << fmt::format("{}: sound: {} of {} at {}, {} kept as {} of {}, {} in all\n", name_of(history),
                             counted(size.runs, "run"), counted(size.benchmarks, "benchmark"),
                             counted(size.commits, "commit"), counted(size.results, "result"),
                             counted(size.blobs, "text"), megabytes(size.blob_bytes), megabytes(size.file_bytes));
  if (!history.sealed())
    context.out << "an earlier icount made it, so its runs have no seals: changed branches, times, parents and "
                   "subjects are not detected; the next write (`icount store gc`) seals them as they are then\n";
  return ExitCode::kOk;
}

}  // namespace

const CommandSpec& store_merge_command() {
  static const CommandSpec command = {
      .name = "store merge",
      .summary = "import the runs of another history",
      .arguments = "OTHER",
      .description =
          "OTHER is a path, sqlite:PATH or postgresql://...; it is only read. Runs that are in both are kept once. Use "
          "this also to move between SQLite and PostgreSQL, or from a damaged store to a new one: unreadable runs are "
          "reported and left out (exit code 1).",
      .options = kStoreUpkeepOptions,
      .examples = kMergeExamples,
      .min_arguments = 1,
      .max_arguments = 1,
      .run = run_merge,
  };
  return command;
}

const CommandSpec& store_drop_command() {
  static const CommandSpec command = {
      .name = "store drop",
      .summary = "delete runs from the history",
      .arguments = "RUN...",
      .description =
          "RUN is @REF as `icount store export` has it. All are deleted, or none. Data that only they used stays in "
          "the file until `icount store gc`.",
      .options = kStoreUpkeepOptions,
      .examples = kDropExamples,
      .min_arguments = 1,
      .max_arguments = 100'000,
      .run = run_drop,
  };
  return command;
}

const CommandSpec& store_gc_command() {
  static const CommandSpec command = {
      .name = "store gc",
      .summary = "remove data that no stored run uses",
      .description =
          "Removes records and cost graphs that no run uses, and shrinks the file. Runs are not changed. SQLite needs "
          "as much free disk space as the file is large.",
      .options = kStoreUpkeepOptions,
      .examples = kGcExamples,
      .run = run_gc,
  };
  return command;
}

const CommandSpec& store_check_command() {
  static const CommandSpec command = {
      .name = "store check",
      .summary = "read the whole history and report damage",
      .description =
          "Every page, every record, every cost graph (against its content hash) and every run (against its identity "
          "and its "
          "seal, which covers branch, times and commit) is read, and the tables and indices are compared with those "
          "that "
          "icount makes. Exit code 1 when anything is damaged.",
      .options = kStoreUpkeepOptions,
      .examples = kCheckExamples,
      .run = run_check,
  };
  return command;
}

}  // namespace icount
