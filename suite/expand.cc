#include "icount/suite/expand.h"

#include <fmt/format.h>

#include "icount/base/hash.h"
#include "icount/suite/labels.h"

namespace icount {
namespace {

/// Says how suite/script_models.py makes a file of a source; files made otherwise have other names.
constexpr std::string_view kHowSaved = "seed 0, hash seed 0, module named by source, no places";

std::string artifact_name(const Label& label) {
  std::string name = fmt::format("{}", fmt::join(label, "_"));
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    bool kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    if (!kept) c = '_';
  }
  return name;
}

/// Expands one definition; remembers what its variants share.
class Expander {
 public:
  Expander(const FlatDefinition& flat, const GroupedBenchmark& grouped, const ExpandOptions& options)
      : flat_(flat), grouped_(grouped) {
    const bool scripts = options.torchscript && grouped.torchscript && !grouped.py_model_setup.empty();
    if (!scripts) return;
    jit_ = true;
    if (!grouped.inferred_model_setup) artifact_ = make_artifact(options);
  }

  void expand_into(std::vector<Benchmark>& result) const {
    for (RuntimeMode runtime : {RuntimeMode::kEager, RuntimeMode::kJit}) {
      if (runtime == RuntimeMode::kJit && !jit_) continue;
      for (AutogradMode autograd : {AutogradMode::kForward, AutogradMode::kForwardBackward}) {
        if (autograd == AutogradMode::kForwardBackward && !grouped_.autograd) continue;
        for (AutoLanguage language : {AutoLanguage::kPython, AutoLanguage::kCpp}) {
          expand_threads({runtime, autograd, language}, result);
        }
      }
    }
  }

 private:
  ModelArtifact make_artifact(const ExpandOptions& options) const {
    ModelArtifact artifact;
    artifact.name = artifact_name(flat_.label);
    artifact.py_source = join_code(grouped_.setup.py_setup, grouped_.py_model_setup);
    std::string hash = content_hash(options.model_identity + '\0' + artifact.py_source + '\0' + std::string(kHowSaved));
    artifact.path = options.model_dir / fmt::format("{}-{}.pt", artifact.name, hash);
    return artifact;
  }

  void expand_threads(const AutoLabels& labels, std::vector<Benchmark>& result) const {
    std::string stmt = statement(labels);
    if (stmt.empty()) return;
    Benchmark benchmark{.label = flat_.label, .autolabels = labels, .place = flat_.place};
    const bool jit = labels.runtime == RuntimeMode::kJit;
    const bool python = labels.language == AutoLanguage::kPython;
    benchmark.timer_args.stmt = stmt;
    benchmark.timer_args.setup = jit ? jit_setup(labels, stmt) : eager_setup(python);
    benchmark.timer_args.global_setup = global_setup(labels);
    benchmark.timer_args.language = python ? Language::kPython : Language::kCpp;
    if (jit) benchmark.model = artifact_;
    for (int threads : grouped_.num_threads) {
      benchmark.timer_args.num_threads = threads;
      result.push_back(benchmark);
    }
  }

  std::string statement(const AutoLabels& labels) const {
    if (labels.runtime == RuntimeMode::kJit) return model_invocation(grouped_.signature, labels);
    std::string stmt = labels.language == AutoLanguage::kPython ? grouped_.py_fwd_stmt : grouped_.cpp_fwd_stmt;
    if (stmt.empty() || labels.autograd != AutogradMode::kForwardBackward) return stmt;
    return stmt + "\n" + backward_call(grouped_.signature.output, labels);
  }

  std::string eager_setup(bool python) const {
    // A derived function is there for TorchScript only; the eager statement doesn't call it.
    if (python) return join_code(grouped_.setup.py_setup, grouped_.inferred_model_setup ? "" : grouped_.py_model_setup);
    return join_code(grouped_.setup.cpp_setup, grouped_.cpp_model_setup);
  }

  std::string jit_setup(const AutoLabels& labels, const std::string& stmt) const {
    const bool python = labels.language == AutoLanguage::kPython;
    std::string model;
    if (artifact_) {
      model = python ? py_loaded_model(artifact_->path.string()) : cpp_loaded_model(artifact_->path.string());
    } else {
      model = python ? py_compiled_model(grouped_.py_model_setup) : cpp_compiled_model(grouped_.py_model_setup);
    }
    std::string setup = join_code(python ? grouped_.setup.py_setup : grouped_.setup.cpp_setup, model);
    return join_code(setup, warm_up(stmt, labels.language));
  }

  std::string global_setup(const AutoLabels& labels) const {
    if (labels.language == AutoLanguage::kPython) return {};
    if (labels.runtime == RuntimeMode::kJit) return join_code(jit_global_setup(), grouped_.setup.global_setup);
    return grouped_.setup.global_setup;
  }

  const FlatDefinition& flat_;
  const GroupedBenchmark& grouped_;
  bool jit_ = false;
  std::optional<ModelArtifact> artifact_;
};

Benchmark pass_through(const FlatDefinition& flat, const TimerArgs& timer_args) {
  AutoLabels labels{RuntimeMode::kExplicit, AutogradMode::kExplicit, AutoLanguage::kCpp};
  if (timer_args.language == Language::kPython) labels.language = AutoLanguage::kPython;
  return {.label = flat.label, .autolabels = labels, .timer_args = timer_args, .place = flat.place};
}

/// Of a program or a benchmark binary, without it.
Benchmark explicit_benchmark(const FlatDefinition& flat) {
  const AutoLabels labels{RuntimeMode::kExplicit, AutogradMode::kExplicit, AutoLanguage::kProgram};
  return {.label = flat.label, .autolabels = labels, .place = flat.place};
}

/// What reports show for the benchmark: its label and the autolabels that are no default.
Label shown_label(const Benchmark& benchmark) {
  Label label = benchmark.label;
  if (!benchmark.is_statement()) return label;
  if (benchmark.autolabels.runtime == RuntimeMode::kJit) label.emplace_back(to_text(RuntimeMode::kJit));
  if (benchmark.autolabels.autograd == AutogradMode::kForwardBackward)
    label.emplace_back(to_text(AutogradMode::kForwardBackward));
  label.emplace_back(to_text(benchmark.autolabels.language));
  return label;
}

}  // namespace

std::vector<Benchmark> materialize(const Definitions& definitions, const ExpandOptions& options, Problems& problems) {
  std::vector<Benchmark> result;
  std::vector<FlatDefinition> flat = flatten(definitions, problems);
  if (!problems.empty()) return result;
  for (const FlatDefinition& entry : flat) {
    if (const auto* timer_args = std::get_if<TimerArgs>(&entry.value)) {
      result.push_back(pass_through(entry, *timer_args));
    } else if (const auto* program = std::get_if<ProgramTask>(&entry.value)) {
      result.emplace_back(explicit_benchmark(entry)).program = *program;
    } else if (const auto* bench = std::get_if<BenchTask>(&entry.value)) {
      result.emplace_back(explicit_benchmark(entry)).bench = *bench;
    } else {
      Expander(entry, std::get<GroupedBenchmark>(entry.value), options).expand_into(result);
    }
  }
  for (size_t i = 0; i < result.size(); ++i) {
    result[i].timer_args.label = shown_label(result[i]);
    result[i].position = i;
  }
  return result;
}

std::vector<Benchmark> materialize(const Definitions& definitions, const std::string& name,
                                   const ExpandOptions& options) {
  Problems problems;
  std::vector<Benchmark> result = materialize(definitions, options, problems);
  problems.throw_if_any(name);
  return result;
}

}  // namespace icount
