#include "icount/callgrind/code_reader.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "icount/base/checked.h"
#include "icount/base/hash.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgrind/parser.h"

namespace icount {
namespace {

/// What all pieces of a function (recursion levels, clones) share, as a number.
uint64_t piece_key(std::string_view name, std::string_view object) {
  return hash64(canonical_name(name)) * 0x9E3779B97F4A7C15u + hash64(object);
}

}  // namespace

std::vector<bool> find_costly(std::span<const Function> functions, const StringPool& strings,
                              std::span<const int64_t> self, int64_t total, double part) {
  std::unordered_map<uint64_t, int64_t> sums;
  sums.reserve(functions.size());
  std::vector<const int64_t*> sum_of;  // of all pieces, for each function
  for (size_t f = 0; f < functions.size(); ++f) {
    int64_t& sum = sums[piece_key(strings.view(functions[f].name), strings.view(functions[f].object))];
    sum = saturating_add(sum, self[f]);
    sum_of.push_back(&sum);
  }
  const double least = part * static_cast<double>(total);
  std::vector<bool> costly;
  for (const int64_t* const sum : sum_of) costly.push_back(*sum > 0 && static_cast<double>(*sum) >= least);
  return costly;
}

std::vector<FunctionIndex> costly_functions(const CostGraph& graph, double part) {
  std::vector<int64_t> self;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) self.push_back(graph.self_of(f, 0));
  const std::vector<bool> costly = find_costly(graph.functions, graph.strings, self, graph.totals[0], part);
  std::vector<FunctionIndex> found;
  for (FunctionIndex f = 0; f < costly.size(); ++f)
    if (costly[f]) found.push_back(f);
  return found;
}

void CodeCollector::start_part(const ProfilePart& part) {
  const auto executions = std::find(part.events.begin(), part.events.end(), "Ir");
  if (!part.has_addresses || executions == part.events.end() || (!events_.empty() && events_ != part.events)) {
    usable_ = false;
    return;
  }
  events_ = part.events;
  executions_at_ = static_cast<size_t>(executions - part.events.begin());
}

bool CodeCollector::wants(const Profile& profile, FunctionIndex function) {
  if (!usable_) return false;
  if (function >= wishes_.size()) wishes_.resize(function + size_t{1} + wishes_.size(), Wish::kUnknown);
  Wish& wish = wishes_[function];
  if (wish == Wish::kUnknown) {
    const Function& f = profile.functions[function];
    wish = wanted_(profile.strings.view(f.name), profile.strings.view(f.object)) ? Wish::kYes : Wish::kNo;
  }
  return wish == Wish::kYes;
}

FunctionCode& CodeCollector::code_of(FunctionIndex function) {
  if (function >= place_.size()) place_.resize(function + size_t{1}, 0);
  if (place_[function] == 0) {
    found_.emplace_back().function = function;
    place_[function] = static_cast<uint32_t>(found_.size());
  }
  return found_[place_[function] - 1];
}

void CodeCollector::add_row(FunctionIndex function, StringId file, uint64_t address, uint64_t line,
                            std::span<const int64_t> costs) {
  FunctionCode& code = code_of(function);
  code.rows.push_back({address, file, line, costs[executions_at_]});
  code.self.insert(code.self.end(), costs.begin(), costs.end());
}

void CodeCollector::add_jump(const Profile& profile, FunctionIndex function, CodeJump jump) {
  has_jumps_ = true;
  if (wants(profile, function)) code_of(function).jumps.push_back(jump);
  if (!told_entries_ && jump.to_function != function && wants(profile, jump.to_function))
    code_of(jump.to_function).entries.push_back({jump.to, function, true, jump.followed});
}

void CodeCollector::add_call(const Profile& profile, FunctionIndex caller, CodeCall call,
                             std::span<const int64_t> costs) {
  if (wants(profile, caller)) {
    FunctionCode& code = code_of(caller);
    code.calls.push_back(call);
    code.call_costs.insert(code.call_costs.end(), costs.begin(), costs.end());
  }
  if (!told_entries_ && wants(profile, call.callee))
    code_of(call.callee).entries.push_back({call.to, caller, false, call.calls});
}

std::vector<FunctionCode> CodeCollector::take() {
  for (FunctionCode& code : found_) {
    add_up_places(code, events_.size());
    place_[code.function] = 0;
  }
  return std::exchange(found_, {});
}

