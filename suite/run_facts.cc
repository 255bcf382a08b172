#include "icount/suite/run_facts.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "icount/harness/timer_args.h"
#include "icount/stats/fingerprint.h"

namespace icount {
namespace {

bool is_statement(const Result& result) {
  for (const Language language : {Language::kCpp, Language::kTorchScript, Language::kPython})
    if (result.task.language == to_text(language)) return true;
  return false;
}

}  // namespace

Fingerprint run_facts(const Result& result, Fingerprint facts) {
  constexpr std::array<std::string_view, 7> kOwn = {"number",  "environment",  "within",     "processes",
                                                    "GODEBUG", kUncountedFact, kRequestsFact};
  const bool is_ours = is_statement(result);
  std::erase_if(facts.facts, [&](const Fact& fact) {
    if (is_ours) return fact.name == kUnitFact;
    return fact.fact_class == FactClass::kNameOnly || std::find(kOwn.begin(), kOwn.end(), fact.name) != kOwn.end();
  });
  return facts;
}

}  // namespace icount
