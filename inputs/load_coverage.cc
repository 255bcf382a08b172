#include "icount/inputs/load_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/callgraph/function_code.h"
#include "icount/counter/object_code.h"
#include "icount/harness/elf_file.h"
#include "icount/objects/disassembly.h"
#include "icount/objects/inlined_functions.h"
#include "icount/objects/misplaced_code.h"
#include "icount/shapes/code_flow.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// What is known of one executed instruction.
struct Executed {
  int64_t times = 0;
  int64_t passed = 0;  ///< went on to the next one
  uint32_t inlined = 0;
  bool has_flow = true;  ///< else `passed` is not known
};

struct FollowedJump {
  uint64_t from = 0, to = 0;
  int64_t times = 0;
};

/// One object's code, by its own addresses.
struct ObjectExecutions {
  std::map<uint64_t, Executed> at;
  std::vector<FollowedJump> jumps;  ///< by `from`
};

/// "f" of "f.cold": the same code, which lies elsewhere.
std::string_view hot_name(std::string_view name) { return name.substr(0, name.find(".cold")); }

class ObjectCoverage {
 public:
  ObjectCoverage(const CodeObject& object, ObjectExecutions executions, DebugLines lines,
                 std::set<std::string_view> unplaced)
      : unplaced_(std::move(unplaced)),
        executions_(std::move(executions)),
        table_(std::move(lines)),
        code_(object.path),
        symbols_(load_elf_symbols(object.path)),
        sources_(table_.files.size()) {
    if (symbols_.is_stripped)
      if (const fs::path separate = separate_debug_file(load_build_id(object.path)); fs::exists(separate))
        symbols_ = load_elf_symbols(separate);
    for (const std::string& file : table_.files) {
      std::error_code error;
      is_at_hand_.push_back(fs::is_regular_file(file, error));
    }
  }

  void find() {
    std::vector<CodeRange> with_lines;
    const FunctionAreas functions(symbols_);
    for (const FunctionAreas::Area& area : functions.areas())
      if (find_function(area)) with_lines.push_back({area.begin, area.end});
    for (const auto& [instance, most] : most_)
      add_to(sources_[std::get<2>(instance)].lines[std::get<3>(instance)], most);
    if (code_.machine() == EM_X86_64) find_branches(with_lines);
  }

  /// A function with lines that ran at addresses which are not known; empty: none.
  const std::string& lost() const { return lost_; }

  /// False where no source of what ran is at hand, as of a system's libraries: nothing is added.
  bool add_to_sources(std::map<std::string, CoveredSource>& all, size_t& missing) {
    const bool any =
        std::any_of(most_.begin(), most_.end(), [&](const auto& one) { return is_at_hand_[std::get<2>(one.first)]; });
    if (!any) return false;
    for (size_t f = 0; f < sources_.size(); ++f) {
      CoveredSource& found = sources_[f];
      if (found.lines.empty()) continue;
      if (!is_at_hand_[f]) {
        ++missing;
        continue;
      }
      CoveredSource& sum = all[table_.files[f]];
      sum.file = table_.files[f];
      for (const auto& [line, executions] : found.lines) add_to(sum.lines[line], executions);
      for (const auto& [name, function] : found.functions) {
        auto& known = sum.functions.try_emplace(name, function.first, 0).first->second;
        add_to(known.second, function.second);
      }
      for (auto& [line, branches] : found.branches) {
        auto& known = sum.branches[line];
        known.insert(known.end(), branches.begin(), branches.end());
      }
    }
    return true;
  }

 private:
  static void add_to(int64_t& sum, int64_t more) { sum = saturating_add(sum, more); }

  std::vector<DebugLine>::const_iterator row_behind(uint64_t address) const {
    return std::upper_bound(table_.rows.begin(), table_.rows.end(), address,
                            [](uint64_t wanted, const DebugLine& row) { return wanted < row.address; });
  }

  const DebugLine* row_at(uint64_t address) const {
    const auto behind = row_behind(address);
    if (behind == table_.rows.begin() || std::prev(behind)->line == 0) return nullptr;
    return &*std::prev(behind);
  }

