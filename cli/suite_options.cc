#include "icount/cli/suite_options.h"

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/suite/definition_file.h"
#include "icount/suite/suite_record.h"
#include "icount/suite/work_order.h"

namespace icount {

PlanOptions read_plan_options(const ParsedOptions& parsed) {
  PlanOptions options;
  options.filter = parsed.text("filter");
  try {
    for (const std::string& list : parsed.texts("language")) {
      for (std::string_view name : split(list, ',')) options.languages.push_back(parse_language(name));
    }
    if (parsed.has("shard")) options.shard = parse_shard(parsed.text("shard"));
  } catch (const Error& error) {
    parsed.problem(error.what());
  }
  return options;
}

LoadedSuite load_suite_benchmarks(const std::string& file, const ExpandOptions& options) {
  LoadedSuite loaded;
  loaded.suite = load_suite(file);
  loaded.benchmarks = materialize_suite(loaded.suite, options);
  loaded.identity = to_text(SuiteIdentity{loaded.suite.name, loaded.suite.version, loaded.benchmarks.size(),
                                          keys_md5(work_order_keys(loaded.benchmarks))});
  return loaded;
}

}  // namespace icount
