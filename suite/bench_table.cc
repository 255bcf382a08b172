#include "icount/suite/bench_table.h"

#include "icount/suite/environment_table.h"

namespace icount {

BenchBinary read_bench_table(TableReader& table, const std::filesystem::path& folder) {
  BenchBinary bench;
  bench.command.push_back(table.required_text("binary"));
  for (std::string& argument : table.texts("args")) bench.command.push_back(std::move(argument));
  bench.folder = folder;
  if (const std::string there = table.text("folder"); !there.empty()) bench.folder = folder / there;
  bench.environment = read_environment_table(table);
  bench.filter = table.text("filter");
  bench.functions = table.text("case");
  constexpr int64_t kLeast = 3, kMost = 1'000'000'000;
  bench.number = table.integer("number", kLeast, kMost);
  bench.timeout_s = table.positive_number("timeout_s");
  return bench;
}

}  // namespace icount
