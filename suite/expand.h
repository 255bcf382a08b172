// Expansion (PyTorch's materialize): definitions become the list of benchmarks to run, each with its own
// statement, set-up and labels, in an order that is part of the suite's identity. After suite/labels.h; next is
// suite/work_order.h.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "icount/suite/definitions.h"
#include "icount/suite/grouped.h"

namespace icount {

/// A model that only Python can script (an nn.Module): it must be saved to `path` before the benchmark runs.
/// All variants of a label share one.
struct ModelArtifact {
  std::string name;            ///< the label as a file name: lower case, "_" for everything but a-z, 0-9 and _
  std::string py_source;       ///< Python that leaves the module in `model`
  std::filesystem::path path;  ///< ExpandOptions::model_dir / "NAME-HASH.pt"; the hash covers source and identity
  bool operator==(const ModelArtifact&) const = default;
};

/// One benchmark: what PyTorch calls (label, AutoLabels, TimerArgs).
struct Benchmark {
  Label label;
  AutoLabels autolabels;
  TimerArgs timer_args;  ///< its `label` is filled with ours and the autolabels that say something
  std::optional<ModelArtifact> model;
  std::optional<ProgramTask> program;  ///< then timer_args holds nothing but the label
  std::optional<BenchTask> bench;      ///< likewise
  Place place;
  size_t position = 0;  ///< in the whole suite, from 0

  bool is_statement() const { return !program && !bench; }
};

struct ExpandOptions {
  bool torchscript = true;          ///< false: no TorchScript variants at all (PyTorch's later 147 cases)
  std::filesystem::path model_dir;  ///< where artifacts are to lie
  std::string model_identity;       ///< what else a saved module depends on (the torch of the Python that saves it)
};

/// Per label: eager before TorchScript, forward before backward, Python before C++, then thread counts. Explicit
/// TimerArgs pass through. Throws Error{kMalformed} with every problem of `definitions`; `name` is the suite's, for the
/// message.
std::vector<Benchmark> materialize(const Definitions& definitions, const std::string& name,
                                   const ExpandOptions& options = {});

/// The same with the problems added to `problems`; the result is then not to be used.
std::vector<Benchmark> materialize(const Definitions& definitions, const ExpandOptions& options, Problems& problems);

}  // namespace icount
