#include "icount/suite/python_torch.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/process.h"
#include "icount/base/text.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr Seconds kProbeLimit{60};  // importing torch takes seconds on a cold disk

/// VENV/bin/python3 for VENV itself and for VENV/lib/pythonX.Y/site-packages/torch; empty when there is none.
std::string python_beside(const fs::path& torch_dir) {
  if (fs::exists(torch_dir / "pyvenv.cfg") && fs::exists(torch_dir / "bin/python3"))
    return (torch_dir / "bin/python3").string();
  for (fs::path dir = torch_dir; dir.has_relative_path(); dir = dir.parent_path()) {
    if (dir.filename() != "lib") continue;
    fs::path python = dir.parent_path() / "bin/python3";
    if (fs::exists(python)) return python.string();
  }
  return {};
}

std::string choose_python(const ToolchainOptions& options, const Environment& environment) {
  if (!options.python.empty()) return options.python;
  if (!options.torch_dir.empty()) {
    if (std::string beside = python_beside(fs::absolute(options.torch_dir).lexically_normal()); !beside.empty())
      return beside;
  }
  if (auto venv = environment.get("VIRTUAL_ENV"); venv && !venv->empty()) return *venv + "/bin/python3";
  return "python3";
}

}  // namespace

std::variant<PythonTorch, std::string> probe_python_torch(const ToolchainOptions& options,
                                                          const Environment& environment) {
  const std::string python = choose_python(options, environment);
  ProcessSpec spec;
  spec.argv = {python, "-c", "import sys, torch; print(sys.executable); print(torch.__version__)"};
  spec.environment = environment.block();
  spec.time_limit = kProbeLimit;
  try {
    ProcessOutcome outcome = run_process(spec);
    std::vector<std::string_view> lines = split_lines(outcome.output);
    if (outcome.ok() && lines.size() >= 2) return PythonTorch{fs::path(lines[0]), std::string(lines[1])};
    std::string why = last_line(outcome.errors);
    return fmt::format("{} has no torch ({}); name a Python that has one with --python", python,
                       why.empty() ? describe_end(outcome) : why);
  } catch (const Error& error) {
    return fmt::format("{}; name a Python that has torch with --python", error.what());
  }
}

}  // namespace icount
