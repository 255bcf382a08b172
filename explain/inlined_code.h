// Which inlined functions the code of an opened function belongs to, where its object's debug information was at hand
// (ProfileCode::inlined): the parts of a region's self cost, the function that a loop is written in. Works on
// explain/opened_function.h.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "icount/explain/explain.h"
#include "icount/explain/opened_function.h"

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

/// The innermost inlined function, 1 + index into ProfileCode::inlined, in which nearly all of a loop is executed; 0:
/// the function itself, or not known.
uint32_t inlined_around(const FunctionShape& shape, uint32_t loop, const ProfileCode& code);
/// The same of the code of a loop that is in no loop inside it.
uint32_t inlined_around_own(const FunctionShape& shape, uint32_t loop, const ProfileCode& code);

/// A part of what a region costs per time that it is run.
struct InlinedPart {
  std::vector<std::string_view> path;  ///< names from the outermost inlined function inwards; empty: all the rest
  CauseInlined function;               ///< the innermost; without a name for the rest
  uint64_t call_line = 0;              ///< of the call of OpenedFunction::frame_to_name(); 0: several, or not known
  std::array<long double, 2> cost{};   ///< per time, base and head
  std::vector<CauseLine> lines;        ///< that changed, the most first
};

/// Self cost of a region by inlined functions that make up a tenth of its change or more, each without those of them
/// that are inside it, and the rest; they add up to `own_cost`. Empty where no inlined function does, or where parts
/// cancel, and where a side does not know them. `times`: how often each side runs the region.
std::vector<InlinedPart> split_by_inlined(const OpenedFunction& opened, uint32_t region,
                                          const std::array<long double, 2>& times,
                                          const std::array<long double, 2>& own_cost);

}  // namespace icount