namespace {

/// Functions of the second read -> those of the graph, by object, file and name.
std::vector<FunctionIndex> map_functions(const Profile& profile, const CostGraph& graph) {
  const auto key = [](std::string_view name, std::string_view file, std::string_view object) {
    return hash64(name) * 3 + hash64(file) * 5 + hash64(object) * 7;
  };
  std::unordered_map<uint64_t, FunctionIndex> by_key;
  by_key.reserve(graph.functions.size());
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    by_key.emplace(key(graph.name(f), graph.file(f), graph.object(f)), f);
  std::vector<FunctionIndex> map;
  for (const Function& f : profile.functions) {
    const auto text = [&](StringId id) { return profile.strings.view(id); };
    const auto found = by_key.find(key(text(f.name), text(f.file), text(f.object)));
    map.push_back(found == by_key.end() ? kUnknownFunction : found->second);
  }
  return map;
}

/// Drops what is inside functions that are not costly.
void keep_costly(std::vector<FunctionCode>& insides, const CostGraph& graph, double part) {
  std::vector<bool> costly(graph.functions.size(), false);
  for (const FunctionIndex f : costly_functions(graph, part)) costly[f] = true;
  std::erase_if(insides,
                [&](const FunctionCode& one) { return one.function >= costly.size() || !costly[one.function]; });
}

/// Gives the files of the rows numbers of their own, by name.
void take_files(const StringPool& strings, ProfileCode& code) {
  std::vector<uint32_t> number_of(strings.size(), 0);
  for (const FunctionCode& function : code.functions)
    for (const CodeRow& row : function.rows) number_of[row.file] = 1;
  std::vector<StringId> files;
  for (StringId id = 0; id < number_of.size(); ++id)
    if (number_of[id] != 0) files.push_back(id);
  std::sort(files.begin(), files.end(), [&](StringId a, StringId b) { return strings.view(a) < strings.view(b); });
  for (const StringId id : files) {
    number_of[id] = static_cast<uint32_t>(code.files.size());
    code.files.emplace_back(strings.view(id));
  }
  for (FunctionCode& function : code.functions)
    for (CodeRow& row : function.rows) row.file = number_of[row.file];
}

}  // namespace

std::shared_ptr<const ProfileCode> take_code(std::vector<FunctionCode> insides, const CostGraph& graph, double part) {
  if (!insides.empty() && part > 0) keep_costly(insides, graph, part);
  if (insides.empty()) return nullptr;
  const size_t events = graph.event_count();
  auto code = std::make_shared<ProfileCode>();
  code->events = events;
  for (FunctionCode& one : insides) {
    if (one.function >= graph.functions.size() || one.self.size() != one.rows.size() * events) continue;
    int64_t self = 0;
    for (size_t r = 0; r < one.rows.size(); ++r) self = saturating_add(self, one.self[r * events]);
    if (self != graph.self_of(one.function, 0)) continue;
    FunctionCode& kept = code->functions.emplace_back(std::move(one));
    const auto known = [&](FunctionIndex& f) { f = f < graph.functions.size() ? f : kUnknownFunction; };
    for (CodeJump& jump : kept.jumps) known(jump.to_function);
    for (CodeCall& call : kept.calls) known(call.callee);
    for (CodeEntry& entry : kept.entries) known(entry.from_function);
  }
  if (code->functions.empty()) return nullptr;
  sort_functions(*code);
  take_files(graph.strings, *code);
  return code;
}

namespace {

/// `functions` are in the order of the graph.
void keep_code_of(const std::vector<FunctionIndex>& functions, CostGraph& graph) {
  if (!graph.code) return;
  ProfileCode code = *graph.code;
  std::erase_if(code.functions, [&](const FunctionCode& function) {
    return !std::binary_search(functions.begin(), functions.end(), function.function);
  });
  graph.code =
      code.functions.empty() ? nullptr : std::make_shared<const ProfileCode>(drop_unused_names(std::move(code)));
}

}  // namespace

void keep_costly_code(CostGraph& graph) { keep_code_of(costly_functions(graph, kCostlyPart), graph); }

std::vector<FunctionIndex> functions_with_sources(const CostGraph& graph) {
  std::vector<bool> wanted(graph.functions.size(), false);
  for (const FunctionIndex f : costly_functions(graph, kCostlyPart)) wanted[f] = true;
  for (const LineRow& row : graph.lines)
    if (row.line != 0) wanted[row.function] = true;
  std::vector<FunctionIndex> functions;
  for (FunctionIndex f = 0; f < wanted.size(); ++f)
    if (wanted[f]) functions.push_back(f);
  return functions;
}

void keep_code_of_sources(CostGraph& graph) { keep_code_of(functions_with_sources(graph), graph); }

ProfileCode read_code(std::string_view bytes, std::string_view name, const CostGraph& graph,
                      std::span<const FunctionIndex> functions,
                      const std::function<void(std::string_view piece)>& consumed) {
  std::unordered_set<uint64_t> keys;
  for (const FunctionIndex f : functions) keys.insert(piece_key(graph.name(f), graph.object(f)));
  ProfileCode code{.events = graph.event_count()};
  if (keys.empty()) return code;
  CodeCollector collector(
      [&](std::string_view function, std::string_view object) { return keys.contains(piece_key(function, object)); });
  ParseOptions options;
  options.code = &collector;
  options.consumed = consumed;
  options.accept_wrong_totals = true;  // the first read judged them
  const Profile profile = parse_profile(bytes, name, options);
  const std::vector<FunctionIndex> map = map_functions(profile, graph);
  std::vector<FunctionCode> insides = collector.take();
  if (!collector.has_insides() || collector.events() != graph.events) return code;
  for (FunctionCode& function : insides) {
    function.function = map[function.function];
    if (function.function == kUnknownFunction) continue;
    for (CodeJump& jump : function.jumps) jump.to_function = map[jump.to_function];
    for (CodeCall& call : function.calls) call.callee = map[call.callee];
    for (CodeEntry& entry : function.entries) entry.from_function = map[entry.from_function];
    code.functions.push_back(std::move(function));
  }
  sort_functions(code);
  take_files(profile.strings, code);
  return code;
}

}  // namespace icount
