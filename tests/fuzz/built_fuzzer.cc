// libFuzzer target of what compilers and measured programs hand us: object files, the lines of a stub server,
// Valgrind's log.
#include <string>

#include "fuzz/fuzz_input.h"
#include "icount/base/error.h"
#include "icount/callgrind/valgrind_log.h"
#include "icount/harness/object_layout.h"
#include "icount/harness/stub_protocol.h"

using namespace icount;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(as_text(data, size));
  ICOUNT_CHECK(align_data_to_pages(text).size() == size, "aligning changed the size of an object file");
  accepted([&] { return parse_hello(text); });
  if (const auto ended = accepted([&] { return parse_ended(parse_reply(text)); })) describe_job_end(*ended, 1.5);
  if (const auto instruction = find_unhandled_instruction(text, 1)) describe(*instruction);
  return 0;
}
