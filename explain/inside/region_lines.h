// The source lines of an opened function's regions, what each costs, and how its loops are called. Made from
// explain/inside/opened_function.h; read by the sentences, the listing and the annotated source.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "icount/explain/explain.h"
#include "icount/explain/function_listing.h"
#include "icount/explain/inside/opened_function.h"

namespace icount {

/// What a region's lines cost per time that it is run, by line of the head (or of the base where head has none); its
/// last tests left out.
std::vector<CauseLine> lines_of_region(const OpenedFunction& opened, uint32_t region,
                                       const std::array<long double, 2>& times);

/// By region: "loop at scan.c:9-11", or "measuring loop" for what a stub makes around a statement; loops that share
/// their lines are told apart by depth or address. Empty for the body.
std::vector<std::string> loop_names(const OpenedFunction& opened);

/// The part of a block's figures that is iterations of its region: less than one for a header that ends its loop.
long double iteration_part(const OpenedFunction& opened, size_t side, uint32_t region, uint32_t block);

/// Of a block's last or first instruction; head's where it has the block. `line_of`: OpenedFunction::line_of, or
/// own_line_of.
LineKey line_of_block(const OpenedFunction& opened, uint32_t block, bool last,
                      LineKey (OpenedFunction::*line_of)(size_t, const Instruction&) const = &OpenedFunction::line_of);

// The side-by-side listing of an opened function: its body, its loops, their lines and calls, each with a figure per
// call or per iteration and the whole number behind it. Value: explain/function_listing.h.

/// `callee_names`: by number of the callee, `of_callee` as in make_inside_graph. `self` is that of the function: what
/// its shape lacks is a row of its own.
FunctionListing make_listing(const OpenedFunction& opened, const std::string& function, const BothSides& calls,
                             const BothSides& self, const CalleeNodes& of_callee,
                             const std::vector<std::string>& callee_names);

}  // namespace icount
