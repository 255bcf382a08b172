// Puts what object files say beside a profile's code, while they are at hand: which build they are, where they lay in
// memory, which inlined function an instruction belongs to. Called when measuring and when a profile is read for a
// comparison; results keep it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "icount/callgraph/cost_graph.h"
#include "icount/callgraph/function_code.h"
#include "icount/harness/elf_file.h"
#include "icount/objects/disassembly.h"
#include "icount/objects/inlined_functions.h"
#include "icount/objects/misplaced_code.h"

namespace icount {

/// The functions of an object by the last bits of their addresses: objects are loaded at whole pages, which leaves
/// these alone.
class FunctionsByOffset {
 public:
  /// `object` outlives it.
  explicit FunctionsByOffset(const ElfSymbols& object);
  /// Those that may lie at an address in memory.
  std::span<const ElfSymbol* const> find(uint64_t address) const;
  std::span<const ElfSymbol* const> all() const { return functions_; }

 private:
  std::vector<const ElfSymbol*> functions_;
  std::vector<size_t> begins_;  ///< by offset, of functions_
};

/// What was added to the addresses of `object`, by where its functions were entered and where its symbols are. A region
/// that was begun inside its only function has its entry nowhere: 0 where the code lies inside its function's symbol.
/// nullopt where no function lies at its symbol or in it.
std::optional<uint64_t> find_load_bias(const CostGraph& graph, const ProfileCode& code, std::string_view object,
                                       const FunctionsByOffset& functions);

/// A graph whose code is to be named. `recorded`: when its profile was written, where it was not just now: a file
/// changed since is another build and left out, and so is one whose lines are not the profile's.
struct CodeToName {
  CostGraph* graph = nullptr;
  std::optional<std::filesystem::file_time_type> recorded = std::nullopt;
  /// Filled in where `recorded` is: what objects/misplaced_code.h finds.
  MisplacedNames misplaced = {};
};

/// Whose code is that at an address.
enum class CodePlacing {
  kByAddress,  ///< of the function whose symbol has it
  kAsListed,   ///< of the function that the profile says
};

/// Remembers what it read of a file: repeats of one count run the same addresses.
class CodeNamer {
 public:
  explicit CodeNamer(CodePlacing placing = CodePlacing::kByAddress) : placing_(placing) {}

  /// Exchanges graph.code for one with objects and names; nothing happens where it has none. Damaged and missing files
  /// are left out.
  void name(CostGraph& graph) {
    CodeToName one{&graph};
    name(one);
  }
  void name(CodeToName& one) { name(std::span(&one, 1)); }
  /// The same of several; what they share is read once, several objects at a time.
  void name(std::span<CodeToName> graphs);

  /// Moves code to the functions that its addresses lie in (objects/misplaced_code.h), in all objects for x86-64 at
  /// hand. Returns the names of those functions. To be asked before keep_costly_code.
  std::set<std::string> place_code(CostGraph& graph);

  /// Adds the functions whose executed instructions do what objects/disassembly.h says. Of all code that the graph
  /// has; to be asked before keep_costly_code (callgrind/code_reader.h) where cheap functions count.
  void find_floating_point(const CostGraph& graph, FloatingPoint& found);

  /// Adds gcc's start-up code of -ffast-math where the program has it: it ran before any region.
  void find_fast_math(const std::string& program, FloatingPoint& found);

 private:
  struct KnownObject {
    std::optional<ElfSymbols> symbols;           ///< empty: it can't be read
    std::optional<FunctionsByOffset> functions;  ///< of symbols, where there are
    std::optional<DebugInformation> debug;       ///< once asked for
    std::string identity;
    std::optional<FunctionAreas> areas;  ///< once asked for
    std::vector<uint64_t> addresses;     ///< that `names` are of
    std::optional<DebugNames> names;
    std::optional<bool> flushes;  ///< denormals, from its start on; nullopt: not looked for yet
  };
  /// A graph's code of one object, and where that lay.
  struct LoadedObject {
    CodeToName& wanted;
    const CostGraph& graph;
    ProfileCode& code;
    const std::string& object;
    uint64_t bias = 0;
    bool may_differ = false;
  };
  using Known = std::map<std::string, KnownObject>;
  Known::iterator known(const std::string& path);
  void find_objects(CodeToName& wanted, ProfileCode& code, std::vector<LoadedObject>& found);
  std::optional<uint64_t> bias_of(const CostGraph& graph, const std::string& object, const CodeBytes& code);
  void load_names(std::span<const LoadedObject> loaded);
  void name_object(const LoadedObject& loaded);
  void find_misplaced(const LoadedObject& loaded);

  CodePlacing placing_;
  Known known_;
};

}  // namespace icount
