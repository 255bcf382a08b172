// One side of a comparison, for one event: the functions of a cost graph with their recursion levels and compiler
// clones folded into one, and the calls between them. Made from callgraph/cost_graph.h, paired up by
// explain/match/match.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"

namespace icount {

inline constexpr uint32_t kNoFunction = std::numeric_limits<uint32_t>::max();

/// All pieces of one function: `f`, `f'2`, `f.part.0`. The views point into the cost graph's strings.
struct FoldedFunction {
  std::string_view name;  ///< without level and clone tags; as it is with raw names
  std::string_view file, object;
  int64_t self = 0;
  bool is_object = false;  ///< an object in one piece, under its file's name
};

struct FoldedEdge {
  uint32_t caller = 0;
  uint32_t callee = 0;
  int64_t calls = 0;
  int64_t inclusive = 0;  ///< saturating; nested calls are counted again and again
};

/// Views into `graph`, which must outlive it. Edges are sorted by (caller, callee) and occur once; those of function f
/// are [first_edge[f], first_edge[f + 1]).
struct FoldedGraph {
  const CostGraph* graph = nullptr;
  size_t event = 0;
  std::vector<FoldedFunction> functions;
  std::vector<uint32_t> folded_of;  ///< FunctionIndex of the cost graph -> index here
  std::vector<FoldedEdge> edges;
  std::vector<uint32_t> first_edge;
  int64_t total = 0;
};

/// Whether a call from one piece of a function to another, by their clone tags, is a call of the whole function; else
/// it is a step within one invocation (`f` -> `f.part.0`).
bool begins_invocation(std::string_view caller_tags, std::string_view callee_tags);

/// An object most of whose cost is of functions with names on one side, and of such without on the other: nothing says
/// which is which, and so it is compared as one function.
struct StrippedObject {
  std::array<std::string_view, 2> objects;  ///< its path on each side
  size_t without = 0;                       ///< the side that has no names
};

/// Objects pair by file name. Sorted by path; the views are of the graphs' strings.
std::vector<StrippedObject> find_stripped_objects(const CostGraph& base, const CostGraph& head, std::string_view event);

/// Functions of one object and one canonical name are one function, unless two of them have the same symbol in
/// different files (statics): then one per file. A call from a piece to another piece of the same invocation
/// (`f` -> `f.part.0`) is dropped, a call of the whole function (`f` -> `f'2`) becomes a self edge.
/// A jump through a linkage table (callgraph/linkage_jumps.h) is a piece of what it jumps to, and the end of a function
/// that lies in another one a piece of it. With `raw_names` nothing is folded.
/// All functions of an object of `whole` are one, and calls between them none.
FoldedGraph fold_graph(const CostGraph& graph, size_t event, bool raw_names,
                       const std::set<std::string_view>& whole = {});

// Where in the source the self cost of a folded function lies: per file, and per line when the profile has lines. What
// tells that code of one function is now inside another (explain/claims/relations.h).

/// First and last line of a function in its own file; {0, 0} when unknown.
struct LineSpan {
  uint64_t first = 0;
  uint64_t last = 0;
};

/// By folded function.
std::vector<LineSpan> line_spans(const FoldedGraph& side);

/// Whether a file is none of the program's own: one that is not known ("???"), or by its
/// folder: a header of libstdc++, libc++ or another installed library, Rust's library or a package that cargo fetched,
/// OCaml's library or the C library's.
bool is_library_file(std::string_view path);
/// The same of an object: one of the system's libraries.
bool is_system_library(std::string_view path);

struct LineCost {
  std::string_view file;
  uint64_t line = 0;
  int64_t cost = 0;
  std::string_view path;  ///< of the file, as the profile has it
};

/// An index over the lines of one side. The folded graph must outlive it.
class SourceLines {
 public:
  explicit SourceLines(const FoldedGraph& side);

  bool has_lines() const { return !folded_->graph->lines.empty(); }
  LineSpan span(uint32_t function) const { return spans_[function]; }
  /// Self cost of `function` line by line, files by name (paths may differ), sorted; lines that are not known left out.
  std::vector<LineCost> lines_of(uint32_t function) const;

 private:
  const FoldedGraph* folded_;
  std::vector<LineSpan> spans_;
  std::vector<uint32_t> line_starts_, lines_;  // line rows of each folded function
};

// Where the source lines of one side lie on the other: code moves down when lines are written above it. Read off the
// functions that both sides have. Used for matching (explain/match/likeness.h) and for inlining
// (explain/claims/relations.h).

/// Files go by their names; the views must outlive this. Side 0 is base, 1 is head.
class LineShifts {
 public:
  /// Takes note of one function of both sides. One that was edited, or is under two file names, says nothing.
  void add(std::string_view base_file, LineSpan base, std::string_view head_file, LineSpan head);

  /// How far a line of side `from` lies below its place on the other side: as the nearest function above it, or where
  /// there is none, the one below.
  int64_t of(std::string_view file, uint64_t line, size_t from) const;

  enum class Place {
    kSame,      ///< moved as the known function above it, or as the one below
    kPossible,  ///< between these, but for a few lines edited in its head
    kAnother,   ///< other lines than those that the function can have moved to
  };
  /// Where a function that begins on line `head` of the head lies, for one that begins on line `base` of the base.
  Place compare(std::string_view file, uint64_t base, uint64_t head) const;

 private:
  using ByLine = std::map<uint64_t, int64_t>;

  std::array<std::map<std::string_view, ByLine>, 2> shifts_;
};

}  // namespace icount
