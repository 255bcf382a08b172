// Puts what object files say beside a profile's code, while they are at hand: which build they are, where they lay in
// memory, which inlined function an instruction belongs to. Called when measuring and when a profile is read for a
// comparison; results keep it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/callgraph/function_code.h"
#include "icount/harness/elf_symbols.h"
#include "icount/objects/inlined_functions.h"

namespace icount {

/// Remembers what it read of a file: repeats of one count run the same addresses.
class CodeNamer {
 public:
  /// Exchanges graph.code for one with objects and names; nothing happens where it has none. `recorded`: when the
  /// profile was written, where it was not just now: a file changed since is another build and left out, and so is one
  /// whose lines are not the profile's. Damaged and missing files are left out.
  void name(CostGraph& graph, std::optional<std::filesystem::file_time_type> recorded = std::nullopt);

 private:
  struct KnownObject {
    std::optional<ElfSymbols> symbols;  ///< empty: it can't be read
    std::string identity;
    std::vector<uint64_t> addresses;  ///< that `names` are of
    std::optional<DebugNames> names;
  };
  KnownObject& known(const std::string& path);
  void name_object(const CostGraph& graph, ProfileCode& code, const std::string& object, bool may_differ);

  std::map<std::string, KnownObject> known_;
};

}  // namespace icount
