// libFuzzer target of packed cost graphs and call stacks, told apart by their first bytes: as they lie in result files
// and in the history. The zstd layer is put on here, because no fuzzer gets through one.
#include <string>

#include "fuzz/fuzz_input.h"
#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/store/cost_graph_blob.h"

namespace {

using namespace icount;

void check_graph(const CostGraph& graph) {
  const std::string written = cost_graph_bytes(graph);
  ICOUNT_CHECK(cost_graph_bytes(parse_cost_graph_bytes(written, "written")) == written,
               "packing again changed a cost graph");
}

void check_stacks(const CallStacks& stacks) {
  const std::string written = encode_call_stacks(stacks);
  ICOUNT_CHECK(encode_call_stacks(decode_call_stacks(written, "written")) == written,
               "packing again changed call stacks");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes = as_text(data, size);
  if (bytes.starts_with("icstack1")) {
    if (const auto stacks = accepted([&] { return decode_call_stacks(compress_zstd(bytes, 1), "fuzz"); }))
      check_stacks(*stacks);
  } else {
    if (const auto graph = accepted([&] { return parse_cost_graph_bytes(bytes, "fuzz"); })) check_graph(*graph);
  }
  return 0;
}
