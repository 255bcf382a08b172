#include "icount/gate/kernel_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "icount/base/error.h"
#include "icount/gate/base_build.h"
#include "icount/inputs/git_commit.h"
#include "icount/suite/labels.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// Where `folder` of the user's checkout is in the worktree.
fs::path folder_in(const GitWorktree& tree, const fs::path& folder) {
  return tree.path() / git_output(folder.empty() ? "." : folder, {"rev-parse", "--show-prefix"});
}

fs::path base_file(const GitWorktree& tree, const KernelsJob& job) { return folder_in(tree, job.folder) / job.base; }

}  // namespace

std::vector<KernelsJob> expand_kernels(const Suite& suite, const KernelsJob& usual) {
  std::vector<KernelsJob> jobs;
  for (const KernelsBenchmark& table : suite.kernels) {
    KernelsJob& job = jobs.emplace_back(usual);
    job.label = to_text(table.label);
    job.place = table.place;
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

void remove_built_kernels(const GitWorktree& tree, const std::vector<KernelsJob>& jobs) {
  for (const KernelsJob& job : jobs) GitWorktree::remove_built(folder_in(tree, job.folder), job.base);
}

void build_kernels(const GitWorktree& tree, const Suite& suite, const std::string& name,
                   const CommandContext& context) {
  for (const BuildStep& step : suite.build)
    run_build_command(step.command, folder_in(tree, step.folder), {}, name, context);
}

std::vector<Cubin> load_base_kernels(const GitWorktree& tree, const KernelsJob& job, const std::string& name) {
  return in_context(name, [&] { return load_cubins(base_file(tree, job), job.base_files); });
}

std::vector<Cubin> load_head_kernels(const KernelsJob& job) {
  return load_cubins(job.folder / job.head, job.head_files);
}

JudgedKernels judge_kernel_tables(const std::vector<KernelsJob>& jobs, const GitWorktree* tree, const std::string& name,
                                  const CommandContext& context) {
  JudgedKernels judged;
  for (const KernelsJob& job : jobs) {
    GateKernels& table = judged.tables.emplace_back(
        GateKernels{.key = job.label, .place = job.place, .limit = fmt::format("{}", fmt::join(job.fail_on, ", "))});
    if (!tree) {
      table.text = "its kernels are compared where the suite is measured with --base-ref COMMIT";
      continue;
    }
    if (!fs::exists(base_file(*tree, job))) {
      table.is_new = true;
      table.text = fmt::format("{} has no {}", name, job.base);
      continue;
    }
    try {
      KernelComparison comparison =
          compare_kernels(load_base_kernels(*tree, job, name), load_head_kernels(job),
                          {.environment = context.environment, .cancelled = context.cancelled});
      comparison.label = job.label;
      comparison.base = name;
      comparison.head = (job.folder / job.head).string();
      table.compared = true;
      table.text = kernels_sentence(comparison);
      table.kernels = comparison.pairs.size();
      table.changed = table.kernels - static_cast<size_t>(std::count_if(comparison.pairs.begin(),
                                                                        comparison.pairs.end(), is_same_code));
      table.excesses = find_kernel_excesses(comparison, job.fail_on);
      judged.comparisons.push_back(std::move(comparison));
    } catch (const Error& error) {
      if (context.cancelled && context.cancelled()) throw;
      table.text = error.what();
    }
  }
  return judged;
}

}  // namespace icount
