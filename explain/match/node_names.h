// What functions and condensed cycles are called in an explanation's sentences. Used by explain/claims/term_causes.h.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "icount/explain/explanation_notes.h"
#include "icount/explain/flow/opened_flow.h"
#include "icount/explain/match/joined_graph.h"

namespace icount {

/// "src/init.c" of "/build/1/src/init.c".
std::string_view file_in_folder(std::string_view path);
/// "a", "b_1" and "int" of "a::b_1<int>".
std::vector<std::string_view> words_of(std::string_view name);
/// A function's name short and in backticks; an address without its zeros.
std::string quoted(std::string_view name);
/// The same, or the name as it is where the graph asks for raw names.
std::string quoted(const JoinedGraph& joined, std::string_view name);
/// Of the label of a cycle ("cycle of walk and 6 more") its named function and how many it has (7); of another one
/// itself and 1.
std::pair<std::string_view, size_t> parts_of_label(std::string_view label);
/// "`walk` (a recursion of 7 functions)": functions that call each other.
std::string recursion_through(std::string_view leader, size_t functions);
/// A label of Cause::function, caller or callee in a sentence: `walk`; as recursion_through of a cycle's.
std::string quoted_label(std::string_view label);
/// By node its function; of a cycle the one whose self cost changed most, of equals the one with most of it.
std::vector<uint32_t> leaders_of(const JoinedGraph& joined, const CondensedFlow& condensed);
/// Name of every function for sentences, in backticks: short, but no two that changed look the same. An address comes
/// with its object, a name that several have with its file.
std::vector<std::string> name_functions(const JoinedGraph& joined);
/// Name of every node for sentences: that of its function, or as recursion_through of those that call each other.
std::vector<std::string> name_nodes(const CondensedFlow& condensed, const std::vector<uint32_t>& leaders,
                                    const std::vector<std::string>& function_names);

// What matching has to say aloud before any cause: functions under other names, variants picked at run time, functions
// without names. The lines go into Explanation::notes.

struct MatchNotes {
  std::vector<ExplanationNote> notes;
  bool renames_are_summed = false;  ///< one of the notes tells the renamed functions, which need no line each
};

/// "7 functions matched under another name: `geometry` is now `solids`", "3 functions of the C library run as another
/// variant ...".
MatchNotes match_notes(const JoinedGraph& joined);

}  // namespace icount
