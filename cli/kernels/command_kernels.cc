// `icount kernels BASE HEAD`: whether GPU kernels have the same machine code, without a GPU and without a stopwatch.
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/cli/write_document.h"
#include "icount/console/options.h"
#include "icount/console/shared_options.h"
#include "icount/gate/base_build.h"
#include "icount/gate/git_worktree.h"
#include "icount/inputs/git_commit.h"
#include "icount/kernels/compare_kernels.h"
#include "icount/kernels/kernel_files.h"
#include "icount/report/kernels_document.h"

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

enum class FailOn { kDiffers, kRegisters, kSpills };

struct KernelsOptions {
  std::string base, head;
  std::string base_ref, build;  ///< base_ref is empty: base and head are named
  KernelFilesOptions base_files, head_files;
  CompareKernelsOptions compare;
  std::set<FailOn> fail_on;
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
  if (!files.empty()) options.base = files.front(), options.head = files.back();
  for (KernelFilesOptions* side : {&options.base_files, &options.head_files}) {
    side->architectures = parsed.texts("arch");
    side->nvcc = parsed.text("nvcc");
    side->environment = context.environment;
    side->cancelled = context.cancelled;
    add_flags(parsed, "flags", side->flags);
  }
  add_flags(parsed, "base-flags", options.base_files.flags);
  add_flags(parsed, "head-flags", options.head_files.flags);
  options.compare.open = parsed.texts("open");
  options.compare.environment = context.environment;
  options.compare.cancelled = context.cancelled;
  for (const std::string& what : parsed.texts("fail-on")) {
    if (what == "differs")
      options.fail_on.insert(FailOn::kDiffers);
    else if (what == "registers")
      options.fail_on.insert(FailOn::kRegisters);
    else if (what == "spills")
      options.fail_on.insert(FailOn::kSpills);
    else
      parsed.problem(fmt::format("--fail-on needs one of differs, registers, spills, not '{}'", what));
  }
  if (parsed.has("all")) options.shown = KernelsShown::kAll;
  options.format = static_cast<OutputFormat>(parsed.choice("format", {"text", "markdown", "json"}));
  parsed.check();
  return options;
}

/// One line for each kernel that must not have changed as it did.
ExitCode judge(const KernelComparison& comparison, const KernelsOptions& options, const CommandContext& context) {
  ExitCode code = ExitCode::kOk;
  const auto fail = [&](const KernelPair& pair, std::string_view what) {
    context.err << "icount: over the limit: " << escape_for_terminal(pair.name) << " for " << pair.arch << ": " << what
                << '\n';
    code = ExitCode::kOverLimit;
  };
  for (const KernelPair& pair : comparison.pairs) {
    const bool alike = pair.state == KernelState::kSame || pair.state == KernelState::kMoved;
    if (options.fail_on.contains(FailOn::kDiffers) && !alike) fail(pair, to_text(pair.state));
    if (!pair.base || !pair.head) continue;
    if (options.fail_on.contains(FailOn::kRegisters) && pair.head->registers > pair.base->registers)
      fail(pair, fmt::format("{} registers became {}", pair.base->registers, pair.head->registers));
    if (options.fail_on.contains(FailOn::kSpills) && pair.head->local_bytes > pair.base->local_bytes)
      fail(pair, fmt::format("{} bytes of local memory became {}", with_thousands(pair.base->local_bytes),
                             with_thousands(pair.head->local_bytes)));
  }
  return code;
}

struct LoadedSide {
  std::string name;
  std::vector<Cubin> cubins;
};

LoadedSide load_base(const KernelsOptions& options, const CommandContext& context) {
  if (options.base_ref.empty()) return {options.base, load_cubins(options.base, options.base_files)};
  const GitWorktree tree(".", options.base_ref, make_worktrees_folder(context.environment));
  const std::string name = fmt::format("{} ({})", options.base_ref, resolve_commit(tree.path(), "HEAD").substr(0, 10));
  const std::filesystem::path folder = tree.path() / git_output(".", {"rev-parse", "--show-prefix"});
  if (!options.build.empty()) {
    GitWorktree::remove_built(folder, options.base);
    run_build_command(options.build, tree.path(), {}, name, context);
  }
  return {name, in_context(name, [&] { return load_cubins(folder / options.base, options.base_files); })};
}

LoadedSide load_head(const KernelsOptions& options, const CommandContext& context) {
  if (!options.build.empty())
    run_build_command(options.build, git_output(".", {"rev-parse", "--show-toplevel"}), {}, "the working tree",
                      context);
  return {options.head, load_cubins(options.head, options.head_files)};
}

ExitCode run_kernels(const ParsedOptions& parsed, CommandContext& context) {
  const KernelsOptions options = read_kernels_options(parsed, context);
  const LoadedSide base = load_base(options, context), head = load_head(options, context);
  const KernelComparison comparison = compare_kernels(base.cubins, head.cubins, options.compare);
  for (const std::string& part : options.compare.open)
    if (std::none_of(comparison.pairs.begin(), comparison.pairs.end(), [&](const KernelPair& pair) {
          return !pair.listing.empty() && (pair.name.find(part) != std::string::npos || pair.symbol == part);
        }))
      throw Error(ErrorKind::kUsage, fmt::format("--open {}: no kernel that is on both sides is named so", part));
  if (options.format == OutputFormat::kJson)
    context.out << dump_json(kernels_to_json(comparison, base.name, head.name)) << '\n';
  else
    write_document(context, options.format, [&](size_t width) {
      return make_kernels_document(comparison, base.name, head.name, options.shown, width);
    });
  return judge(comparison, options, context);
}

}  // namespace

const CommandSpec& kernels_command() {
  static const CommandSpec command = {
      .name = "kernels",
      .summary = "compare the machine code of GPU kernels: the same, moved, or different, and where",
      .arguments = "BASE HEAD | --base-ref COMMIT FILE",
      .description =
          "BASE and HEAD may each be a cubin, a fatbin, an object, a library, a program, or a .cu file, which nvcc "
          "compiles. No GPU is needed. A kernel is the same where every instruction is equal after registers, "
          "predicates and places of constants are renamed one to one, and where it takes the same registers and "
          "memory: "
          "such a kernel needs no timing.\n\nKernels whose bytes differ are disassembled by nvdisasm; files that are "
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
