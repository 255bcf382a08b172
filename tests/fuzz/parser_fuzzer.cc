// libFuzzer target of the profile parser: any bytes are a profile or an Error, never anything else, and what was read
// survives being written and read again. Without libFuzzer, parser_fuzzer_replay.cc runs the corpus through it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "icount/base/error.h"
#include "icount/callgraph/cost_graph.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"
#include "icount/callgrind/writer.h"

namespace {

using namespace icount;

CostGraph read(std::string_view text, bool keep_all, size_t blocks = 1) {
  ParseOptions options;
  options.blocks = blocks;
  options.keep_lines = options.keep_positions = options.keep_jumps = keep_all;
  options.accept_wrong_totals = true;
  return make_cost_graph(parse_profile(text, "fuzz", options));
}

/// Refusing is in order; whatever was accepted once must be accepted with other options and after writing, too.
void check_profile(std::string_view text) {
  CostGraph graph;
  try {
    graph = read(text, false);
  } catch (const Error&) {
    return;
  }
  check_cost_graph(graph);
  make_inclusive_costs(graph);
  const CostGraph kept = read(text, true);
  ICOUNT_CHECK(kept.totals == graph.totals, "keeping lines changed a total");
  ICOUNT_CHECK(kept.inclusive == graph.inclusive, "keeping lines changed a call");
  const CostGraph ahead = read(text, false, 4);
  ICOUNT_CHECK(ahead.row_self == graph.row_self, "reading ahead changed a self cost");
  ICOUNT_CHECK(ahead.inclusive == graph.inclusive, "reading ahead changed a call");
  const CostGraph again = read(render_callgrind(graph), false);
  ICOUNT_CHECK(again.totals == graph.totals, "writing changed a total");
  ICOUNT_CHECK(again.edges.size() == graph.edges.size(), "writing changed the number of edges");
  ICOUNT_CHECK(again.rows.size() == graph.rows.size(), "writing changed the number of rows");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_profile(text);
  // The fast loop keeps away from the end of the text: behind a long comment every line goes through it.
  std::string padded(text);
  padded.append("\n#").append(100, '-').append("\n");
  check_profile(padded);
  return 0;
}
