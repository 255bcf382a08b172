#include "cli/gate_files.h"

#include <fmt/format.h>

#include "base/error.h"
#include "suite/definition_file.h"
#include "suite/limits_table.h"
#include "suite/suite_record.h"

namespace icount {

std::string suite_of(const ResultFile& file) {
  for (const Result& result : file.results)
    if (std::string suite = parse_record(result.extra).file; !suite.empty()) return suite;
  return {};
}

std::filesystem::path expected_beside(const std::filesystem::path& suite) { return std::filesystem::path(suite).replace_extension(".expected"); }

LimitSet collect_limits(const std::string& suite, const std::vector<std::string>& limit_options) {
  std::vector<GateLimit> limits = default_limits();
  if (!suite.empty())
    for (GateLimit& limit : gate_limits(load_suite(suite))) limits.push_back(std::move(limit));
  for (const std::string& option : limit_options) limits.push_back(parse_limit_option(option));
  return LimitSet(std::move(limits));
}

std::string suite_for_limits(const ResultFile& file, const std::string& option, const std::string& result_name) {
  if (option == "none") return {};
  if (!option.empty()) return option;
  const std::string suite = suite_of(file);
  if (!suite.empty() && !std::filesystem::exists(suite))
    throw Error(ErrorKind::kUsage, fmt::format("{} was measured with {}, which is not here: --suite FILE says where its limits are, --suite none goes without", result_name, suite));
  return suite;
}

}  // namespace icount