  /// Of several at one address that of the line where the code begins, whichever the instruction is of.
  const DebugLine* first_row_at(uint64_t address) const {
    auto row = std::lower_bound(table_.rows.begin(), table_.rows.end(), address,
                                [](const DebugLine& one, uint64_t wanted) { return one.address < wanted; });
    while (row != table_.rows.end() && row->address == address && row->line == 0) ++row;
    return row != table_.rows.end() && row->address == address ? &*row : row_at(address);
  }

  /// Whether it has lines.
  bool find_function(const FunctionAreas::Area& area) {
    bool has_lines = false;
    for (uint64_t at = area.begin; at < area.end;) {
      const auto behind = row_behind(at);
      if (const DebugLine* const row = row_at(at)) {
        sources_[row->file].lines.try_emplace(row->line, 0);
        has_lines = true;
      }
      at = behind == table_.rows.end() ? area.end : behind->address;
    }
    if (!has_lines) return false;
    for (const ElfSymbol& symbol : area.symbols)
      if (std::string plain = valgrind_name(symbol.name); unplaced_.contains(plain)) lost_ = std::move(plain);
    const std::string& name = names_.emplace_back(area.symbols[0].name);
    if (const DebugLine* const row = first_row_at(area.begin))
      sources_[row->file].functions.try_emplace(demangle(name), row->line, calls_of(area));
    const auto end = executions_.at.lower_bound(area.end);
    for (auto one = executions_.at.lower_bound(area.begin); one != end; ++one) {
      const DebugLine* const row = row_at(one->first);
      if (!row) continue;
      int64_t& most = most_[{hot_name(name), one->second.inlined, row->file, row->line}];
      most = std::max(most, one->second.times);
    }
    return true;
  }

  std::span<const FollowedJump> jumps_from(uint64_t begin, uint64_t end) const {
    const auto at = [&](uint64_t address) {
      return std::partition_point(executions_.jumps.begin(), executions_.jumps.end(),
                                  [&](const FollowedJump& jump) { return jump.from < address; });
    };
    return {at(begin), at(end)};
  }

  /// Entered from outside: a loop may go back to its first instruction.
  int64_t calls_of(const FunctionAreas::Area& area) const {
    const auto entry = executions_.at.find(area.begin);
    if (entry == executions_.at.end()) return 0;
    int64_t calls = entry->second.times;
    for (const FollowedJump& jump : jumps_from(area.begin, area.end))
      if (jump.to == area.begin) calls -= jump.times;
    return std::max<int64_t>(calls, 0);
  }

  void find_branches(std::span<const CodeRange> ranges) {
    std::vector<uint64_t> starts;
    for (const auto& [address, one] : executions_.at) starts.push_back(address);
    for (const DebugLine& row : table_.rows) starts.push_back(row.address);
    std::sort(starts.begin(), starts.end());
    for (const uint64_t address : find_conditional_jumps(code_, ranges, starts)) {
      const DebugLine* const row = row_at(address);
      if (!row) continue;
      const auto one = executions_.at.find(address);
      if (one != executions_.at.end() && !one->second.has_flow) continue;
      CoveredBranch& branch = sources_[row->file].branches[row->line].emplace_back();
      if (one == executions_.at.end()) continue;
      branch.is_reached = true;
      branch.passed = one->second.passed;
      // icount's own counter also says jumps to the next instruction.
      const uint64_t next = address + flow_of_instruction(code_.from(address)).length;
      for (const FollowedJump& jump : jumps_from(address, address + 1))
        if (jump.to == next) branch.passed += jump.times;
      branch.jumped = one->second.times - branch.passed;
    }
  }

  std::set<std::string_view> unplaced_;
  std::string lost_;
  ObjectExecutions executions_;
  DebugLines table_;
  CodeBytes code_;
  ElfSymbols symbols_;
  std::vector<CoveredSource> sources_;  // by number of the file
  std::vector<bool> is_at_hand_;        // likewise
  std::list<std::string> names_;
  /// In each function and place where it was inlined, each file and line.
  std::map<std::tuple<std::string_view, uint32_t, uint32_t, uint64_t>, int64_t> most_;
};

