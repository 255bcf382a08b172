// Where an object lay in memory when its code was recorded: profiles say addresses, not where objects were loaded.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/callgraph/function_code.h"
#include "icount/harness/elf_symbols.h"

namespace icount {

/// The functions of an object by the last bits of their addresses: objects are loaded at whole pages, which leaves
/// these alone.
class FunctionsByOffset {
 public:
  /// `object` outlives it.
  explicit FunctionsByOffset(const ElfSymbols& object);
  /// Those that may lie at an address in memory.
  std::span<const ElfSymbol* const> find(uint64_t address) const;

 private:
  std::vector<const ElfSymbol*> functions_;
  std::vector<size_t> begins_;  ///< by offset, of functions_
};

/// What was added to the addresses of `object`, by where its functions were entered and where its symbols are; nullopt
/// where no function lies at its symbol.
std::optional<uint64_t> find_load_bias(const CostGraph& graph, const ProfileCode& code, std::string_view object,
                                       const FunctionsByOffset& functions);

}  // namespace icount
