// Where an object lay in memory when its code was recorded: profiles say addresses, not where objects were loaded.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "icount/callgraph/cost_graph.h"
#include "icount/callgraph/function_code.h"
#include "icount/harness/elf_symbols.h"

namespace icount {

/// What was added to the addresses of `object`, by where its functions were entered and where its symbols are; nullopt
/// where no function lies at its symbol.
std::optional<uint64_t> find_load_bias(const CostGraph& graph, const ProfileCode& code, std::string_view object,
                                       const ElfSymbols& symbols);

}  // namespace icount
