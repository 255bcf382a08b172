#include "icount/stats/fingerprint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/stats/flag_paths.h"

namespace icount {
namespace {

/// "mine, version 2" of "mine, version 2, 8 benchmarks, md5 0123" (suite/suite_record.h): the benchmarks that one side
/// lacks are named where results are compared.
std::string_view suite_and_version(std::string_view identity) {
  for (int cut = 0; cut < 2; ++cut) identity = identity.substr(0, identity.rfind(", "));
  return identity;
}
bool is_suite(std::string_view name) { return name == "suite"; }

std::string describe(std::string_view name, const std::string* value) {
  if (!value) return name == kUncountedFact || name == kRequestsFact ? "none" : "not recorded";
  if (is_suite(name)) return std::string(suite_and_version(*value));
  return value->empty() ? "none" : *value;
}

/// What each of two lists of flags has alone, "none" where that is nothing; the lists themselves where the flags that
/// both have stand in another order, which may matter.
std::array<std::string, 2> flags_apart(const std::string& base, const std::string& head) {
  const std::array<std::vector<std::string_view>, 2> all = {split(base, ' '), split(head, ' ')};
  std::array<std::vector<std::string_view>, 2> own, common;
  for (size_t side = 0; side < 2; ++side)
    for (const std::string_view flag : all[side]) {
      const auto& others = all[1 - side];
      (std::find(others.begin(), others.end(), flag) == others.end() ? own : common)[side].push_back(flag);
    }
  if (common[0] != common[1]) return {base, head};
  const auto text = [](const std::vector<std::string_view>& flags) {
    const std::string joined = fmt::format("{}", fmt::join(flags, " "));
    return joined.empty() ? "none" : joined;
  };
  return {text(own[0]), text(own[1])};
}

void note_difference(const Fact& fact, const std::string* base, const std::string* head, Comparability& result) {
  if (fact.name == kUnitFact) {
    result.neighbours = fmt::format(
        "translation unit differs: {} against {}: statements compiled beside it differ, by which a compiler may inline "
        "otherwise; `[run] isolate = true` compiles each alone",
        *base, *head);
    return;
  }
  auto& sentences = fact.fact_class == FactClass::kRefuse ? result.refusals : result.differences;
  if (fact.name == kStubFact) {
    const std::string first = "1";
    sentences.push_back(
        fmt::format("stub differs: {} against {}: two versions of icount counted this statement, and icount's own code "
                    "around it changed between them; count the base again with this icount",
                    base ? *base : first, head ? *head : first));
    return;
  }
  const std::string_view verb = fact.name.ends_with('s') ? "differ" : "differs";  // "flags", "pins", "threads"
  const bool are_flags = base && head && holds_flags(fact.name);
  const std::array<std::string, 2> values =
      are_flags ? flags_apart(*base, *head) : std::array{describe(fact.name, base), describe(fact.name, head)};
  sentences.push_back(fmt::format("{} {}: {} against {}", fact.name, verb, values[0], values[1]));
}

/// Whether a fact that one side lacks is a difference.
bool is_said_when_missing(const Fact& fact) {
  if (fact.name == kCoresFact) return false;
  return fact.fact_class == FactClass::kRefuse || fact.name == kStubFact;
}

/// Whether two values of a fact say the same. Results that do not say their standard are from before folders were named
/// in flags.
bool are_same(const Fact& fact, const std::string& head_value, const Fingerprint& base, const Fingerprint& head) {
  if (fact.value == head_value) return true;
  if (is_suite(fact.name)) return suite_and_version(fact.value) == suite_and_version(head_value);
  if (!holds_flags(fact.name)) return false;
  return (!base.find("standard") && differ_by_folders_only(fact.value, head_value)) ||
         (!head.find("standard") && differ_by_folders_only(head_value, fact.value));
}

}  // namespace

void Fingerprint::set(std::string_view name, std::string_view value, FactClass fact_class) {
  const auto at = std::find_if(facts.begin(), facts.end(), [&](const Fact& fact) { return fact.name == name; });
  if (at == facts.end()) {
    facts.push_back({std::string(name), std::string(value), fact_class});
  } else {
    at->value = value;
    at->fact_class = fact_class;
  }
}

const std::string* Fingerprint::find(std::string_view name) const {
  const auto at = std::find_if(facts.begin(), facts.end(), [&](const Fact& fact) { return fact.name == name; });
  return at == facts.end() ? nullptr : &at->value;
}

Comparability comparable(const Fingerprint& base, const Fingerprint& head) {
  Comparability result;
  result.unknown = base.unknown() || head.unknown();
  if (result.unknown) return result;
  for (const Fact& fact : base.facts) {
    const std::string* other = head.find(fact.name);
    if (!other && !is_said_when_missing(fact)) continue;
    if (!other || !are_same(fact, *other, base, head)) note_difference(fact, &fact.value, other, result);
  }
  for (const Fact& fact : head.facts)
    if (!base.find(fact.name) && is_said_when_missing(fact)) note_difference(fact, nullptr, &fact.value, result);
  return result;
}

Json to_json(const Fingerprint& fingerprint) {
  Json facts = Json::array();
  for (const Fact& fact : fingerprint.facts)
    facts.push_back({{"name", fact.name},
                     {"value", fact.value},
                     {"class", fact.fact_class == FactClass::kRefuse ? "refuse" : "name"}});
  return facts;
}

Fingerprint parse_fingerprint(const Json& json, std::string_view name) {
  if (!json.is_array())
    throw Error(ErrorKind::kMalformed, fmt::format("{}: the fingerprint is not a list of entries", name));
  Fingerprint fingerprint;
  for (const Json& entry : json) {
    const Json& fact = json_field(entry, "name", name);
    const Json& value = json_field(entry, "value", name);
    const Json& kind = json_field(entry, "class", name);
    if (!fact.is_string() || !value.is_string() || (kind != "refuse" && kind != "name"))
      throw Error(
          ErrorKind::kMalformed,
          fmt::format("{}: a fingerprint entry needs the strings \"name\" and \"value\", and the class refuse or name",
                      name));
    if (fingerprint.find(fact.get<std::string>()))
      throw Error(ErrorKind::kMalformed,
                  fmt::format("{}: the fingerprint entry '{}' appears twice", name, fact.get<std::string>()));
    fingerprint.set(fact.get<std::string>(), value.get<std::string>(),
                    kind == "refuse" ? FactClass::kRefuse : FactClass::kNameOnly);
  }
  return fingerprint;
}

}  // namespace icount
