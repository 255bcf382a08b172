#include "icount/suite/ctest_programs.h"

#include <fmt/format.h>

#include <mutex>

#include "icount/base/error.h"
#include "icount/base/json.h"
#include "icount/base/process.h"
#include "icount/base/text.h"

namespace icount {
namespace {

std::vector<std::string> texts_of(const Json& value) {
  return value.is_string() ? std::vector{value.get<std::string>()} : value.get<std::vector<std::string>>();
}

/// Why the test is not counted; empty: it is.
std::string refusal_of(const Json& test) {
  if (!test.contains("command")) return "its program is not built";
  for (const Json& property : test.value("properties", Json::array())) {
    const std::string name = property.at("name");
    if (name == "DISABLED" && property.at("value") == true) return "it is disabled";
    if (name == "WILL_FAIL" && property.at("value") == true) return "it has to fail (WILL_FAIL)";
    if (name == "PASS_REGULAR_EXPRESSION" || name == "FAIL_REGULAR_EXPRESSION")
      return fmt::format("its output decides whether it passes ({})", name);
  }
  return {};
}

Benchmark benchmark_of(const Json& test) {
  Benchmark benchmark;
  benchmark.label = benchmark.timer_args.label = {test.at("name").get<std::string>()};
  ProgramRun& run = benchmark.program.emplace().run;
  run.command = test.at("command").get<std::vector<std::string>>();
  for (const Json& property : test.value("properties", Json::array())) {
    const std::string name = property.at("name");
    if (name == "WORKING_DIRECTORY") run.folder = property.at("value").get<std::string>();
    if (name == "ENVIRONMENT") run.environment = texts_of(property.at("value"));
    if (name == "TIMEOUT" && property.at("value").is_number() && property.at("value") > 0)
      run.timeout_s = 50 * property.at("value").get<double>();  // under Valgrind
  }
  return benchmark;
}

}  // namespace

CtestPrograms parse_ctest(std::string_view json, std::string_view name) {
  CtestPrograms programs;
  try {
    const Json list = parse_json(json, name);
    for (const Json& test : list.at("tests")) {
      if (std::string why = refusal_of(test); !why.empty())
        programs.refused.push_back({test.at("name").get<std::string>(), std::move(why)});
      else
        programs.benchmarks.push_back(benchmark_of(test));
    }
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::kMalformed,
                fmt::format("{}: not a list of tests as ctest writes it: {}", name, error.what()));
  }
  return programs;
}

CtestPrograms load_ctest(const std::filesystem::path& build_folder, const Environment& environment) {
  ProcessSpec ctest;
  ctest.argv = {"ctest", "--test-dir", build_folder.string(), "--show-only=json-v1"};
  ctest.environment = environment.block();
  const ProcessOutcome outcome = run_process(ctest);
  if (!outcome.ok())
    throw Error(ErrorKind::kTool, fmt::format("cannot list the tests of {} with ctest: {}: {}", build_folder.string(),
                                              describe_end(outcome), escape_for_terminal(trim(outcome.errors))));
  CtestPrograms programs = parse_ctest(outcome.output, fmt::format("the answer of ctest in {}", build_folder.string()));
  if (programs.benchmarks.empty() && programs.refused.empty())
    throw Error(ErrorKind::kCannotJudge,
                fmt::format("{} has no tests: ctest lists none; is it the build folder?", build_folder.string()));
  return programs;
}

BenchCount count_ctest(const CtestPrograms& programs, RunProgramsOptions options, const CountProgram& count) {
  BenchCount counted;
  counted.framework = "ctest";
  counted.refused = programs.refused;
  counted.results.resize(programs.benchmarks.size());
  std::vector<size_t> all(programs.benchmarks.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  std::mutex mutex;
  options.on_result = [&](size_t i, Result result, const StatementFiles&) {
    result.task.language = "ctest";
    classify_test(result);
    const std::lock_guard lock(mutex);
    counted.results[i] = std::move(result);
  };
  run_programs(programs.benchmarks, all, options, count);
  return counted;
}

}  // namespace icount
