// libFuzzer target of what people write as TOML: suites, expanded to their benchmarks, and tables of fuzzers.
#include "fuzz/fuzz_input.h"
#include "icount/fuzzer/table_file.h"
#include "icount/suite/definition_file.h"
#include "icount/suite/work_order.h"

using namespace icount;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = as_text(data, size);
  accepted([&] { return parse_fuzzer_table(text, "fuzz"); });
  if (text.find("include") != std::string_view::npos) return 0;  // would read files of this machine
  if (const auto suite = accepted([&] { return parse_suite(text, "fuzz", "/nowhere"); })) {
    gate_limits(*suite);
    work_order_keys(materialize_suite(*suite));
  }
  return 0;
}
