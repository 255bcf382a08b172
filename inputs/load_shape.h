// The inside of one function of a profile as blocks and loops: what `icount show --blocks` shows.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/file.h"
#include "icount/explain/match/folded_graph.h"
#include "icount/inputs/load_profile.h"
#include "icount/report/blocks_text.h"

namespace icount {

/// Why a profile says nothing about the inside of any function.
std::string why_no_insides(const LoadedProfile& profile);
/// The same of a saved result.
inline constexpr const char* kSavedWithoutInsides = "the result was saved without what happens inside functions";
/// Why a result, which says it of others, says nothing about the inside of this folded function; empty where it does.
std::string why_not_kept(const FoldedGraph& folded, const ProfileCode& code, uint32_t function);

/// The folded functions that `functions` are pieces of, by self cost, the most first.
std::vector<uint32_t> chosen_functions(const FoldedGraph& folded, std::span<const FunctionIndex> functions);

/// Of `functions` of the profile and of all their pieces; a function whose inside is not known has a closed shape. By
/// self cost, the most first.
std::vector<ShownShape> load_shapes(const FileBytes& file, std::string_view name, const LoadedProfile& profile,
                                    size_t event, std::span<const FunctionIndex> functions);

/// The same of a saved result, which keeps the insides of functions of a thousandth of the cost and more.
std::vector<ShownShape> make_shapes(const CostGraph& graph, size_t event, std::span<const FunctionIndex> functions);

}  // namespace icount
