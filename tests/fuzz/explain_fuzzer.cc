// libFuzzer target of explain(): any two small profiles, with objects, files, allocators, cycles, pieces, renamed and
// moved functions, are explained or refused; causes add up to the change, swapping the sides changes signs alone, and
// the order in which a profile lists its functions and calls changes nothing. An input is a recipe for both profiles:
// head is base with some of it changed.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/fuzz_input.h"
#include "icount/base/error.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"
#include "icount/explain/explain.h"
#include "icount/report/cause_sentence.h"

namespace {

using namespace icount;

constexpr std::string_view kNames[] = {"main",
                                       "f",
                                       "f'2",
                                       "f.part.0",
                                       "f.cold",
                                       "ns::g(int)",
                                       "ns::g(long)",
                                       "malloc",
                                       "free",
                                       "_int_malloc",
                                       "je_malloc",
                                       "operator new(unsigned long)",
                                       "std::map<int, T>::insert(int)",
                                       "std::unordered_map<int, T>::insert(int)",
                                       "std::_Rb_tree<int>::_M_insert(int)",
                                       "memcpy",
                                       "__memcpy_avx_unaligned",
                                       "0x0000000000001234",
                                       "h<a>(char)",
                                       "h<b>(char)",
                                       "_dl_runtime_resolve_xsave",
                                       "do_lookup_x"};
constexpr std::string_view kSpareNames[] = {"a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"};
constexpr std::string_view kObjects[] = {"prog",    "libc.so.6", "ld-linux-x86-64.so.2", "libjemalloc.so.2",
                                         "libx.so", ""};

/// Small numbers mostly, so that figures agree by chance; large ones at times, so that sums overflow.
int64_t count_of(uint8_t byte) { return byte < 0xf0 ? byte * byte / 3 : int64_t{1} << (4 * (byte - 0xf0) + 2); }

struct Function {
  std::string_view name, object;
  unsigned file = 0, line = 0;
  int64_t self = 0;
};
struct Call {
  size_t caller = 0, callee = 0;
  int64_t calls = 0, cost = 0;
};
struct Recorded {
  std::vector<Function> functions;
  std::vector<Call> calls;

  void add_record(size_t index, bool backwards, std::string& text) const {
    const Function& function = functions[index];
    text += fmt::format("ob={}\nfl=file{}.c\nfn={}\n{} {}\n", function.object, function.file, function.name,
                        function.line, function.self);
    for (size_t i = 0; i < calls.size(); ++i) {
      const Call& call = calls[backwards ? calls.size() - 1 - i : i];
      if (call.caller != index) continue;
      const Function& callee = functions[call.callee];
      text += fmt::format("cob={}\ncfi=file{}.c\ncfn={}\ncalls={} {}\n{} {}\n", callee.object, callee.file, callee.name,
                          call.calls, callee.line, function.line, call.cost);
    }
  }

  std::string text(bool backwards) const {
    std::string text = "creator: callgrind-3.19.0\npositions: line\nevents: Ir\n\n";
    for (size_t i = 0; i < functions.size(); ++i) add_record(backwards ? functions.size() - 1 - i : i, backwards, text);
    return text;
  }
};

/// Writers list a function once; of two records of one name the first decides its line.
void drop_twins(Recorded& profile) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (size_t i = 0; i < profile.functions.size(); ++i) {
    Function& function = profile.functions[i];
    for (size_t next = 0; !seen.emplace(function.name, function.object).second; ++next)
      function.name = next < std::size(kSpareNames) ? kSpareNames[next] : kNames[next - std::size(kSpareNames)];
  }
}

Recorded base_of(Recipe& recipe) {
  Recorded profile;
  const size_t functions = 2 + recipe.next() % 12, calls = recipe.next() % 32;
  for (size_t i = 0; i < functions; ++i) {
    Function& function = profile.functions.emplace_back();
    function.name = kNames[i == 0 ? 0 : recipe.next() % std::size(kNames)];
    function.object = kObjects[recipe.next() % std::size(kObjects)];
    function.file = recipe.next() % 3;
    function.line = recipe.next() % 64;
    function.self = count_of(recipe.next());
  }
  for (size_t i = 0; i < calls; ++i) {
    Call& call = profile.calls.emplace_back();
    call.caller = recipe.next() % functions;
    call.callee = recipe.next() % functions;
    call.calls = count_of(recipe.next());
    call.cost = count_of(recipe.next());
  }
  drop_twins(profile);
  return profile;
}

