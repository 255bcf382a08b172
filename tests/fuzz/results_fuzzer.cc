// libFuzzer target of saved results and accepted values: any bytes are results or an Error, and what was read is
// written and read again as the same.
#include <string>

#include "fuzz/fuzz_input.h"
#include "icount/base/error.h"
#include "icount/store/expected_file.h"
#include "icount/store/result_file.h"
#include "icount/store/stored_run.h"

namespace {

using namespace icount;

/// What diff, gate and show ask of every result.
void ask(const ResultFile& file, const Result& result) {
  result_key(result);
  median_count(result);
  accepted([&] { return count_spread(result); });
  per_run(result);
  full_fingerprint(file, result);
  accepted([&] { return unpack_graph(result, "fuzz"); });
  accepted([&] { return unpack_stacks(result, "fuzz"); });
}

/// Into the columns of the history and back.
void check_stored(const ResultFile& file) {
  const auto run = accepted([&] { return make_stored_run(file, {}, "fuzz"); });
  if (!run) return;
  for (const StoredResult& stored : run->results) join_stored_result(stored, run->texts.at(stored.record), "stored");
}

void check_results(const ResultFile& file) {
  for (const Result& result : file.results) ask(file, result);
  check_stored(file);
  const std::string written = result_file_text(file);
  ICOUNT_CHECK(result_file_text(parse_result_file(written, "written").file) == written,
               "reading again changed a saved result");
}

void check_expected(const ExpectedFile& file) {
  const std::string written = expected_file_text(file);
  ICOUNT_CHECK(expected_file_text(parse_expected_file(written, "written")) == written,
               "reading again changed an accepted value");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = as_text(data, size);
  if (const auto loaded = accepted([&] { return parse_result_file(text, "fuzz"); })) check_results(loaded->file);
  if (const auto file = accepted([&] { return parse_expected_file(text, "fuzz"); })) check_expected(*file);
  return 0;
}
