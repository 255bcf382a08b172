// libFuzzer target of suites that include each other, and of values handed to statements. The input is a.toml, b.toml
// and c.toml, parted by lines of "=====", or behind a 'G' one value a line.
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "fuzz/fuzz_input.h"
#include "icount/base/error.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/harness/globals.h"
#include "icount/suite/definition_file.h"
#include "icount/suite/work_order.h"

namespace {

using namespace icount;

void check_suites(std::string_view text) {
  if (text.find('/') != std::string_view::npos || text.find('\\') != std::string_view::npos)
    return;  // would read files of this machine
  static const ScratchDir folder("icount-fuzz");
  static std::map<std::string_view, std::string> written;  // a file that stays is not written again
  constexpr std::string_view kParting = "=====\n";
  for (const char* name : {"a.toml", "b.toml", "c.toml"}) {
    const size_t end = std::min(text.find(kParting), text.size());
    const auto [was, fresh] = written.try_emplace(name);
    if (fresh || was->second != text.substr(0, end)) {
      was->second = text.substr(0, end);
      std::ofstream(folder.path() / name, std::ios::binary) << was->second;
    }
    text.remove_prefix(std::min(text.size(), end + kParting.size()));
  }
  const auto suite = accepted([&] { return load_suite(folder.path() / "a.toml"); });
  if (!suite) return;
  const auto order = [&] { return work_order_keys(materialize_suite(*suite)); };
  const auto keys = accepted(order);
  ICOUNT_CHECK(keys == accepted(order), "expanding a suite twice gave two lists");
}

void check_values(std::string_view text) {
  std::vector<GlobalValue> values;
  for (const std::string_view line : split_lines(text)) {
    if (line.find("file:") != std::string_view::npos || line.find("tensor:") != std::string_view::npos ||
        line.find("module:") != std::string_view::npos)
      continue;  // would read files of this machine
    if (auto value = accepted([&] { return parse_global(line); })) values.push_back(std::move(*value));
  }
  if (const auto made = accepted([&] { return make_cpp_globals(values); }))
    ICOUNT_CHECK(values.empty() || !made->setup.empty(), "a value is not defined");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = as_text(data, size);
  if (text.starts_with('G')) {
    check_values(text.substr(1));
  } else {
    check_suites(text);
  }
  return 0;
}
