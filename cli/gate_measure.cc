#include "icount/cli/gate_measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "icount/base/error.h"
#include "icount/cli/command_suite_run.h"
#include "icount/console/options.h"
#include "icount/store/result_file.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPassed[] = {"filter",  "language", "shard",    "number",  "repeats",
                                        "timeout", "retries",  "jobs",     "no-warm", "cores",
                                        "torch",   "python",   "compiler", "cxxflag", "link-flag"};

}  // namespace

const std::vector<OptionSpec>& suite_run_pass_options() {
  static const std::vector<OptionSpec> rows = [] {
    std::vector<OptionSpec> found;
    for (const OptionSpec& row : suite_run_command().options)
      if (std::find(std::begin(kPassed), std::end(kPassed), row.name) != std::end(kPassed)) found.push_back(row);
    return found;
  }();
  return rows;
}

std::vector<std::string> passed_words(const ParsedOptions& parsed) {
  std::vector<std::string> words;
  for (const OptionSpec& row : suite_run_pass_options()) {
    if (!parsed.has(row.name)) continue;
    if (row.value.empty()) {
      words.push_back(fmt::format("--{}", row.name));
    } else {
      for (const std::string& value : parsed.texts(row.name)) words.push_back(fmt::format("--{}={}", row.name, value));
    }
  }
  return words;
}

ResultFile measure_suite(const std::string& suite, const std::vector<std::string>& words, const fs::path& out,
                         CommandContext& context) {
  std::vector<std::string> all = words;
  all.push_back("--out=" + out.string());
  all.push_back(suite);
  std::ostringstream table;
  CommandContext inner{.out = table,
                       .err = context.err,
                       .terminal = {},
                       .error_terminal = context.error_terminal,
                       .environment = context.environment,
                       .cancelled = context.cancelled,
                       .arguments = {"suite", "run"}};
  inner.arguments.insert(inner.arguments.end(), all.begin(), all.end());
  suite_run_command().run(parse_options(suite_run_command(), all), inner);
  if (context.cancelled && context.cancelled()) throw Error(ErrorKind::kTool, "interrupted");
  return load_result_file(out).file;
}

}  // namespace icount
