// The instructions of one function of a profile or a result, from its object file where that is still the build that
// was counted: what `icount show --asm` shows.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "icount/base/file.h"
#include "icount/inputs/load_profile.h"
#include "icount/report/asm_text.h"

namespace icount {

/// Of `functions` of the profile and of all their pieces, by self cost, the most first. A function whose object is gone
/// or another build has no instructions and the reason.
std::vector<ShownAssembly> load_asm(const FileBytes& file, std::string_view name, const LoadedProfile& profile,
                                    size_t event, std::span<const FunctionIndex> functions);

/// The same of a saved result, which says which build each object was.
std::vector<ShownAssembly> make_asm(const CostGraph& graph, size_t event, std::span<const FunctionIndex> functions);

}  // namespace icount