/// What a change of a program does: figures move, a function gets another name, object or line, calls go elsewhere.
Recorded head_of(Recorded profile, Recipe& recipe) {
  for (int changes = 0; changes < 40 && !recipe.empty(); ++changes) {
    const uint8_t kind = recipe.next() % 8, where = recipe.next(), what = recipe.next();
    Function& function = profile.functions[where % profile.functions.size()];
    if (kind == 0) function.self = count_of(what);
    if (kind == 1) function.name = kNames[what % std::size(kNames)];
    if (kind == 2) function.object = kObjects[what % std::size(kObjects)];
    if (kind == 3) function.line = what % 64;
    if (kind == 4) function.file = what % 3;
    if (profile.calls.empty()) continue;
    Call& call = profile.calls[where % profile.calls.size()];
    if (kind == 5) call.calls = count_of(what);
    if (kind == 6) call.callee = what % profile.functions.size();
    if (kind == 7 && what < 128) call.cost = count_of(what);
    if (kind == 7 && what >= 128)
      profile.calls.erase(profile.calls.begin() + where % static_cast<int>(profile.calls.size()));
  }
  drop_twins(profile);
  return profile;
}

CostGraph read(const std::string& text) {
  ParseOptions options;
  options.keep_lines = true;
  options.accept_wrong_totals = true;
  return make_cost_graph(parse_profile(text, "fuzz", options));
}

/// Kinds and deltas, those inside joined ones too.
void add_causes(const std::vector<Cause>& causes, int64_t sign, std::vector<std::string>& all) {
  for (const Cause& cause : causes) {
    all.push_back(fmt::format("{} {}", to_text(cause.kind), sign * cause.delta));
    add_causes(cause.inside, sign, all);
  }
}
std::vector<std::string> causes_of(const Explanation& explanation, int64_t sign) {
  std::vector<std::string> all;
  add_causes(explanation.causes, sign, all);
  std::sort(all.begin(), all.end());
  return all;
}
std::vector<std::string> texts_of(const Explanation& explanation) {
  std::vector<std::string> all;
  for (const Cause& cause : explanation.causes) all.push_back(fmt::format("{} {}", cause.delta, cause_sentence(cause)));
  return all;
}

/// No number is written as the smallest int64: what a conversion makes of a figure that is none.
void check_figures(const Explanation& explanation) {
  for (const std::string& text : texts_of(explanation))
    ICOUNT_CHECK(text.find("-9,223,372,036,854,775,808") == std::string::npos, "a figure that is no number: " + text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Recipe recipe(as_text(data, size));
  ExplainOptions options;
  const uint8_t switches = recipe.next();
  options.raw_names = switches % 8 == 0;
  if (switches % 16 == 1) options.calls = CallTrust::kUntrusted;
  const Recorded base = base_of(recipe), head = head_of(base, recipe);
  const auto b = accepted([&] { return read(base.text(false)); }), h = accepted([&] { return read(head.text(false)); });
  if (!b || !h) return 0;
  const auto there = accepted([&] { return explain(*b, *h, options); });  // checks the sums itself
  if (there) check_figures(*there);
  if (kReplays || switches < 192) {
    const auto back = accepted([&] { return explain(*h, *b, options); });
    ICOUNT_CHECK(there.has_value() == back.has_value(), "refused one way round only");
    ICOUNT_CHECK(!there || causes_of(*there, 1) == causes_of(*back, -1), "swapping the sides changed more than signs");
  }
  if (there && (kReplays || switches >= 192)) {
    const auto turned = accepted([&] { return explain(read(base.text(true)), read(head.text(true)), options); });
    ICOUNT_CHECK(turned && texts_of(*there) == texts_of(*turned), "the order of the records changed the answer");
  }
  return 0;
}
