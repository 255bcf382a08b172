#include "icount/fuzzer/parameter_set.h"

#include <algorithm>

#include <fmt/format.h>

#include "icount/base/error.h"

namespace icount {
namespace {

const ParameterAlias* alias_in(const ParameterValue& value) { return std::get_if<ParameterAlias>(&value); }

}  // namespace

// Called for each size of each candidate. Names mostly differ in their last letter (k_any_0, k_any_1), so
// that one is looked at first.
const ParameterValue* ParameterSet::find(std::string_view name) const {
  if (name.empty()) return nullptr;
  const char last = name.back();
  for (size_t i = 0; i < values_.size(); ++i) {
    const std::string& candidate = (*names_)[i];
    if (candidate.size() == name.size() && candidate.back() == last && candidate == name) return &values_[i];
  }
  return nullptr;
}

const ParameterValue& ParameterSet::at(std::string_view name) const {
  const ParameterValue* value = find(name);
  if (!value) throw Error(ErrorKind::kUsage, fmt::format("no parameter '{}'", name));
  return *value;
}

int64_t ParameterSet::integer(std::string_view name) const {
  const ParameterValue& value = at(name);
  if (const auto* integer = std::get_if<int64_t>(&value)) return *integer;
  throw Error(ErrorKind::kUsage, fmt::format("parameter '{}' is {}, where an integer is needed", name, to_text(value)));
}

double ParameterSet::number(std::string_view name) const {
  const ParameterValue& value = at(name);
  if (const auto* integer = std::get_if<int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  throw Error(ErrorKind::kUsage, fmt::format("parameter '{}' is {}, where a number is needed", name, to_text(value)));
}

bool ParameterSet::truth(std::string_view name) const { return number(name) != 0; }

const ParameterValue& ParameterSet::end_of_chain(size_t start) const {
  const ParameterValue* value = &values_[start];
  for (size_t step = 0; const ParameterAlias* alias = alias_in(*value); ++step) {
    if (step > values_.size()) throw Error(ErrorKind::kUsage, "parameter aliases form a cycle: " + chain_text(start));
    value = find(alias->to);
    if (!value)
      throw Error(ErrorKind::kUsage, fmt::format("parameter '{}' is an alias of '{}', but there is no such parameter",
                                                 name(start), alias->to));
  }
  return *value;
}

// The chain up to the first name that comes again.
std::string ParameterSet::chain_text(size_t start) const {
  std::vector<std::string_view> seen = {name(start)};
  std::string text = name(start);
  for (const ParameterAlias* alias = alias_in(values_[start]); alias; alias = alias_in(at(alias->to))) {
    text += " -> " + alias->to;
    if (std::find(seen.begin(), seen.end(), alias->to) != seen.end()) break;
    seen.push_back(alias->to);
  }
  return text;
}

void ParameterSet::resolve_aliases() {
  for (size_t i = 0; i < values_.size(); ++i)
    if (alias_in(values_[i])) values_[i] = ParameterValue(end_of_chain(i));
}

}  // namespace icount
