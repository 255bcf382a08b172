// Two sets of cubins, kernel by kernel and architecture by architecture: the same machine code, moved, different, or on
// one side only. Told by `icount kernels`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "icount/harness/environment.h"
#include "icount/kernels/cubin.h"
#include "icount/kernels/occupancy.h"
#include "icount/kernels/sass.h"

namespace icount {

enum class KernelState { kSame, kMoved, kDiffers, kOnlyBase, kOnlyHead };

std::string_view to_text(KernelState state);

/// How much of what a kernel has; instructions are those in the file, each once.
struct KernelFacts {
  int64_t instructions = 0;
  int64_t registers = 0, shared_bytes = 0, local_bytes = 0;
  int64_t max_threads = 0;  ///< 0: not said
  std::optional<Occupancy> occupancy;
  std::map<SassClass, int64_t> classes;  ///< none where it was not disassembled
};

/// A loop of one side, or of both where they are at one place.
struct KernelLoop {
  SourceLine place;
  int depth = 1;
  std::optional<std::map<SassClass, int64_t>> base, head;
};

/// A row of the listing: what is on one side only stands alone.
struct ListedSass {
  std::string base, head;
  SourceLine place;  ///< head's, else base's
};

struct KernelPair {
  std::string arch;
  std::string name, base_name;  ///< demangled; base_name only where it is another one
  std::string symbol;           ///< head's, else base's, as the linker knows it
  std::string base_symbol;      ///< where it is another one
  KernelState state = KernelState::kDiffers;
  bool identical = false;            ///< byte for byte
  bool renamed = false;              ///< registers, predicates or places of constants
  bool rescheduled = false;          ///< it differs in scheduling alone
  std::vector<std::string> reasons;  ///< why it differs
  std::optional<KernelFacts> base, head;
  std::vector<KernelLoop> loops;    ///< of what differs
  std::vector<ListedSass> listing;  ///< of what was asked for
};

struct KernelComparison {
  std::vector<KernelPair> pairs;  ///< by state (what differs first), architecture and name
  std::vector<std::string> notes;
};

struct CompareKernelsOptions {
  std::vector<std::string> open;  ///< kernels to list, by a part of their names
  Environment environment;
  std::function<bool()> cancelled;
};

/// Error{kCannotJudge} where no architecture is on both sides. Error{kTool} where nvdisasm is needed and missing.
KernelComparison compare_kernels(const std::vector<Cubin>& base, const std::vector<Cubin>& head,
                                 const CompareKernelsOptions& options);

}  // namespace icount
