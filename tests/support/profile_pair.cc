#include "support/profile_pair.h"

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/callgrind/cost_graph_builder.h"
#include "icount/callgrind/parser.h"
#include "icount/report/cause_sentence.h"
#include "support/golden.h"

namespace icount {
namespace {

void run_or_throw(ProcessSpec spec) {
  spec.time_limit = Seconds(1200);
  const ProcessOutcome outcome = run_process(spec);
  if (!outcome.ok())
    throw Error(ErrorKind::kTool, shell_quote(spec.argv) + ": " + describe_end(outcome) + "\n" + outcome.errors);
}

}  // namespace

CostGraph load_graph(const std::filesystem::path& profile) {
  const FileBytes bytes = load_file(profile);
  ParseOptions options;
  options.keep_lines = true;
  return make_cost_graph(parse_profile(bytes.view(), profile.filename().string(), options));
}

std::string missing_tools() {
  for (const char* tool : {"valgrind", "gcc", "g++", "strip"})
    if (find_program(tool).empty()) return std::string(tool) + " is not installed";
  return {};
}

CostGraph count_program(const BuildSpec& spec) {
  const ScratchDir scratch("explain");
  const auto folder = scratch.path() / spec.folder;
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(testdata("programs") / spec.source, folder / spec.source);
  const bool is_c = spec.source.ends_with(".c");
  ProcessSpec compile;
  compile.argv = {is_c ? "gcc" : "g++", is_c ? "-std=c11" : "-std=c++17"};
  compile.argv.insert(compile.argv.end(), spec.flags.begin(), spec.flags.end());
  compile.argv.insert(compile.argv.end(), {(folder / spec.source).string(), "-o", (folder / "program").string()});
  run_or_throw(compile);
  if (spec.strip) run_or_throw({.argv = {"strip", (folder / "program").string()}});
  const auto profile = folder / "profile.out";
  ProcessSpec count;
  count.argv = {"valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=" + profile.string(),
                (folder / "program").string()};
  count.environment = std::vector<std::string>{"PATH=/usr/bin:/bin"};
  count.environment->insert(count.environment->end(), spec.environment.begin(), spec.environment.end());
  run_or_throw(count);
  return load_graph(profile);
}

std::string all_names(const Cause& cause) {
  return cause.function + " " + cause.caller + " " + cause.callee + " " + cause_sentence(cause);
}

}  // namespace icount