/// Each function by itself. The first of those of which there is no flow goes to `closed`.
ObjectExecutions executions_of(const CostGraph& graph, const CodeObject& object, std::string& closed) {
  ObjectExecutions found;
  for (const FunctionCode& one : graph.code->functions) {
    if (graph.object(one.function) != object.name) continue;
    const FunctionCode* const piece = &one;
    const CodeFlow flow = make_code_flow(
        {&piece, 1}, graph.event_count(), 0, one.function, [](FunctionIndex f) { return f; },
        [](FunctionIndex, FunctionIndex) { return true; }, object.load_bias);
    if (!flow.closed.empty()) {
      if (closed.empty()) closed = graph.name(one.function);
      for (const CodeRow& row : one.rows) {
        Executed& executed = found.at[row.address - object.load_bias];
        executed = {saturating_add(executed.times, row.executions), 0, row.inlined, false};
      }
    }
    for (const Instruction& instruction : flow.instructions) {
      Executed& executed = found.at[instruction.address];
      executed.times = saturating_add(executed.times, instruction.executions);
      executed.passed = saturating_add(executed.passed, instruction.falls);
      executed.inlined = instruction.inlined;
    }
    for (const FlowJump& jump : flow.jumps)
      found.jumps.push_back({flow.instructions[jump.from].address, flow.instructions[jump.to].address, jump.followed});
  }
  std::sort(found.jumps.begin(), found.jumps.end(),
            [](const FollowedJump& a, const FollowedJump& b) { return a.from < b.from; });
  return found;
}

/// Else it is a system's library.
bool are_mostly_at_hand(const std::vector<std::string>& files) {
  return 2 * std::count_if(files.begin(), files.end(), [](const std::string& file) { return fs::exists(file); }) >
         static_cast<std::ptrdiff_t>(files.size());
}

/// By object, functions with costs of which the graph has no code: their lines would seem not to have run. Of code
/// without a symbol nothing is said.
std::map<std::string_view, std::set<std::string_view>> find_unplaced(const CostGraph& graph) {
  std::map<std::string_view, std::set<std::string_view>> unplaced;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (graph.self_of(f, 0) > 0 && !graph.name(f).starts_with("0x") && !find_code(*graph.code, f))
      unplaced[graph.object(f)].insert(graph.name(f));
  return unplaced;
}

}  // namespace

Coverage load_coverage(const CostGraph& graph) {
  Coverage coverage;
  std::map<std::string, CoveredSource> sources;
  auto unplaced = find_unplaced(graph);
  std::set<std::string> executed;
  for (const FunctionCode& one : graph.code->functions) executed.insert(std::string(graph.object(one.function)));
  for (const std::string& name : executed) {
    std::optional<DebugLines> lines = load_debug_lines(name);
    if (!lines) continue;
    const CodeObject* const object = find_object(*graph.code, name);
    if (!object) {
      if (are_mostly_at_hand(lines->files))
        coverage.notes.push_back(
            fmt::format("{} is left out: it has changed since, or its place in memory is not known", name));
      continue;
    }
    std::string closed;
    ObjectCoverage found(*object, executions_of(graph, *object, closed), std::move(*lines), unplaced[name]);
    found.find();
    if (!found.lost().empty()) {
      coverage.notes.push_back(fmt::format("{} is left out: some addresses of {} are not known", name, found.lost()));
      continue;
    }
    size_t missing = 0;
    if (!found.add_to_sources(sources, missing)) continue;
    if (!closed.empty())
      coverage.notes.push_back(
          fmt::format("{}: the jumps inside {} contradict its executions: its lines may be counted too often, and its "
                      "branches are left out",
                      name, closed));
    if (missing > 0)
      coverage.notes.push_back(fmt::format("{}: {} of its source files {} not here and left out", name, missing,
                                           missing == 1 ? "is" : "are"));
  }
  for (auto& [file, source] : sources) coverage.sources.push_back(std::move(source));
  return coverage;
}

}  // namespace icount
