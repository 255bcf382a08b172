// From nested definitions to a flat list: keys along the way are joined to one label per benchmark, in the order in
// which they were written. The step before suite/expand.h.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "icount/suite/definitions.h"
#include "icount/suite/grouped.h"

namespace icount {

/// "Pointwise / Math / add".
std::string to_text(const Label& label);

/// Both paths, one behind the other.
Label joined(Label label, const Label& further);

struct FlatDefinition {
  Label label;
  std::variant<TimerArgs, GroupedBenchmark, ProgramTask, BenchTask> value;
  Place place;
};

/// All leaves depth first, variant blocks opened. Problems of the leaves, empty labels and labels that occur twice are
/// added to `problems`; the result is then not to be used.
std::vector<FlatDefinition> flatten(const Definitions& definitions, Problems& problems);

}  // namespace icount
