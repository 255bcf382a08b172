#include "icount/callgraph/function_code.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"

namespace icount {
namespace {

/// Sorts by `key` and adds `count` of equal ones up.
template <typename Place, typename Key, typename Count>
void add_up(std::vector<Place>& places, Key key, Count Place::*count) {
  std::sort(places.begin(), places.end(), [&](const Place& a, const Place& b) { return key(a) < key(b); });
  size_t kept = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    if (kept > 0 && key(places[kept - 1]) == key(places[i]))
      places[kept - 1].*count = saturating_add(places[kept - 1].*count, places[i].*count);
    else
      places[kept++] = places[i];
  }
  places.resize(kept);
  places.shrink_to_fit();
}

/// Adds up items that each have `events` costs, in the order of `is_before`. `join(item, other)`: takes the other one's
/// numbers over, if it is the same item; false: it is another.
template <typename Item, typename Less, typename Join>
void add_up_with_costs(std::vector<Item>& items, std::vector<int64_t>& costs, size_t events, Less is_before,
                       Join join) {
  std::vector<uint32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    if (is_before(items[a], items[b])) return true;
    return !is_before(items[b], items[a]) && a < b;
  });
  std::vector<Item> kept;
  std::vector<int64_t> sums;
  for (const uint32_t i : order) {
    if (kept.empty() || !join(kept.back(), items[i])) {
      kept.push_back(items[i]);
      sums.resize(sums.size() + events, 0);
    }
    for (size_t e = 0; e < events; ++e) {
      int64_t& sum = sums[sums.size() - events + e];
      sum = saturating_add(sum, costs[i * events + e]);
    }
  }
  items = std::move(kept);
  costs = std::move(sums);
}

/// An address has one line: the first one by number, whichever way it was reached.
void add_up_rows(FunctionCode& code, size_t events) {
  add_up_with_costs(
      code.rows, code.self, events,
      [](const CodeRow& a, const CodeRow& b) {
        return std::tie(a.address, a.file, a.line) < std::tie(b.address, b.file, b.line);
      },
      [](CodeRow& row, const CodeRow& other) {
        if (row.address != other.address) return false;
        if (row.line == 0) {
          row.file = other.file;
          row.line = other.line;
        }
        row.executions = saturating_add(row.executions, other.executions);
        return true;
      });
}

/// Calls with their costs, if those are known.
void add_up_calls(FunctionCode& code, size_t events) {
  const auto key = [](const CodeCall& c) { return std::tuple(c.from, c.callee, c.to); };
  if (code.call_costs.size() != code.calls.size() * events) {
    code.call_costs.clear();
    add_up(code.calls, key, &CodeCall::calls);
    return;
  }
  add_up_with_costs(
      code.calls, code.call_costs, events, [&](const CodeCall& a, const CodeCall& b) { return key(a) < key(b); },
      [&](CodeCall& call, const CodeCall& other) {
        if (key(call) != key(other)) return false;
        call.calls = saturating_add(call.calls, other.calls);
        return true;
      });
}

}  // namespace

void append_code(FunctionCode& to, FunctionCode from) {
  if (to.rows.empty() && to.jumps.empty() && to.calls.empty() && to.entries.empty()) {
    to = std::move(from);
    return;
  }
  const auto append = [](auto& places, const auto& more) { places.insert(places.end(), more.begin(), more.end()); };
  append(to.rows, from.rows);
  append(to.self, from.self);
  append(to.jumps, from.jumps);
  if (to.calls.empty() || !to.call_costs.empty()) append(to.call_costs, from.call_costs);
  append(to.calls, from.calls);
  append(to.entries, from.entries);
}

void add_up_places(FunctionCode& code, size_t events) {
  add_up_rows(code, events);
  add_up(
      code.jumps, [](const CodeJump& j) { return std::tuple(j.from, j.to_function, j.to); }, &CodeJump::followed);
  add_up_calls(code, events);
  add_up(
      code.entries, [](const CodeEntry& e) { return std::tuple(e.to, e.from_function, e.by_jump); }, &CodeEntry::times);
}

void sort_functions(ProfileCode& code) {
  std::sort(code.functions.begin(), code.functions.end(),
            [](const FunctionCode& a, const FunctionCode& b) { return a.function < b.function; });
}

ProfileCode renumber_functions(const ProfileCode& code, const std::vector<FunctionIndex>& renumbered) {
  const auto number = [&](FunctionIndex f) { return f < renumbered.size() ? renumbered[f] : kUnknownFunction; };
  std::map<FunctionIndex, int> meant;
  for (const FunctionIndex f : renumbered) ++meant[f];
  ProfileCode result{code.events, code.files, {}, code.inlined, code.objects};
  for (const FunctionCode& one : code.functions) {
    if (number(one.function) == kUnknownFunction || meant[number(one.function)] > 1) continue;
    FunctionCode& other = result.functions.emplace_back(one);
    other.function = number(one.function);
    for (CodeJump& jump : other.jumps) jump.to_function = number(jump.to_function);
    for (CodeCall& call : other.calls) call.callee = number(call.callee);
    for (CodeEntry& entry : other.entries) entry.from_function = number(entry.from_function);
    add_up_places(other, code.events);
  }
  sort_functions(result);
  return result;
}

ProfileCode drop_unused_names(ProfileCode code) {
  std::vector<uint32_t> inlined(code.inlined.size() + 1, 0), files(code.files.size(), 0);
  for (const FunctionCode& one : code.functions)
    for (const CodeRow& row : one.rows) {
      files[row.file] = 1;
      for (uint32_t at = row.inlined; at != 0 && inlined[at] == 0; at = code.inlined[at - 1].outer) inlined[at] = 1;
    }
  for (size_t i = 0; i < code.inlined.size(); ++i)
    if (inlined[i + 1]) files[code.inlined[i].file] = 1;
  // From marks to new numbers: what is around an inlined function comes before it.
  std::vector<std::string> used_files;
  for (size_t i = 0; i < files.size(); ++i)
    if (std::exchange(files[i], static_cast<uint32_t>(used_files.size())))
      used_files.push_back(std::move(code.files[i]));
  std::vector<InlinedCode> used;
  for (size_t i = 0; i < code.inlined.size(); ++i) {
    if (inlined[i + 1] == 0) continue;
    InlinedCode& one = used.emplace_back(std::move(code.inlined[i]));
    one.file = files[one.file];
    one.outer = inlined[one.outer];
    inlined[i + 1] = static_cast<uint32_t>(used.size());
  }
  for (FunctionCode& one : code.functions)
    for (CodeRow& row : one.rows) {
      row.file = files[row.file];
      row.inlined = inlined[row.inlined];
    }
  code.files = std::move(used_files);
  code.inlined = std::move(used);
  return code;
}

const FunctionCode* find_code(const ProfileCode& code, FunctionIndex function) {
  const auto at = std::lower_bound(code.functions.begin(), code.functions.end(), function,
                                   [](const FunctionCode& one, FunctionIndex wanted) { return one.function < wanted; });
  return at != code.functions.end() && at->function == function ? &*at : nullptr;
}

const CodeObject* find_object(const ProfileCode& code, std::string_view name) {
  const auto at = std::find_if(code.objects.begin(), code.objects.end(),
                               [&](const CodeObject& object) { return object.name == name; });
  return at == code.objects.end() ? nullptr : &*at;
}

}  // namespace icount
