// The second, selective read of a profile: what happens inside chosen functions. The first read (parser.h) adds costs
// up by function and knows nothing of addresses; this one keeps rows by address, jumps and call sites, and only for the
// functions that are looked into, so that the others are read as fast as ever.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/string_pool.h"
#include "icount/callgraph/cost_graph.h"
#include "icount/callgraph/function_code.h"
#include "icount/callgrind/profile.h"

namespace icount {

/// Functions are looked into from this part of all cost on: one of a hundredth of the cost may have been so cheap
/// before.
inline constexpr double kCostlyPart = 0.0001;

/// For each function whether it, with all its pieces in the same object, costs something and at least `part` of
/// `total`; `self` is its own cost.
std::vector<bool> find_costly(std::span<const Function> functions, const StringPool& strings,
                              std::span<const int64_t> self, int64_t total, double part);

/// The same of a graph's functions, for its first event, in the order of the graph.
std::vector<FunctionIndex> costly_functions(const CostGraph& graph, double part);

// Gathers what a profile says inside chosen functions while it is read: rows by address, jumps and call sites. Handed
// to the parser by ParseOptions::code.

class CodeCollector {
 public:
  /// `wanted(name, object)`: whether a function's inside is kept. Asked once per function.
  explicit CodeCollector(std::function<bool(std::string_view name, std::string_view object)> wanted)
      : wanted_(std::move(wanted)) {}

  /// Keeps the inside of functions[f] for which it is true. Who enters them is told by add_entry.
  explicit CodeCollector(const std::vector<bool>& functions) : told_entries_(true) {
    for (const bool is_wanted : functions) wishes_.push_back(is_wanted ? Wish::kYes : Wish::kNo);
  }

  /// The part whose body begins now; one without Ir, or with other events than those before, has no inside.
  void start_part(const ProfilePart& part);

  bool wants(const Profile& profile, FunctionIndex function);

  // Each is called for wanted functions only: of a jump or a call, where one of the two is wanted.
  void add_row(FunctionIndex function, StringId file, uint64_t address, uint64_t line, std::span<const int64_t> costs);
  void add_jump(const Profile& profile, FunctionIndex function, CodeJump jump);
  void add_call(const Profile& profile, FunctionIndex caller, CodeCall call, std::span<const int64_t> costs);

  /// The function is one of those wanted.
  void add_entry(FunctionIndex function, const CodeEntry& entry) {
    if (usable_) code_of(function).entries.push_back(entry);
  }
  void tell_of_jumps() { has_jumps_ = true; }

  /// What was gathered since the last call, with the profile's own indices and StringIds as files.
  std::vector<FunctionCode> take();

  /// False where parts contradict each other or no jump was recorded: nothing that was taken is to be used.
  bool has_insides() const { return usable_ && has_jumps_; }

  /// The columns of what was taken; those of a profile may be more, where a part has no body.
  const std::vector<std::string>& events() const { return events_; }

 private:
  FunctionCode& code_of(FunctionIndex function);

  std::function<bool(std::string_view, std::string_view)> wanted_;
  enum class Wish : uint8_t { kUnknown, kNo, kYes };
  std::vector<Wish> wishes_;     // by function
  std::vector<uint32_t> place_;  // by function: its code's, plus 1
  std::vector<FunctionCode> found_;
  std::vector<std::string> events_;
  size_t executions_at_ = 0;  // column of Ir
  bool usable_ = true, has_jumps_ = false;
  bool told_entries_ = false;  // add_call and add_jump leave them out
};

/// What `insides` (ProfilePart::code, in terms of the graph) say inside the functions of the graph that are at least
/// `part` of the total of the first event (0: all); null where that is nothing. Functions of which they have not all
/// costs that the graph has are left out.
std::shared_ptr<const ProfileCode> take_code(std::vector<FunctionCode> insides, const CostGraph& graph, double part);

/// Leaves the code of costly functions alone, and the names that they need: of a sum, whose parts keep all.
void keep_costly_code(CostGraph& graph);

/// The same, and the code of functions of which source lines are known, whatever they cost.
void keep_code_of_sources(CostGraph& graph);

/// Functions that are costly or whose source lines are known, in the order of the graph.
std::vector<FunctionIndex> functions_with_sources(const CostGraph& graph);

/// The inside of `functions` and of their other pieces in the same object, with the indices of `graph`, which was made
/// from the same bytes. Empty where the profile has no addresses, no Ir or no jumps. Error{kMalformed} as the parser's;
/// `consumed` as in ParseOptions.
ProfileCode read_code(std::string_view bytes, std::string_view name, const CostGraph& graph,
                      std::span<const FunctionIndex> functions,
                      const std::function<void(std::string_view piece)>& consumed = {});

}  // namespace icount
