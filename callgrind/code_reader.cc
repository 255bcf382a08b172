#include "icount/callgrind/code_reader.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "icount/base/checked.h"
#include "icount/base/hash.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgrind/code_collector.h"
#include "icount/callgrind/parser.h"

namespace icount {
namespace {

/// What all pieces of a function share.
uint64_t key_of(std::string_view name, std::string_view object) {
  return hash64(canonical_name(name)) * 0x9E3779B97F4A7C15u + hash64(object);
}

uint64_t key_of(const CostGraph& graph, FunctionIndex f) { return key_of(graph.name(f), graph.object(f)); }

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

/// Gives the files of the rows numbers of their own.
void take_files(const StringPool& strings, ProfileCode& code) {
  std::map<std::string_view, uint32_t> number_of;
  for (const FunctionCode& function : code.functions)
    for (const CodeRow& row : function.rows) number_of.emplace(strings.view(row.file), 0);
  uint32_t next = 0;
  for (auto& [file, number] : number_of) {
    number = next++;
    code.files.emplace_back(file);
  }
  for (FunctionCode& function : code.functions)
    for (CodeRow& row : function.rows) row.file = number_of.at(strings.view(row.file));
}

}  // namespace

std::vector<FunctionIndex> costly_functions(const CostGraph& graph, double part) {
  std::unordered_map<uint64_t, int64_t> self_of;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f) {
    int64_t& sum = self_of[key_of(graph, f)];
    sum = saturating_add(sum, graph.self_of(f, 0));
  }
  std::vector<FunctionIndex> costly;
  const double least = part * static_cast<double>(graph.totals[0]);
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (const int64_t self = self_of[key_of(graph, f)]; self > 0 && static_cast<double>(self) >= least)
      costly.push_back(f);
  return costly;
}

std::shared_ptr<const ProfileCode> take_code(const std::vector<FunctionCode>& insides, const CostGraph& graph) {
  if (insides.empty()) return nullptr;
  const size_t events = graph.event_count();
  std::vector<bool> costly(graph.functions.size(), false);
  for (const FunctionIndex f : costly_functions(graph, kCostlyPart)) costly[f] = true;
  auto code = std::make_shared<ProfileCode>();
  code->events = events;
  for (const FunctionCode& one : insides) {
    if (one.function >= costly.size() || !costly[one.function] || one.self.size() != one.rows.size() * events) continue;
    int64_t self = 0;
    for (size_t r = 0; r < one.rows.size(); ++r) self = saturating_add(self, one.self[r * events]);
    if (self != graph.self_of(one.function, 0)) continue;
    FunctionCode& kept = code->functions.emplace_back(one);
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

ProfileCode read_code(std::string_view bytes, std::string_view name, const CostGraph& graph,
                      std::span<const FunctionIndex> functions,
                      const std::function<void(std::string_view piece)>& consumed) {
  std::unordered_set<uint64_t> keys;
  for (const FunctionIndex f : functions) keys.insert(key_of(graph, f));
  ProfileCode code{.events = graph.event_count()};
  if (keys.empty()) return code;
  CodeCollector collector(
      [&](std::string_view function, std::string_view object) { return keys.contains(key_of(function, object)); });
  ParseOptions options;
  options.code = &collector;
  options.consumed = consumed;
  options.accept_wrong_totals = true;  // the first read judged them
  const Profile profile = parse_profile(bytes, name, options);
  const std::vector<FunctionIndex> map = map_functions(profile, graph);
  for (FunctionCode& function : collector.take()) {
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
