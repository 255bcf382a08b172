// `icount suite submit`: a suite in shards, on the machines of a cluster or here, and their results as one file.
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/cli/command_suite_merge.h"
#include "icount/console/options.h"
#include "icount/store/result_file.h"
#include "icount/suite/shards.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr OptionSpec kSuiteSubmitOptions[] = {
    {"shards", "N", "number of parts (default 2)"},
    {"out,o", "FILE", "the joined result"},
    {"runner", "local|slurm|COMMAND",
     "who runs the parts: this machine, one after the other; a job array of Slurm; or a command line for each, with "
     "{script}, {index}, {count} and {log} replaced (default local)"},
    {"dir", "DIR", "folder for the parts' files and logs, which all machines must see (default: FILE.shards)"},
};

constexpr ExampleSpec kSuiteSubmitExamples[] = {
    {"icount suite submit my.toml --shards 8 --runner slurm --out all.icount", "on a cluster with Slurm"},
    {"icount suite submit my.toml --shards 2 --runner 'ssh node{index} sh {script} {index}' --out all.icount -- "
     "--repeats 3",
     "by ssh; what follows -- is for `suite run`"},
};

struct SubmitOptions {
  std::string suite, out, runner;
  fs::path folder;
  int shards = 2;
  std::vector<std::string> run_options;
};

SubmitOptions read_suite_submit_options(const ParsedOptions& parsed) {
  SubmitOptions options;
  if (!parsed.arguments().empty()) options.suite = parsed.arguments()[0];
  options.out = parsed.text("out");
  options.runner = parsed.text("runner", "local");
  options.shards = static_cast<int>(parsed.integer("shards", 2, 1, 10000));
  options.run_options = parsed.program();
  if (options.out.empty()) parsed.problem("--out is missing: the file for the joined result");
  for (const std::string& option : options.run_options)
    for (const char* own : {"--shard", "--out", "-o", "--resume"})
      if (option == own || option.starts_with(std::string(own) + "="))
        parsed.problem(fmt::format("{} after -- is set by suite submit itself", own));
  parsed.check();
  options.folder = fs::absolute(parsed.text("dir", options.out + ".shards"));
  return options;
}

fs::path file_of(const SubmitOptions& options, int index) {
  return options.folder / fmt::format("shard-{}.icount", index);
}

fs::path log_of(const SubmitOptions& options, int index) { return options.folder / fmt::format("shard-{}.log", index); }

/// What an earlier run of the command left of a shard is put aside for the shard's script, which asks what has changed
/// since, and makes the shard's file anew. Whether there is such a file; a damaged one goes.
bool put_aside(const SubmitOptions& options, int index) {
  const fs::path file = file_of(options, index), earlier = options.folder / fmt::format("shard-{}.earlier", index);
  std::error_code error;
  fs::remove(log_of(options, index), error);
  if (!fs::exists(file, error)) return fs::exists(earlier, error);
  try {
    load_result_file(file);
    fs::rename(file, earlier, error);
  } catch (const Error&) {
    fs::remove(file, error);
    return false;
  }
  if (error) throw Error(ErrorKind::kIo, fmt::format("cannot rename {}: {}", file.string(), error.message()));
  return true;
}

/// The script, and nothing of another command beside it.
fs::path prepare(const SubmitOptions& options, const CommandContext& context) {
  std::vector<std::string> argv = {context.program.string(), "suite", "run", options.suite};
  argv.insert(argv.end(), options.run_options.begin(), options.run_options.end());
  fs::path script = options.folder / "shard.sh";
  const std::string text = shard_script(argv, fs::current_path(), options.folder, options.shards);
  std::error_code error;
  fs::create_directories(options.folder, error);
  if (error) throw Error(ErrorKind::kIo, fmt::format("cannot create {}: {}", options.folder.string(), error.message()));
  if (fs::exists(script, error) && load_text(script) != text)
    throw Error(ErrorKind::kUsage, fmt::format("{} holds shards of another command; remove it, or choose another --dir",
                                               options.folder.string()));
  save_file(script, text);
  return script;
}

void run_shards(const ShardRun& run, const std::string& runner) {
  if (run.indices.empty()) return;
  if (runner == "slurm")
    run_shards_on_slurm(run);
  else if (runner == "local")
    run_shards_here(run);
  else
    run_shards_by_template(run, runner);
}

