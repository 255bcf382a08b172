#include "icount/kernels/kernel_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/error.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/harness/cuda_stub.h"
#include "icount/kernels/ptx.h"
#include "icount/kernels/sass.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

bool is_wanted(const std::string& arch, const KernelFilesOptions& options) {
  return options.architectures.empty() ||
         std::find(options.architectures.begin(), options.architectures.end(), arch) != options.architectures.end();
}

ProcessOutcome run_tool(std::vector<std::string> argv, const fs::path& folder, const KernelFilesOptions& options) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.environment = options.environment.block();
  spec.working_dir = folder;
  spec.cancelled = options.cancelled;
  return run_process(spec);
}

/// Order of architectures, then of the file.
std::vector<Cubin> in_order(std::vector<Cubin> cubins) {
  std::stable_sort(cubins.begin(), cubins.end(), [](const Cubin& a, const Cubin& b) {
    return std::pair(a.arch.size(), a.arch) < std::pair(b.arch.size(), b.arch);
  });
  return cubins;
}

std::vector<Cubin> unpack_cubins(const fs::path& file, const KernelFilesOptions& options) {
  const fs::path tool = need_cuda_tool("cuobjdump", "find the kernels in " + file.string(), options.environment);
  const ScratchDir scratch;
  const ProcessOutcome outcome =
      run_tool({tool.string(), "-xelf", "all", fs::absolute(file).string()}, scratch.path(), options);
  std::vector<Cubin> cubins;
  bool has_code = false;
  for (const fs::path& one : files_below(scratch.path())) {
    if (one.extension() != ".cubin") continue;
    has_code = true;
    Cubin cubin = parse_cubin(FileBytes(load_text(one)), file.string());
    if (is_wanted(cubin.arch, options)) cubins.push_back(std::move(cubin));
  }
  if (!cubins.empty()) return cubins;
  if (has_code)
    throw Error(ErrorKind::kCannotJudge,
                fmt::format("{}: it has no code for {}", file.string(), fmt::join(options.architectures, " or ")));
  run_tool({tool.string(), "-xptx", "all", fs::absolute(file).string()}, scratch.path(), options);
  for (const fs::path& one : files_below(scratch.path()))
    if (one.extension() == ".ptx") cubins.push_back(parse_ptx(load_text(one), file.string()));
  if (!cubins.empty()) return cubins;
  if (!outcome.ok() && !last_line(outcome.errors).empty() &&
      outcome.errors.find("does not contain") == std::string::npos)
    throw Error(ErrorKind::kTool, fmt::format("{} of {} failed ({}): {}", tool.string(), file.string(),
                                              describe_end(outcome), last_line(outcome.errors)));
  throw Error(ErrorKind::kCannotJudge, fmt::format("{}: there is no machine code for a GPU in it", file.string()));
}

Cubin compile_cubin(const fs::path& file, const std::string& arch, const KernelFilesOptions& options) {
  CudaStubOptions cuda;
  cuda.nvcc = options.nvcc;
  const fs::path nvcc = probe_nvcc(cuda);
  if (nvcc.empty())
    throw Error(ErrorKind::kTool,
                fmt::format("{}: nvcc is needed to compile it, and is not installed; install the CUDA "
                            "Toolkit or name it with --nvcc",
                            file.string()));
  const ScratchDir scratch;
  const fs::path out = scratch.path() / "code.cubin";
  std::vector<std::string> argv = {nvcc.string(), "-cubin", "-lineinfo", "-arch=" + arch, "-o", out.string()};
  argv.insert(argv.end(), options.flags.begin(), options.flags.end());
  argv.push_back(file.string());
  const ProcessOutcome outcome = run_tool(argv, {}, options);
  if (!outcome.ok())
    throw Error(ErrorKind::kTool, fmt::format("{} does not compile for {} ({}):\n{}", file.string(), arch,
                                              describe_end(outcome), trim(outcome.errors)));
  return parse_cubin(FileBytes(load_text(out)), file.string());
}

}  // namespace

std::vector<Cubin> load_cubins(const fs::path& file, const KernelFilesOptions& options) {
  std::vector<Cubin> cubins;
  if (file.extension() == ".cu") {
    if (options.architectures.empty())
      throw Error(ErrorKind::kUsage,
                  fmt::format("{}: say which architecture to compile it for, as --arch sm_90", file.string()));
    for (const std::string& arch : options.architectures) cubins.push_back(compile_cubin(file, arch, options));
    return in_order(std::move(cubins));
  }
  if (file.extension() == ".ptx") {
    cubins.push_back(parse_ptx(load_text(file), file.string()));
    return cubins;
  }
  FileBytes bytes = map_file(file);
  if (!is_cubin(bytes.view())) return in_order(unpack_cubins(file, options));
  Cubin cubin = parse_cubin(std::move(bytes), file.string());
  if (!is_wanted(cubin.arch, options))
    throw Error(ErrorKind::kCannotJudge, fmt::format("{}: it has code for {}, not for {}", file.string(), cubin.arch,
                                                     fmt::join(options.architectures, " or ")));
  cubins.push_back(std::move(cubin));
  return cubins;
}

}  // namespace icount
