// `icount kernels BASE HEAD`: whether GPU kernels have the same machine code, without a GPU and without a stopwatch.
#include "icount/cli/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/cli/run_suite.h"
#include "icount/cli/write_document.h"
#include "icount/console/options.h"
#include "icount/console/shared_options.h"
#include "icount/gate/base_build.h"
#include "icount/gate/git_worktree.h"
#include "icount/inputs/git_commit.h"
#include "icount/kernels/compare_kernels.h"
#include "icount/kernels/kernel_files.h"
#include "icount/report/kernels_document.h"
#include "icount/suite/definition_file.h"
#include "icount/suite/labels.h"

namespace icount {
namespace {

constexpr OptionSpec kKernelsOptions[] = {
    {"", "", "what to compare"},
    {"base-ref", "COMMIT", "base is FILE at this commit, built in a worktree; head is FILE in the working tree"},
    {"build", "CMD", "with --base-ref: shell command that builds FILE, run in the top folder of either"},
    {"arch", "ARCH", "only this architecture, as sm_90; needed for a .cu file", true},
    {"flags", "FLAGS", "flags of nvcc for .cu files on both sides, as one word of the shell"},
    {"base-flags", "FLAGS", "further flags for base alone"},
    {"head-flags", "FLAGS", "further flags for head alone"},
    {"nvcc", "PROGRAM", "CUDA compiler of .cu files"},
    {"", "", "what to show"},
    {"all", "", "show kernels that are the same, too"},
    {"open", "KERNEL", "list a kernel's instructions side by side; KERNEL is a part of its name", true},
    {"format", "text|markdown|json", "form of the output (default text)"},
    kPathsOption,
    {"", "", "exit code"},
    {"fail-on", "differs|registers|spills",
     "exit with code 3 when a kernel differs or is on one side only, takes more registers, or takes more local memory",
     true},
};

constexpr ExampleSpec kKernelsExamples[] = {
    {"icount kernels old/libsort.so new/libsort.so", "which kernels of a library have changed"},
    {"icount kernels --arch sm_80 --arch sm_90 --fail-on differs base.cu head.cu",
     "a refactoring must not change machine code"},
    {"icount kernels --base-ref main --build 'make -s' --fail-on registers build/libsort.so",
     "what a pull request does to the kernels of a library"},
    {"icount kernels --arch sm_90 --head-flags='--use_fast_math' --open saxpy saxpy.cu saxpy.cu",
     "what a flag does to a kernel, side by side"},
};

/// Two files, or one file at two commits.
struct KernelsJob {
  std::string label;             ///< of a [[kernels]] table; empty: none
  std::string base, head;        ///< relative to `folder`
  std::filesystem::path folder;  ///< in the user's checkout; empty: the working folder
  KernelFilesOptions base_files, head_files;
  std::set<std::string> fail_on;  ///< of kFailOn
};

constexpr std::string_view kFailOn[] = {"differs", "registers", "spills"};

struct KernelsOptions {
  KernelsJob job;
  std::string suite;            ///< a file with [[kernels]] tables, which stand in the job's place; empty: none
  std::string base_ref, build;  ///< base_ref is empty: base and head are named
  CompareKernelsOptions compare;
  KernelsShown shown = KernelsShown::kChanged;
  OutputFormat format = OutputFormat::kText;
};

void add_flags(const ParsedOptions& parsed, std::string_view name, std::vector<std::string>& flags) {
  if (!parsed.has(name)) return;
  const std::vector<std::string> words = split_command(parsed.text(name));
  flags.insert(flags.end(), words.begin(), words.end());
}

KernelsOptions read_kernels_options(const ParsedOptions& parsed, const CommandContext& context) {
  KernelsOptions options;
  options.base_ref = parsed.text("base-ref");
  options.build = parsed.text("build");
  const std::vector<std::string>& files = parsed.arguments();
  if (parsed.has("base-ref") && options.base_ref.empty()) parsed.problem("--base-ref needs a commit");
  if (parsed.has("build") && !parsed.has("base-ref")) parsed.problem("--build is for --base-ref");
  if (!files.empty() && files.size() != (parsed.has("base-ref") ? 1 : 2))
    parsed.problem(parsed.has("base-ref") ? "--base-ref takes one FILE, which base has as well"
                                          : fmt::format("BASE HEAD needed, but only '{}' given", files[0]));
  if (!files.empty()) options.job.base = files.front(), options.job.head = files.back();
  if (parsed.has("base-ref") && options.job.base.ends_with(".toml")) options.suite = options.job.base;
  for (KernelFilesOptions* side : {&options.job.base_files, &options.job.head_files}) {
    side->architectures = parsed.texts("arch");
    side->nvcc = parsed.text("nvcc");
    side->environment = context.environment;
    side->cancelled = context.cancelled;
    add_flags(parsed, "flags", side->flags);
  }
  add_flags(parsed, "base-flags", options.job.base_files.flags);
  add_flags(parsed, "head-flags", options.job.head_files.flags);
  options.compare.open = parsed.texts("open");
  options.compare.environment = context.environment;
  options.compare.cancelled = context.cancelled;
  for (const std::string& what : parsed.texts("fail-on")) {
    options.job.fail_on.insert(what);
    if (std::find(std::begin(kFailOn), std::end(kFailOn), what) == std::end(kFailOn))
      parsed.problem(fmt::format("--fail-on needs one of {}, not '{}'", fmt::join(kFailOn, ", "), what));
  }
  if (parsed.has("all")) options.shown = KernelsShown::kAll;
  options.format = static_cast<OutputFormat>(parsed.choice("format", {"text", "markdown", "json"}));
  parsed.check();
  return options;
}

/// One line for each kernel that must not have changed as it did.
ExitCode judge(const KernelComparison& comparison, const KernelsJob& job, const CommandContext& context) {
  ExitCode code = ExitCode::kOk;
  const auto fail = [&](const KernelPair& pair, std::string_view what) {
    context.err << "icount: over the limit: " << escape_for_terminal(job.label) << (job.label.empty() ? "" : ": ")
                << escape_for_terminal(pair.name) << " for " << pair.arch << ": " << what << '\n';
    code = ExitCode::kOverLimit;
  };
  for (const KernelPair& pair : comparison.pairs) {
    const bool alike = pair.state == KernelState::kSame || pair.state == KernelState::kMoved;
    if (job.fail_on.contains("differs") && !alike) fail(pair, to_text(pair.state));
    if (!pair.base || !pair.head) continue;
    if (job.fail_on.contains("registers") && pair.head->registers > pair.base->registers)
      fail(pair, fmt::format("{} registers became {}", pair.base->registers, pair.head->registers));
    if (job.fail_on.contains("spills") && pair.head->local_bytes > pair.base->local_bytes)
      fail(pair, fmt::format("{} bytes of local memory became {}", with_thousands(pair.base->local_bytes),
                             with_thousands(pair.head->local_bytes)));
  }
  return code;
}

struct LoadedSide {
  std::string name;
  std::vector<Cubin> cubins;
};

/// What the command line asks for: itself, or each [[kernels]] table of the suite.
std::vector<KernelsJob> expand_kernels(const KernelsOptions& options, const Suite& suite) {
  if (options.suite.empty()) return {options.job};
  if (suite.kernels.empty())
    throw Error(ErrorKind::kUsage, fmt::format("{}: it has no [[kernels]] table", options.suite));
  std::vector<KernelsJob> jobs;
  for (const KernelsBenchmark& table : suite.kernels) {
    KernelsJob& job = jobs.emplace_back(options.job);
    job.label = to_text(table.label);
    job.base = job.head = table.file;
    job.folder = table.folder;
    for (KernelFilesOptions* side : {&job.base_files, &job.head_files}) {
      if (side->architectures.empty()) side->architectures = table.architectures;
      side->flags.insert(side->flags.begin(), table.flags.begin(), table.flags.end());
    }
    job.fail_on.insert(table.fail_on.begin(), table.fail_on.end());
  }
  return jobs;
}

/// Where `folder` of the user's checkout is in the worktree.
std::filesystem::path folder_in(const GitWorktree& tree, const std::filesystem::path& folder) {
  return tree.path() / git_output(folder.empty() ? "." : folder, {"rev-parse", "--show-prefix"});
}

/// Builds the commit as the working tree is built, and reads the files of all jobs.
std::vector<LoadedSide> load_bases(const std::vector<KernelsJob>& jobs, const KernelsOptions& options,
                                   const Suite& suite, const CommandContext& context) {
  std::vector<LoadedSide> sides;
  if (options.base_ref.empty()) {
    for (const KernelsJob& job : jobs) sides.push_back({job.base, load_cubins(job.base, job.base_files)});
    return sides;
  }
  const GitWorktree tree(".", options.base_ref, make_worktrees_folder(context.environment));
  const std::string name = fmt::format("{} ({})", options.base_ref, resolve_commit(tree.path(), "HEAD").substr(0, 10));
  if (!options.build.empty() || !suite.build.empty())
    for (const KernelsJob& job : jobs) GitWorktree::remove_built(folder_in(tree, job.folder), job.base);
  if (!options.build.empty()) run_build_command(options.build, tree.path(), {}, name, context);
  for (const BuildStep& step : suite.build)
    run_build_command(step.command, folder_in(tree, step.folder), {}, name, context);
  for (const KernelsJob& job : jobs)
    sides.push_back(
        {name, in_context(name, [&] { return load_cubins(folder_in(tree, job.folder) / job.base, job.base_files); })});
  return sides;
}

LoadedSide load_head(const KernelsJob& job) {
  const std::filesystem::path file = job.folder / job.head;
  return {file.string(), load_cubins(file, job.head_files)};
}

void check_opened(const std::vector<KernelComparison>& comparisons, const KernelsOptions& options) {
  for (const std::string& part : options.compare.open) {
    const auto is_listed = [&](const KernelPair& pair) {
      return !pair.listing.empty() && (pair.name.find(part) != std::string::npos || pair.symbol == part);
    };
    if (std::none_of(comparisons.begin(), comparisons.end(), [&](const KernelComparison& one) {
          return std::any_of(one.pairs.begin(), one.pairs.end(), is_listed);
        }))
      throw Error(ErrorKind::kUsage, fmt::format("--open {}: no kernel that is on both sides is named so", part));
  }
}

ExitCode run_kernels(const ParsedOptions& parsed, CommandContext& context) {
  const KernelsOptions options = read_kernels_options(parsed, context);
  const Suite suite = options.suite.empty() ? Suite() : load_suite(options.suite);
  const std::vector<KernelsJob> jobs = expand_kernels(options, suite);
  const std::vector<LoadedSide> bases = load_bases(jobs, options, suite, context);
  if (!options.build.empty())
    run_build_command(options.build, git_output(".", {"rev-parse", "--show-toplevel"}), {}, "the working tree",
                      context);
  run_build(suite, context);
  std::vector<LoadedSide> heads;
  for (const KernelsJob& job : jobs) heads.push_back(load_head(job));
  std::vector<KernelComparison> comparisons;
  for (size_t i = 0; i < jobs.size(); ++i)
    comparisons.push_back(compare_kernels(bases[i].cubins, heads[i].cubins, options.compare));
  check_opened(comparisons, options);
  if (options.format == OutputFormat::kJson) {
    Json all = Json::array();
    for (size_t i = 0; i < jobs.size(); ++i) {
      all.push_back(kernels_to_json(comparisons[i], bases[i].name, heads[i].name));
      if (!jobs[i].label.empty()) all.back()["label"] = jobs[i].label;
    }
    context.out << dump_json(options.suite.empty() ? all[0] : all) << '\n';
  } else {
    for (size_t i = 0; i < jobs.size(); ++i) {
      if (i > 0) context.out << '\n';
      write_document(context, options.format, [&](size_t width) {
        return make_kernels_document(comparisons[i], bases[i].name, heads[i].name, options.shown, width);
      });
    }
  }
  ExitCode code = ExitCode::kOk;
  for (size_t i = 0; i < jobs.size(); ++i)
    if (judge(comparisons[i], jobs[i], context) != ExitCode::kOk) code = ExitCode::kOverLimit;
  return code;
}

}  // namespace

const CommandSpec& kernels_command() {
  static const CommandSpec command = {
      .name = "kernels",
      .summary = "compare the machine code of GPU kernels: the same, moved, or different, and where",
      .arguments = "BASE HEAD | --base-ref COMMIT FILE|SUITE",
      .description =
          "BASE and HEAD may each be a cubin, a fatbin, an object, a library, a program, or a .cu file, which nvcc "
          "compiles. No GPU is needed. A kernel is the same where every instruction is equal after registers, "
          "predicates and places of constants are renamed one to one, and where it takes the same registers and "
          "memory: "
          "such a kernel needs no timing.\n\nSUITE is a suite file (.toml) with [[kernels]] tables: label, file, arch, "
          "flags, "
          "fail_on; its build commands build both commits.\n\nKernels whose bytes differ are disassembled by nvdisasm; "
          "files that are "
          "no "
          "cubin are unpacked by cuobjdump. Both are in the CUDA Toolkit, and in nvidia-cuda-nvdisasm and "
          "nvidia-cuda-cuobjdump of PyPI (docs/kernels.md).",
      .options = kKernelsOptions,
      .examples = kKernelsExamples,
      .min_arguments = 1,
      .max_arguments = 2,
      .run = run_kernels,
  };
  return command;
}

}  // namespace icount
