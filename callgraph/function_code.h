// What a profile recorded inside functions: executions by address, jumps and call sites, as Callgrind writes them with
// --dump-instr=yes --collect-jumps=yes. The callgrind reader fills it for chosen functions (callgrind/code_reader.h);
// shapes/ makes blocks and loops of it. Kept beside a cost graph (callgraph/cost_graph.h), whose indices it uses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "icount/callgraph/cost_graph.h"

namespace icount {

/// A function that the cost graph does not have: the target of a jump that costs nothing there.
inline constexpr FunctionIndex kUnknownFunction = ~FunctionIndex{0};

/// One instruction; line 0 is unknown.
struct CodeRow {
  uint64_t address = 0;
  uint32_t file = 0;  ///< index into ProfileCode::files
  uint64_t line = 0;
  int64_t executions = 0;  ///< Ir; a repeated instruction counts each repetition
  uint32_t inlined = 0;    ///< 1 + index into ProfileCode::inlined: the innermost; 0: the function's own, or not known
};

/// Jumps that were followed. Those to another function are no calls: the other function goes on in this one's place.
struct CodeJump {
  uint64_t from = 0;
  FunctionIndex to_function = 0;
  uint64_t to = 0;
  int64_t followed = 0;
};

struct CodeCall {
  uint64_t from = 0;
  FunctionIndex callee = 0;
  uint64_t to = 0;
  int64_t calls = 0;
};

/// Control that comes from another function, by a call or by a jump that is none.
struct CodeEntry {
  uint64_t to = 0;
  FunctionIndex from_function = 0;
  bool by_jump = false;
  int64_t times = 0;
};

/// All that was recorded inside one function of the cost graph, sorted by address, each place once.
struct FunctionCode {
  FunctionIndex function = 0;
  std::vector<CodeRow> rows;
  std::vector<int64_t> self;  ///< row-major, a number per event of the cost graph
  std::vector<CodeJump> jumps;
  std::vector<CodeCall> calls;
  std::vector<int64_t> call_costs;  ///< inclusive, as `self`, of each of `calls`; empty: not known
  std::vector<CodeEntry> entries;
};

/// A function's code inside another one, at one place of the source, as the debug information of its object has it.
struct InlinedCode {
  std::string name;        ///< as a profile has it where the object knows its symbol, else its name alone
  uint32_t file = 0;       ///< of its declaration: index into ProfileCode::files
  uint64_t line = 0;       ///< of its declaration; 0: unknown
  uint64_t call_line = 0;  ///< of the call that it stands for; 0: unknown
  uint32_t outer = 0;  ///< 1 + index of the inlined function around it, which comes before it; 0: the function itself
};

/// An object file that was at hand when its code was recorded.
struct CodeObject {
  std::string name;        ///< as the cost graph has it
  std::string path;        ///< where the file lay
  std::string identity;    ///< build id, or a hash (harness/elf_file.h); empty: not known
  uint64_t load_bias = 0;  ///< what is added to the object's own addresses
  std::string producer;    ///< compiler and options of most of its code (DW_AT_producer); empty: not known
  bool has_names = false;  ///< its rows say which inlined function they belong to
};

struct ProfileCode {
  size_t events = 1;                    ///< of the cost graph
  std::vector<std::string> files;       ///< as the profile has them
  std::vector<FunctionCode> functions;  ///< by function
  std::vector<InlinedCode> inlined;
  std::vector<CodeObject> objects;  ///< by name
};

/// Puts the places of `from` behind those of `to`; add_up_places is to follow.
void append_code(FunctionCode& to, FunctionCode from);

/// Sorts by address and adds up what has one place. Sums saturate; a function whose sums did has contradictions, and
/// its shape stays closed.
void add_up_places(FunctionCode& code, size_t events);

/// Sorts the functions.
void sort_functions(ProfileCode& code);

/// The same with function f called renumbered[f]; kUnknownFunction, or a number that two functions get, leaves out the
/// code of them, but not calls and jumps to them.
ProfileCode renumber_functions(const ProfileCode& code, const std::vector<FunctionIndex>& renumbered);

/// Without the files and inlined functions that nothing in it names.
ProfileCode drop_unused_names(ProfileCode code);

/// The code of a function; nullptr where it was not kept.
const FunctionCode* find_code(const ProfileCode& code, FunctionIndex function);

/// An object by the name that the cost graph has for it; nullptr where nothing is known of it.
const CodeObject* find_object(const ProfileCode& code, std::string_view name);

}  // namespace icount
