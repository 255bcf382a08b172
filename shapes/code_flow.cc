#include "icount/shapes/code_flow.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "icount/base/checked.h"

namespace icount {
namespace {

/// Linkage steps are charged to the address of the call; those of lazy binding are no part of them.
class FlowMaker {
 public:
  FlowMaker(std::span<const FunctionCode* const> pieces, size_t events, size_t event, uint32_t self,
            const std::function<uint32_t(FunctionIndex)>& number_of,
            const std::function<bool(FunctionIndex, FunctionIndex)>& is_call, uint64_t shift)
      : pieces_(pieces),
        events_(events),
        event_(event),
        self_(self),
        number_of_(number_of),
        is_call_(is_call),
        shift_(shift) {}

  CodeFlow make() {
    add_rows();
    if (flow_.instructions.empty()) return closed("its addresses were not recorded");
    add_jumps();
    add_calls();
    add_entries();
    sort_edges();
    sum_up();
    take_linkage_steps_out();
    turn_calls_into_jumps();
    for (size_t i = 0; i < size(); ++i)
      if (out_[i] > at(i).executions || into_[i] > at(i).executions)
        return closed("its jumps contradict its executions");
    find_falls();
    return std::move(flow_);
  }

 private:
  static constexpr uint32_t kNowhere = ~uint32_t{0};

  static CodeFlow closed(std::string reason) {
    CodeFlow flow;
    flow.closed = std::move(reason);
    return flow;
  }

  size_t size() const { return flow_.instructions.size(); }
  Instruction& at(size_t i) { return flow_.instructions[i]; }
  uint32_t number(FunctionIndex f) const { return f == kUnknownFunction ? kNowhere : number_of_(f); }

  void add_rows() {
    for (const FunctionCode* piece : pieces_)
      for (size_t r = 0; r < piece->rows.size(); ++r) {
        const CodeRow& row = piece->rows[r];
        flow_.instructions.push_back({.address = row.address - shift_,
                                      .file = row.file,
                                      .inlined = row.inlined,
                                      .line = row.line,
                                      .executions = row.executions,
                                      .self = piece->self[r * events_ + event_]});
      }
    auto& all = flow_.instructions;
    std::sort(all.begin(), all.end(), [](const Instruction& a, const Instruction& b) {
      return std::tie(a.address, a.file, a.line) < std::tie(b.address, b.file, b.line);
    });
    size_t kept = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      if (kept > 0 && all[kept - 1].address == all[i].address) {
        all[kept - 1].executions = saturating_add(all[kept - 1].executions, all[i].executions);
        all[kept - 1].self = saturating_add(all[kept - 1].self, all[i].self);
      } else {
        all[kept++] = all[i];
      }
    }
    all.resize(kept);
    out_.assign(kept, 0);
    into_.assign(kept, 0);
    away_.assign(kept, 0);
  }

  uint32_t find(uint64_t address) const {
    const auto& all = flow_.instructions;
    const auto found = std::lower_bound(all.begin(), all.end(), address - shift_,
                                        [](const Instruction& one, uint64_t wanted) { return one.address < wanted; });
    return found != all.end() && found->address == address - shift_ ? static_cast<uint32_t>(found - all.begin())
                                                                    : kNowhere;
  }

  /// A jump from or to an address that was never executed is none that we could place.
  void add_jump(uint64_t from_address, uint64_t to_address, int64_t followed) {
    const uint32_t from = find(from_address), to = find(to_address);
    if (from == kNowhere || to == kNowhere || followed <= 0) return;
    if (from == to) {  // a repeated instruction (rep movs): each repetition was counted
      at(from).executions -= std::min(at(from).executions, followed);
      return;
    }
    flow_.jumps.push_back({from, to, followed});
  }

  void add_jumps() {
    for (const FunctionCode* piece : pieces_)
      for (const CodeJump& jump : piece->jumps) {
        if (number(jump.to_function) == self_) {
          add_jump(jump.from, jump.to, jump.followed);
        } else if (const uint32_t from = find(jump.from); from != kNowhere) {
          away_[from] = saturating_add(away_[from], jump.followed);
        }
      }
  }

  void add_calls() {
    for (const FunctionCode* piece : pieces_)
      for (const CodeCall& call : piece->calls) {
        if (number(call.callee) == self_ && !is_call_(piece->function, call.callee)) {
          add_jump(call.from, call.to, call.calls);
        } else if (const uint32_t from = find(call.from); from != kNowhere && call.calls > 0) {
          flow_.calls.push_back({from, number(call.callee), call.calls});
        }
      }
  }

  void add_entries() {
    for (const FunctionCode* piece : pieces_)
      for (const CodeEntry& entry : piece->entries) {
        const bool own = number(entry.from_function) == self_;
        if (own && (entry.by_jump || !is_call_(entry.from_function, piece->function))) continue;
        const uint32_t to = find(entry.to);
        if (to == kNowhere) continue;
        at(to).entered = saturating_add(at(to).entered, entry.times);
      }
  }

  void sort_edges() {
    add_up(
        flow_.jumps, [](const FlowJump& j) { return std::pair(j.from, j.to); }, &FlowJump::followed);
    add_up(
        flow_.calls, [](const FlowCall& c) { return std::pair(c.from, c.callee); }, &FlowCall::calls);
  }

