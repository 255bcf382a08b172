#include "icount/suite/python_torch.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"
#include "icount/base/json.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "script_models_py.h"

namespace icount {

namespace fs = std::filesystem;

namespace {

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

namespace {

constexpr Seconds kScriptLimit{300};

/// Beside a model: its hash, so that one that was not written to its end is made again.
fs::path sum_path(const fs::path& model) { return model.string() + ".sum"; }

bool is_whole(const fs::path& model) {
  std::error_code ignored;
  return fs::exists(model, ignored) && fs::exists(sum_path(model), ignored) &&
         load_text(sum_path(model)) == content_hash(map_file(model).view());
}

/// The models that are not there yet, each once.
std::map<fs::path, const ModelArtifact*> missing_models(std::span<const Benchmark> benchmarks) {
  std::map<fs::path, const ModelArtifact*> missing;
  for (const Benchmark& benchmark : benchmarks) {
    if (benchmark.model && !is_whole(benchmark.model->path)) missing.emplace(benchmark.model->path, &*benchmark.model);
  }
  return missing;
}

void make_folder(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code)
    throw Error(ErrorKind::kIo,
                fmt::format("cannot make the folder {} for TorchScript models: {}", folder.string(), code.message()));
}

/// Fills in the answers; what has none keeps its place in `failures`.
void read_answers(std::string_view output, ModelFailures& failures) {
  for (std::string_view line : split_lines(output)) {
    if (!line.starts_with("{\"target\"")) continue;  // a model's own print
    Json answer = parse_json(line, "answer of script_models.py");
    auto failure = failures.find(fs::path(answer["target"].get<std::string>()));
    if (failure == failures.end()) continue;
    if (!answer["error"].is_null()) {
      failure->second = "Python could not script the model: " + answer["error"].get<std::string>();
    } else if (!fs::exists(failure->first)) {
      failure->second = "Python reported that it scripted the model, but did not write " + failure->first.string();
    } else {
      save_file(sum_path(failure->first), content_hash(map_file(failure->first).view()));
      failures.erase(failure);
    }
  }
}

}  // namespace

ModelFailures save_models(std::span<const Benchmark> benchmarks, const PythonTorch& python,
                          const Environment& environment, const std::function<bool()>& cancelled) {
  ModelFailures failures;
  auto missing = missing_models(benchmarks);
  if (missing.empty()) return failures;
  ScratchDir scratch("icount-models");
  Json request = Json::array();
  for (const auto& [path, model] : missing) {
    make_folder(path.parent_path());
    // The module's name becomes part of what is saved: it may not depend on which other models are missing.
    std::string file = (scratch.path() / fmt::format("model_{}.py", content_hash(model->py_source))).string();
    request.push_back({{"source", model->py_source}, {"file", file}, {"target", path.string()}});
  }
  ProcessSpec spec;
  spec.argv = {python.python.string(), "-c", std::string(script_models_py())};
  std::vector<std::string> block = environment.block();
  std::erase_if(block, [](const std::string& entry) { return entry.starts_with("PYTHONHASHSEED="); });
  block.emplace_back("PYTHONHASHSEED=0");  // the order of sets is part of what is saved
  spec.environment = std::move(block);
  spec.input = dump_json(request, -1);
  spec.time_limit = kScriptLimit;
  spec.cancelled = cancelled;
  ProcessOutcome outcome = run_process(spec);
  std::string why = fmt::format("scripting the model: {}: {}", describe_end(outcome), trim(outcome.errors));
  for (const auto& [path, model] : missing) failures[path] = why;
  read_answers(outcome.output, failures);
  return failures;
}

}  // namespace icount
