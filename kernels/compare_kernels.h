// Two sets of cubins, kernel by kernel and architecture by architecture: the same machine code, moved, different, or on
// one side only. Told by `icount kernels` and `icount gate`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
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
  bool opened = false;              ///< by its name
  std::vector<ListedSass> listing;  ///< of what was opened, and of as many others as were asked for
};

struct KernelComparison {
  std::string label;              ///< of a [[kernels]] table; empty: none
  std::string base, head;         ///< what was compared, for a reader
  std::vector<KernelPair> pairs;  ///< by state (what differs first), name and architecture
  std::vector<std::string> notes;
};

struct CompareKernelsOptions {
  std::vector<std::string> open;  ///< kernels to list, by a part of their names
  size_t list_changed = 0;        ///< so many others that differ are listed as well
  bool pair_lone = false;         ///< two kernels that are alone on their sides are a pair, whatever their names
  Environment environment;
  std::function<bool()> cancelled;
};

/// Error{kCannotJudge} where no architecture is on both sides. Error{kTool} where nvdisasm is needed and missing.
KernelComparison compare_kernels(const std::vector<Cubin>& base, const std::vector<Cubin>& head,
                                 const CompareKernelsOptions& options);

/// "5 kernels for sm_90: 2 differ, 1 is in head only, 2 have the same machine code".
std::string kernels_sentence(const KernelComparison& comparison);

/// Whether a pair runs the same instructions.
bool is_same_code(const KernelPair& pair);

/// What `fail_on` may hold.
inline constexpr std::string_view kKernelLimits[] = {"differs", "registers", "spills"};

/// "`total(float*)` for sm_90: 10 registers became 31": what `fail_on` does not allow, of each kernel in the order of
/// the pairs.
std::vector<std::string> find_kernel_excesses(const KernelComparison& comparison, const std::set<std::string>& fail_on);

}  // namespace icount
