#include "icount/cli/command_suite_merge.h"

#include <fmt/format.h>

#include <ostream>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/cli/commands.h"
#include "icount/console/options.h"
#include "icount/store/result_file.h"
#include "icount/suite/shards.h"

namespace icount {
namespace {

constexpr ExampleSpec kSuiteMergeExamples[] = {
    {"icount suite merge all.icount shard-1.icount shard-2.icount", "join what two machines measured"},
};

ExitCode run_suite_merge(const ParsedOptions& parsed, CommandContext& context) {
  const std::vector<std::string>& words = parsed.arguments();
  parsed.check();
  return merge_shard_files(words[0], {words.begin() + 1, words.end()}, context);
}

}  // namespace

ExitCode merge_shard_files(const std::filesystem::path& out, const std::vector<std::string>& files,
                           CommandContext& context) {
  std::vector<ShardFile> shards;
  for (const std::string& file : files) {
    std::error_code ignored;
    if (std::filesystem::equivalent(file, out, ignored))
      throw Error(ErrorKind::kUsage, fmt::format("{} is both the merged file and one to be merged", file));
    LoadedResults loaded = load_result_file(file);
    for (const std::string& warning : loaded.warnings) context.warn(warning);
    shards.push_back({file, std::move(loaded.file)});
  }
  const MergedShards merged = merge_shards(std::move(shards), out.string());
  for (const std::string& note : merged.notes) context.warn(note);
  save_result_file(out, merged.file);
  context.out << fmt::format("{}: {} of {}\n", out.string(),
                             merged.file.planned - static_cast<int64_t>(merged.missing.size()),
                             counted(merged.file.planned, "planned benchmark"));
  if (merged.missing.empty()) return ExitCode::kOk;
  context.warn(fmt::format("{} missing: run the shards that lack them again, then merge again", merged.missing.size()));
  for (const std::string& name : merged.missing) context.warn("  missing: " + name);
  return ExitCode::kFailure;
}

const CommandSpec& suite_merge_command() {
  static const CommandSpec command = {
      .name = "suite merge",
      .summary = "join the results of a suite that several machines measured in shards",
      .arguments = "OUT FILE...",
      .description =
          "Each FILE is what `icount suite run --shard I/N --out FILE` wrote. OUT holds every planned benchmark once, "
          "in the "
          "suite's order, as the run without shards would; times differ. A benchmark of two files is taken once if its "
          "counts "
          "are equal. Files may be merged again when a missing shard has arrived.\n\nThe exit code is 1 when planned "
          "benchmarks "
          "are missing (they are named; OUT holds the others), and 125 when the files cannot be one run: another "
          "suite, another "
          "filter, another environment, a benchmark with two counts. OUT is not written then.",
      .examples = kSuiteMergeExamples,
      .min_arguments = 2,
      .max_arguments = 100000,
      .run = run_suite_merge,
  };
  return command;
}

}  // namespace icount