/// What is ours goes, also what a shard was writing when its machine was lost; a folder that holds anything else stays.
void remove_shards(const SubmitOptions& options) {
  std::error_code ignored;
  std::vector<fs::path> ours = {options.folder / "shard.sh"};
  for (const fs::path& entry : folder_entries(options.folder)) {
    const std::string extension = entry.extension().string();
    if (entry.filename().string().starts_with("shard-") &&
        (extension == ".icount" || extension == ".earlier" || extension == ".log" || extension == ".part"))
      ours.push_back(entry);
  }
  for (const fs::path& file : ours) fs::remove(file, ignored);
  fs::remove(options.folder, ignored);
}

/// What the shards had to say goes with their logs, among it which results were measured again.
void show_warnings(const SubmitOptions& options, CommandContext& context) {
  constexpr std::string_view kMark = "icount: warning: ";
  for (int index = 1; index <= options.shards; ++index) {
    std::error_code ignored;
    const fs::path log = log_of(options, index);
    const std::string text = fs::exists(log, ignored) ? load_text(log) : std::string();
    for (const std::string_view line : split_lines(text))
      if (line.starts_with(kMark))
        context.warn(fmt::format("shard {}/{}: {}", index, options.shards, line.substr(kMark.size())));
  }
}

/// Joins what there is; the shards stay while some are missing.
ExitCode join(const SubmitOptions& options, CommandContext& context) {
  std::vector<std::string> files;
  for (int index = 1; index <= options.shards; ++index)
    if (fs::exists(file_of(options, index))) files.push_back(file_of(options, index).string());
  const std::string logs = (options.folder / "shard-*.log").string();
  if (files.empty())
    throw Error(ErrorKind::kTool, fmt::format("no shard left a result; what they printed is in {}", logs));
  const ExitCode code = merge_shard_files(options.out, files, context);
  if (code != ExitCode::kOk) {
    context.warn(fmt::format("the same command measures what is missing; what they printed is in {}", logs));
    return code;
  }
  remove_shards(options);
  const LoadedResults merged = load_result_file(options.out);
  const bool failed = std::any_of(merged.file.results.begin(), merged.file.results.end(),
                                  [](const Result& result) { return !result.ok() && !result.is_left_out(); });
  return failed ? ExitCode::kFailure : ExitCode::kOk;
}

ExitCode run_suite_submit(const ParsedOptions& parsed, CommandContext& context) {
  const SubmitOptions options = read_suite_submit_options(parsed);
  load_text(options.suite);  // a missing file is said once, not by every shard
  ShardRun run;
  run.script = prepare(options, context);
  run.folder = options.folder;
  run.count = options.shards;
  run.cancelled = context.cancelled;
  run.say = [&](const std::string& text) { context.warn(text); };
  int there = 0;
  for (int index = 1; index <= options.shards; ++index) {
    run.indices.push_back(index);
    there += put_aside(options, index) ? 1 : 0;
  }
  if (there > 0)
    context.warn(fmt::format("{} of {} shards exist already; measuring what has changed since", there, options.shards));
  run_shards(run, options.runner);
  show_warnings(options, context);
  if (context.cancelled && context.cancelled()) {
    context.warn(fmt::format("interrupted; the same command continues with what is in {}", options.folder.string()));
    return ExitCode::kFailure;
  }
  return join(options, context);
}

}  // namespace

const CommandSpec& suite_submit_command() {
  static const CommandSpec command = {
      .name = "suite submit",
      .summary = "measure a suite in shards, on a cluster or here, and join their results",
      .arguments = "FILE [-- OPTIONS OF SUITE RUN]",
      .description =
          "Each shard is `icount suite run FILE --shard I/N`, run by a script in --dir; its file appears there whole "
          "or not at "
          "all, so that a job may be killed, or run twice. When all jobs are gone the files are joined as by `icount "
          "suite "
          "merge`, and the folder is removed.\n\nWhen benchmarks are missing, because jobs vanished, they are named "
          "and the exit "
          "code is 1; the same command then measures what is missing or has changed. With Slurm a task whose node is "
          "lost is "
          "put back into the queue.",
      .options = kSuiteSubmitOptions,
      .examples = kSuiteSubmitExamples,
      .min_arguments = 1,
      .max_arguments = 1,
      .takes_program = true,
      .run = run_suite_submit,
  };
  return command;
}

}  // namespace icount
