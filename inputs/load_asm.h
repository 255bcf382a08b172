// Views into one function. The instructions of one function of a profile or a result, from its object file where that
// is still the build that was counted: what `icount show --asm` shows.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/file.h"
#include "icount/explain/match/folded_graph.h"
#include "icount/inputs/load_profile.h"
#include "icount/report/annotated_source.h"
#include "icount/report/asm_text.h"

namespace icount {

/// Why a saved result says nothing about the inside of any function.
inline constexpr const char* kSavedWithoutInsides = "the result was saved without what happens inside functions";

/// Of `functions` of the profile and of all their pieces; a function whose inside is not known has a closed shape. By
/// self cost, the most first.
std::vector<ShownShape> load_shapes(const FileBytes& file, std::string_view name, const LoadedProfile& profile,
                                    size_t event, std::span<const FunctionIndex> functions);

/// The same of a saved result, which keeps the insides of functions of a ten-thousandth of the cost and more.
std::vector<ShownShape> make_shapes(const CostGraph& graph, size_t event, std::span<const FunctionIndex> functions);

/// Of `functions` of the profile and of all their pieces, by self cost, the most first. A function whose inside is not
/// known has no lines and the reason. Source text is looked for as inputs/listing_sources.h says.
std::vector<ShownSource> load_source(const FileBytes& file, std::string_view name, const LoadedProfile& profile,
                                     size_t event, std::span<const FunctionIndex> functions);

/// The same of a saved result in the file `name`.
std::vector<ShownSource> make_source(const std::string& name, const CostGraph& graph, size_t event,
                                     std::span<const FunctionIndex> functions);

/// Of `functions` of the profile and of all their pieces, by self cost, the most first. A function whose object is gone
/// or another build has no instructions and the reason.
std::vector<ShownAssembly> load_asm(const FileBytes& file, std::string_view name, const LoadedProfile& profile,
                                    size_t event, std::span<const FunctionIndex> functions);

/// The same of a saved result, which says which build each object was.
std::vector<ShownAssembly> make_asm(const CostGraph& graph, size_t event, std::span<const FunctionIndex> functions);

}  // namespace icount
