// libFuzzer target of what happens inside functions: any two profiles with addresses and jumps, consistent or not, are
// explained and listed side by side or left closed; causes add up to the change both ways round, columns to the
// function's cost. An input whose first byte is 'T' is two profiles as text, base and head parted by a line of "=====";
// any other is a recipe for two small ones, which mostly contradict themselves.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz_input.h"
#include "icount/base/error.h"
#include "icount/callgrind/code_reader.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"
#include "icount/explain/explain.h"
#include "icount/report/annotated_source.h"

namespace {

using namespace icount;

/// Small numbers mostly, so that flow may fit; large ones at times, so that sums overflow.
int64_t count_of(uint8_t byte) { return byte < 0xf0 ? byte % 16 : int64_t{1} << (4 * (byte - 0xf0) + 2); }
uint64_t address_of(uint8_t byte) { return 0x1000 + 2 * uint64_t{byte}; }

constexpr std::string_view kFunctions[] = {"f", "g", "f.cold", "h"};

std::string profile_of(Recipe& recipe) {
  constexpr int kMostRecords = 100;
  std::string text = "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\n\nob=prog\nfl=a.c\n";
  text += "fn=main\n0x100 1 5\ncfn=f\ncalls=3 0x1000 10\n0x100 1 100\nfn=f\n";
  for (int i = 0; i < kMostRecords && !recipe.empty(); ++i) {
    const uint8_t kind = recipe.next() % 16;
    const uint64_t from = address_of(recipe.next()), to = address_of(recipe.next());
    const unsigned line = recipe.next() % 32;
    const int64_t count = count_of(recipe.next());
    if (kind < 8) {
      text += fmt::format("{:#x} {} {}\n", from, line, count);
    } else if (kind < 11) {
      text += fmt::format("jcnd={}/{} {:#x} {}\n{:#x} {}\n", count, count + line % 3, to, line, from, line);
    } else if (kind < 13) {
      text += fmt::format("jump={} {:#x} {}\n{:#x} {}\n", count, to, line, from, line);
    } else if (kind < 15) {
      text += fmt::format("cfn={}\ncalls={} {:#x} {}\n{:#x} {} {}\n", kFunctions[line % 4], count, to, line, from, line,
                          count < int64_t{1} << 60 ? count * 3 : count);
    } else if (line == 31) {
      return text;
    } else {
      text += fmt::format("fn={}\n", kFunctions[line % 4]);
    }
  }
  return text;
}

CostGraph read(std::string_view text) {
  ParseOptions options;
  options.keep_lines = true;
  options.accept_wrong_totals = true;
  CostGraph graph = make_cost_graph(parse_profile(text, "fuzz", options));
  const std::vector<FunctionIndex> functions = costly_functions(graph, 0);
  graph.code = std::make_shared<const ProfileCode>(read_code(text, "fuzz", graph, functions));
  return graph;
}

void check_listing(const FunctionListing& listing) {
  if (!listing.closed.empty()) return;
  ICOUNT_CHECK(!listing.rows.empty(), "a listing has rows or a reason");
  for (size_t side = 0; side < 2; ++side) {
    __int128 parts = 0, leaves = 0, lines = 0, annotated = 0, known = listing.rows.front().total[side];
    for (const ListingRow& row : listing.rows) {
      if (!row.is_cost || row.indent == 0) continue;
      if (row.line != 0 || row.label == "no line") leaves += row.total[side];
      if (row.line == 0 && row.label != "no line") parts += row.total[side];
      if (row.label == "no line" || row.label == "without an address") known -= row.total[side];
      if (row.label == "without an address") leaves += row.total[side];
    }
    ICOUNT_CHECK(parts == listing.rows.front().total[side], "the parts of a listing add up");
    ICOUNT_CHECK(leaves == listing.rows.front().total[side], "the lines of a listing add up");
    for (const ListedLine& line : listing.lines[side]) lines += line.self;
    ICOUNT_CHECK(lines == known, "a function's lines add up");
    for (const AnnotatedFile& file : annotate_source(listing, 5)) {
      annotated += file.more_self[side];
      for (const AnnotatedRow& row : file.rows) annotated += row.self[side];
    }
    ICOUNT_CHECK(annotated == lines, "the annotated source adds up");
  }
}

std::multimap<std::string, int64_t> causes_of(const Explanation& explanation, int64_t sign) {
  std::multimap<std::string, int64_t> causes;
  for (const Cause& cause : explanation.causes)
    causes.emplace(fmt::format("{} {} {} {}", to_text(cause.kind), cause.function, cause.caller, cause.callee),
                   sign * cause.delta);
  return causes;
}

bool has_function(const CostGraph& graph, std::string_view name) {
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (graph.name(f) == name) return true;
  return false;
}

/// explain() checks the sums itself.
void check_pair(std::string_view base_text, std::string_view head_text) {
  const auto base = accepted([&] { return read(base_text); }), head = accepted([&] { return read(head_text); });
  if (!base || !head) return;
  ExplainOptions options;
  options.list_opened = true;
  if (has_function(*base, "f") || has_function(*head, "f")) options.list_functions = {"f"};
  const auto there = accepted([&] { return explain(*base, *head, options); });
  const auto back = accepted([&] { return explain(*head, *base, options); });
  ICOUNT_CHECK(there.has_value() == back.has_value(), "refused one way round only");
  if (!there) return;
  std::vector<int64_t> deltas, negated;
  for (const auto& [key, delta] : causes_of(*there, 1)) deltas.push_back(delta);
  for (const auto& [key, delta] : causes_of(*back, -1)) negated.push_back(delta);
  std::sort(deltas.begin(), deltas.end());
  std::sort(negated.begin(), negated.end());
  ICOUNT_CHECK(deltas == negated, "swapping the sides changed more than signs");
  for (const FunctionListing& listing : there->listings) check_listing(listing);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes = as_text(data, size);
  if (bytes.starts_with('T')) {
    constexpr std::string_view kParting = "\n=====\n";
    const std::string_view text = bytes.substr(1);
    const size_t middle = text.find(kParting);
    if (middle != std::string_view::npos) check_pair(text.substr(0, middle + 1), text.substr(middle + kParting.size()));
    return 0;
  }
  Recipe recipe(bytes);
  const std::string base = profile_of(recipe), head = profile_of(recipe);
  check_pair(base, head);
  return 0;
}
