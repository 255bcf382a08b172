// libFuzzer target of the gate's limits: an allowance that is read means the same when it is written and read again,
// never lets through more when the head costs more, and sets of limits choose the same one every time.
#include <algorithm>
#include <string>
#include <vector>

#include "fuzz/fuzz_input.h"
#include "icount/base/error.h"
#include "icount/verdict/gate_limit.h"

namespace {

using namespace icount;

int64_t count_of(Recipe& recipe) {
  const uint8_t byte = recipe.next();
  return byte < 0xe0 ? byte : int64_t{1} << (2 * (byte - 0xe0));
}

/// "1 % and 100", as messages have it, in the form that is read.
std::string as_written(std::string text) {
  if (const size_t both = text.find(" and "); both != std::string::npos) text.replace(both, 5, "+");
  return text;
}

void check_allowance(const Allowance& allowance, Recipe& recipe) {
  const auto again = parse_allowance(as_written(to_text(allowance)));
  ICOUNT_CHECK(again == allowance, "reading again changed an allowance");
  const int64_t base = count_of(recipe), head = count_of(recipe), more = std::max(head, count_of(recipe));
  ICOUNT_CHECK(!exceeds(allowance, base, head) || exceeds(allowance, base, more),
               "a larger change is within the limit");
  ICOUNT_CHECK(!allowance.unlimited || !exceeds(allowance, base, more), "'none' is exceeded");
}

/// A set of a few limits with patterns out of the input.
void check_set(std::string_view text, Recipe& recipe) {
  std::vector<GateLimit> limits;
  for (size_t at = 0; limits.size() < 4 && at < text.size(); at = text.find('\n', at) + 1) {
    const std::string line(text.substr(at, text.find('\n', at) - at));
    GateLimit& limit = limits.emplace_back();
    limit.source = static_cast<LimitSource>(recipe.next() % 3);
    if (const auto change = parse_allowance(line)) limit.change = *change;
    (limit.change.given() ? limit.section : recipe.next() % 2 ? limit.benchmark : limit.function) = line;
    if (text.find('\n', at) == std::string_view::npos) break;
  }
  const auto set = accepted([&] { return LimitSet(limits); });
  if (!set) return;
  for (const GateLimit& limit : set->limits()) {
    const GateLimit* found = set->change_limit(limit.section, {.event = "Ir"}, "Ir");
    ICOUNT_CHECK(!found || found->change.given(), "a limit without an allowance was chosen");
    set->beyond_totals(limit.section);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = as_text(data, size);
  Recipe recipe(text);
  const std::string_view line = text.substr(0, text.find('\n'));
  if (const auto allowance = parse_allowance(line)) check_allowance(*allowance, recipe);
  check_set(text, recipe);
  return 0;
}
