// Which inlined functions the code of an opened function belongs to, where its object's debug information was at hand
// (ProfileCode::inlined): the parts of a region's self cost, the function that a loop is written in. Works on
// explain/inside/opened_function.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "icount/explain/explain.h"
#include "icount/explain/inside/opened_function.h"
#include "icount/explain/match/folded_graph.h"

namespace icount {

/// Finds the inlined functions that debug information has of a function of the profile: by its symbol, or by the last
/// part of its name where no symbol is known.
class InlinedNames {
 public:
  explicit InlinedNames(const ProfileCode& code);
  /// By CodeRow::inlined: whether such code is inside of a function that the profile has under `name`, at any depth.
  std::vector<bool> inside(std::string_view name) const;

 private:
  const ProfileCode& code_;
  std::unordered_map<std::string, std::vector<uint32_t>> by_symbol_, by_last_word_;
};

/// Numbers of the inlined functions around code, 1 + index into ProfileCode::inlined, from the outermost to `inlined`;
/// empty for 0.
std::vector<uint32_t> inlined_chain(const ProfileCode& code, uint32_t inlined);

/// A part of what a region costs per time that it is run.
struct InlinedPart {
  std::vector<std::string_view> path;  ///< names from the outermost inlined function inwards; empty: all the rest
  CauseInlined function;               ///< the innermost; without a name for the rest
  uint64_t call_line = 0;              ///< of the call of OpenedFunction::frame_to_name(); 0: several, or not known
  bool is_of_library = false;          ///< that function is a library's
  std::array<long double, 2> cost{};   ///< per time, base and head
  std::vector<CauseLine> lines;        ///< that changed, the most first
};

/// Self cost of a region by inlined functions that make up a tenth of its change or more, each without those of them
/// that are inside it, and the rest; they add up to `own_cost`. Empty where no inlined function does, or where parts
/// cancel, and where a side does not know them. `times`: how often each side runs the region.
std::vector<InlinedPart> split_by_inlined(const OpenedFunction& opened, uint32_t region,
                                          const std::array<long double, 2>& times,
                                          const std::array<long double, 2>& own_cost);

// Where in its caller an inlined function's code is: inside which loop. Read from debug information beside the
// profile's code (ProfileCode::inlined); explain/inside/function_opening tells it with the inlining move.

/// The innermost loop of a side's folded function that holds nearly all that the code inlined from `callee` costs
/// there; nothing where no loop does, or where it is not known. `calls`: that the inlined code stands for; a loop that
/// is entered once for each is the callee's own.
std::optional<CauseLoop> find_inlined_loop(const FoldedGraph& side, const ProfileCode& code, uint32_t caller,
                                           std::string_view callee, int64_t calls);

/// Places a cause of CauseKind::kInlined in the loop, where it is known that its callee was inlined.
void place_in_loop(Cause& cause, const CauseLoop& loop);

// Which inlined function the calls of a callee come from inside an opened function: "`main` now calls `malloc`, in
// `Config::Config(Config const&)` (inlined at line 34)". Between explain/inside/opened_function.h and the sentences on
// calls (inside_causes, function_opening).

/// Where calls of `callee` (a node of the condensed graph) come from that one side makes more often, or all of them
/// where both make as many: the inlined function that nine tenths of these are in. Of several around them it is the
/// one that frame_to_name() picks. Its `file` is that of its declaration, its `line` that of the call it stands for.
/// `region`: calls in that region alone, and no inlined function around its loop; nothing: all calls.
/// Nothing where they are the function's own, of several inlined functions, or where it is not known.
std::optional<CauseInlined> inlined_around_calls(const OpenedFunction& opened, const CalleeNodes& of_callee,
                                                 uint32_t callee, std::optional<uint32_t> region = std::nullopt);

/// Where `callee` is called in a region: the line, of the head where that has it, on which most of these calls came or
/// went, or most of them are where both sides make as many. Line 0: not known.
LineKey line_of_calls(const OpenedFunction& opened, const CalleeNodes& of_callee, uint32_t callee, uint32_t region);

}  // namespace icount