  template <typename Edge, typename Key>
  static void add_up(std::vector<Edge>& edges, Key key, int64_t Edge::*count) {
    std::sort(edges.begin(), edges.end(), [&](const Edge& a, const Edge& b) { return key(a) < key(b); });
    size_t kept = 0;
    for (size_t i = 0; i < edges.size(); ++i) {
      if (kept > 0 && key(edges[kept - 1]) == key(edges[i]))
        edges[kept - 1].*count = saturating_add(edges[kept - 1].*count, edges[i].*count);
      else
        edges[kept++] = edges[i];
    }
    edges.resize(kept);
  }

  void sum_up() {
    for (const FlowJump& jump : flow_.jumps) {
      out_[jump.from] = saturating_add(out_[jump.from], jump.followed);
      into_[jump.to] = saturating_add(into_[jump.to], jump.followed);
    }
  }

  bool follows(size_t i) { return i > 0 && at(i).address - at(i - 1).address <= kLongestInstruction; }

  /// Steps that Callgrind skips (--skip-plt=yes) are charged to the call's address: its executions are what flows in.
  void take_linkage_steps_out() {
    std::vector<int64_t> calls(size(), 0);
    for (const FlowCall& call : flow_.calls) calls[call.from] = saturating_add(calls[call.from], call.calls);
    for (size_t i = 0; i < size(); ++i) {
      if (calls[i] == 0) continue;
      int64_t come = saturating_add(into_[i], at(i).entered);
      if (follows(i) && come != calls[i])
        come = saturating_add(come, std::max<int64_t>(at(i - 1).executions - out_[i - 1], 0));
      if (come > 0 && come < at(i).executions) at(i).executions = come;
    }
  }

  /// A jump to the function's first instruction is written as a call of itself. It is one when nothing comes back to
  /// the instruction behind it.
  void turn_calls_into_jumps() {
    uint32_t first = kNowhere;
    for (uint32_t i = 0; i < size(); ++i)
      if (at(i).entered > 0 && (first == kNowhere || at(i).entered > at(first).entered)) first = i;
    if (first == kNowhere) return;
    for (size_t c = 0; c < flow_.calls.size(); ++c) {
      const FlowCall call = flow_.calls[c];
      if (call.callee != self_ || at(first).entered < call.calls) continue;
      const size_t next = call.from + size_t{1};
      const int64_t needed = next < size() && follows(next) ? at(next).executions - into_[next] : 0;
      if (at(call.from).executions - out_[call.from] - call.calls < needed) continue;
      if (call.from == first) continue;
      at(first).entered -= call.calls;
      flow_.jumps.push_back({call.from, first, call.calls});
      out_[call.from] = saturating_add(out_[call.from], call.calls);
      into_[first] = saturating_add(into_[first], call.calls);
      flow_.calls[c].calls = 0;
    }
    std::erase_if(flow_.calls, [](const FlowCall& call) { return call.calls == 0; });
    sort_edges();
  }

  void find_falls() {
    std::vector<int64_t> missing(size()), over(size());
    for (size_t i = 0; i < size(); ++i) {
      missing[i] = std::max<int64_t>(at(i).executions - into_[i] - std::min(at(i).entered, at(i).executions), 0);
      over[i] = at(i).executions - out_[i];
      over[i] -= std::min(over[i], away_[i]);
    }
    for (size_t i = 1; i < size(); ++i) {
      if (!follows(i)) continue;
      const int64_t falls = std::min(over[i - 1], missing[i]);
      at(i - 1).falls = falls;
      over[i - 1] -= falls;
      missing[i] -= falls;
    }
    for (size_t i = 0; i < size(); ++i)
      at(i).returns = over[i] > 0 && at(i).falls == 0 && out_[i] == 0 && away_[i] == 0;
    for (const FlowCall& call : flow_.calls) at(call.from).returns = false;
    for (size_t i = 0; i < size(); ++i) {
      at(i).arrived = missing[i];
      at(i).left = over[i] + std::min(away_[i], at(i).executions - out_[i]);
      flow_.entries = saturating_add(flow_.entries, at(i).entered);
      flow_.arrivals = saturating_add(flow_.arrivals, missing[i]);
    }
  }

  std::span<const FunctionCode* const> pieces_;
  size_t events_, event_;
  uint32_t self_;
  const std::function<uint32_t(FunctionIndex)>& number_of_;
  const std::function<bool(FunctionIndex, FunctionIndex)>& is_call_;
  uint64_t shift_;
  CodeFlow flow_;
  std::vector<int64_t> out_, into_, away_;  // by instruction: jumps followed from it, to it, and to other functions
};

}  // namespace

CodeFlow make_code_flow(std::span<const FunctionCode* const> pieces, size_t events, size_t event, uint32_t self,
                        const std::function<uint32_t(FunctionIndex)>& number_of,
                        const std::function<bool(FunctionIndex, FunctionIndex)>& is_call, uint64_t shift) {
  return FlowMaker(pieces, events, event, self, number_of, is_call, shift).make();
}

}  // namespace icount
