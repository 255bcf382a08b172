#include "icount/callgrind/code_collector.h"

#include <algorithm>
#include <utility>

namespace icount {

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

}  // namespace icount
