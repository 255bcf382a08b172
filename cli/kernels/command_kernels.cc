// `icount kernels BASE HEAD`: whether GPU kernels have the same machine code, without a GPU and without a stopwatch.
#include "icount/cli/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <sstream>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/cli/run_suite.h"
#include "icount/cli/write_document.h"
#include "icount/console/options.h"
#include "icount/console/shared_options.h"
#include "icount/gate/base_build.h"
#include "icount/gate/git_worktree.h"
#include "icount/gate/kernel_tables.h"
#include "icount/inputs/git_commit.h"
#include "icount/kernels/compare_kernels.h"
#include "icount/kernels/kernel_files.h"
#include "icount/report/html_page.h"
#include "icount/report/kernels_document.h"
#include "icount/suite/definition_file.h"

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
    {"html", "FILE", "write it as a page, too, with the instructions of the first 20 kernels that differ"},
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

struct KernelsOptions {
  KernelsJob job;
  std::string suite;            ///< a file with [[kernels]] tables, which stand in the job's place; empty: none
  std::string base_ref, build;  ///< base_ref is empty: base and head are named
  CompareKernelsOptions compare;
  KernelsView view;
  OutputFormat format = OutputFormat::kText;
  std::string html;  ///< a file; empty: not asked for
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
    if (std::find(std::begin(kKernelLimits), std::end(kKernelLimits), what) == std::end(kKernelLimits))
      parsed.problem(fmt::format("--fail-on needs one of {}, not '{}'", fmt::join(kKernelLimits, ", "), what));
  }
  options.view.same = parsed.has("all");
  options.html = parsed.text("html");
  constexpr size_t kListedOnAPage = 20;
  if (!options.html.empty()) options.compare.list_changed = kListedOnAPage;
  if (const auto reason = why_not_writable(options.html))
    parsed.problem(fmt::format("--html {}: {}", options.html, *reason));
  options.format = static_cast<OutputFormat>(parsed.choice("format", {"text", "markdown", "json"}));
  parsed.check();
  return options;
}

/// What the command line asks for: itself, or each [[kernels]] table of the suite.
std::vector<KernelsJob> expand_kernels(const KernelsOptions& options, const Suite& suite) {
  if (options.suite.empty()) return {options.job};
  if (suite.kernels.empty())
    throw Error(ErrorKind::kUsage, fmt::format("{}: it has no [[kernels]] table", options.suite));
  return expand_kernels(suite, options.job);
}

struct LoadedSide {
  std::string name;
  std::vector<Cubin> cubins;
};

/// Builds the commit as the working tree is built, and reads the files of all jobs.
std::vector<LoadedSide> load_bases(const std::vector<KernelsJob>& jobs, const KernelsOptions& options,
                                   const Suite& suite, const CommandContext& context) {
  std::vector<LoadedSide> sides;
  if (options.base_ref.empty()) {
    for (const KernelsJob& job : jobs) sides.push_back({job.base, load_cubins(job.base, job.base_files)});
    return sides;
  }
  const GitWorktree tree(".", options.base_ref, make_worktrees_folder(context.environment));
  const std::string name = tree.name(options.base_ref);
  if (!options.build.empty() || !suite.build.empty()) remove_built_kernels(tree, jobs);
  run_build_command(options.build, tree.path(), {}, name, context);
  build_kernels(tree, suite, name, context);
  for (const KernelsJob& job : jobs) sides.push_back({name, load_base_kernels(tree, job, name)});
  return sides;
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

Document make_document(const std::vector<KernelComparison>& comparisons, const KernelsView& view, size_t width) {
  Document document;
  for (const KernelComparison& one : comparisons) {
    if (&one != &comparisons.front()) document.gap();
    document.append(make_kernels_document(one, view, width));
  }
  return document;
}

void save_page(const std::vector<KernelComparison>& comparisons, const KernelsOptions& options) {
  KernelsView view = options.view;
  view.listings = true;
  std::ostringstream body;
  body.exceptions(std::ios::badbit);  // memory that ends is an error, not a shorter page
  body << "<h1>GPU kernels compared</h1>\n";
  make_document(comparisons, view, 0).render_html(body);
  save_file(options.html, render_plain_page("GPU kernels compared", body.view()));
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
  std::vector<std::vector<Cubin>> heads;
  for (const KernelsJob& job : jobs) heads.push_back(load_head_kernels(job));
  std::vector<KernelComparison> comparisons;
  for (size_t i = 0; i < jobs.size(); ++i) {
    KernelComparison& one = comparisons.emplace_back(compare_kernels(bases[i].cubins, heads[i], options.compare));
    one.label = jobs[i].label;
    one.base = bases[i].name;
    one.head = (jobs[i].folder / jobs[i].head).string();
  }
  check_opened(comparisons, options);
  if (options.format == OutputFormat::kJson) {
    Json all = Json::array();
    for (const KernelComparison& one : comparisons) all.push_back(kernels_to_json(one));
    context.out << dump_json(options.suite.empty() ? all[0] : all) << '\n';
  } else {
    write_document(context, options.format,
                   [&](size_t width) { return make_document(comparisons, options.view, width); });
  }
  if (!options.html.empty()) save_page(comparisons, options);
  ExitCode code = ExitCode::kOk;
  for (size_t i = 0; i < jobs.size(); ++i)
    for (const std::string& excess : find_kernel_excesses(comparisons[i], jobs[i].fail_on)) {
      context.err << "icount: over the limit: " << escape_for_terminal(jobs[i].label)
                  << (jobs[i].label.empty() ? "" : ": ") << escape_for_terminal(excess) << '\n';
      code = ExitCode::kOverLimit;
    }
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
          "memory: such a kernel needs no timing.\n\nSUITE is a suite file (.toml) with [[kernels]] tables: label, "
          "file, arch, flags, fail_on; its build commands build both commits, and `icount gate` judges the tables, "
          "too.\n\nKernels whose bytes differ are disassembled by nvdisasm; files that are no cubin are unpacked by "
          "cuobjdump. Both are in the CUDA Toolkit, and in nvidia-cuda-nvdisasm and "
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
