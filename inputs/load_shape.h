// The inside of one function of a profile as blocks and loops: what `icount show --blocks` shows.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "icount/base/file.h"
#include "icount/inputs/load_profile.h"
#include "icount/report/blocks_text.h"

namespace icount {

/// Of `functions` of the profile and of all their pieces; a function whose inside is not known has a closed shape. By
/// self cost, the most first.
std::vector<ShownShape> load_shapes(const FileBytes& file, std::string_view name, const LoadedProfile& profile,
                                    size_t event, std::span<const FunctionIndex> functions);

/// The same of a saved result, which keeps the insides of functions of a thousandth of the cost and more.
std::vector<ShownShape> make_shapes(const CostGraph& graph, size_t event, std::span<const FunctionIndex> functions);

}  // namespace icount
