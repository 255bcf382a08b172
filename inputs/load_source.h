// The source of one function of a profile or a result, line by line: what `icount show --source` shows.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/file.h"
#include "icount/inputs/load_profile.h"
#include "icount/report/source_text.h"

namespace icount {

/// Of `functions` of the profile and of all their pieces, by self cost, the most first. A function whose inside is not
/// known has no lines and the reason. Source text is looked for as inputs/listing_sources.h says.
std::vector<ShownSource> load_source(const FileBytes& file, std::string_view name, const LoadedProfile& profile,
                                     size_t event, std::span<const FunctionIndex> functions);

/// The same of a saved result in the file `name`.
std::vector<ShownSource> make_source(const std::string& name, const CostGraph& graph, size_t event,
                                     std::span<const FunctionIndex> functions);

}  // namespace icount
