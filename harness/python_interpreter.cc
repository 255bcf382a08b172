#include "icount/harness/python_interpreter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "icount/base/edge_lines.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/base/process.h"
#include "icount/base/text.h"
#include "python_probe_text.h"

namespace icount {
namespace {

constexpr int kOldestMinor = 9;
constexpr int kFirstWithSafePath = 11;
constexpr Seconds kImportLimit{300};
constexpr std::string_view kMark = "icount ";

/// The line that the probe writes; what site hooks and imports print around it is skipped.
Json find_answer(const std::string& program, const ProcessOutcome& outcome) {
  if (outcome.ok())
    for (const std::string_view line : split_lines(outcome.output))
      if (line.starts_with(kMark)) return parse_json(line.substr(kMark.size()), "the answer of " + program);
  const std::string words = last_line(outcome.errors);
  throw Error(ErrorKind::kTool, fmt::format("cannot use the Python interpreter {}: {}{}", program,
                                            describe_end(outcome), words.empty() ? "" : "; its output: " + words));
}

std::string text_of(const Json& answer, std::string_view key) {
  return json_field(answer, key, "the answer of Python").get<std::string>();
}

}  // namespace

std::vector<std::string> PythonInterpreter::flags() const {
  if (minor >= kFirstWithSafePath) return {"-P", "-s", "-B"};
  return {"-s", "-B"};
}

std::string choose_python(const std::string& asked, const Environment& environment) {
  if (!asked.empty()) return asked;
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const auto root = environment.get(name); root && !root->empty()) return *root + "/bin/python";
  return "python3";
}

PythonInterpreter probe_python(const std::string& program, bool with_torch, const std::vector<std::string>& path) {
  if (find_program(program).empty())
    throw Error(ErrorKind::kTool,
                fmt::format("no Python interpreter {}; is it installed and in PATH? Name one with --python", program));
  ProcessSpec spec;
  spec.argv = {program, "-s", "-c", std::string(python_probe_text())};
  if (with_torch) spec.argv.push_back("--torch");
  spec.working_dir = "/";
  if (!path.empty()) spec.argv.insert(spec.argv.begin(), {"env", fmt::format("PYTHONPATH={}", fmt::join(path, ":"))});
  spec.time_limit = kImportLimit;
  const Json answer = find_answer(program, run_process(spec));

  PythonInterpreter found;
  found.path = text_of(answer, "executable");
  found.version = text_of(answer, "version");
  found.build = text_of(answer, "build");
  found.minor = json_field(answer, "minor", "the answer of Python").get<int>();
  found.torch_version = text_of(answer, "torch");
  found.torch_error = text_of(answer, "torch_error");
  if (const std::string kind = text_of(answer, "implementation"); kind != "cpython")
    throw Error(ErrorKind::kTool, fmt::format("{} is {}; Python statements need CPython", program, kind));
  if (found.minor < kOldestMinor)
    throw Error(ErrorKind::kTool,
                fmt::format("{} is Python {}; Python statements need 3.{} or newer (name another one with --python)",
                            program, found.version, kOldestMinor));
  if (const std::string missing = text_of(answer, "missing"); !missing.empty())
    throw Error(ErrorKind::kTool, fmt::format("{} lacks a module that the stub server needs: {}", program, missing));
  return found;
}

}  // namespace icount
