#include "icount/harness/python_interpreter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "icount/base/edge_lines.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"
#include "icount/base/json.h"
#include "icount/base/process.h"
#include "icount/base/text.h"
#include "python_probe_text.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr int kOldestMinor = 9;
constexpr int kFirstWithSafePath = 11;
constexpr Seconds kImportLimit{300};
constexpr std::string_view kMark = "icount ";
constexpr const char* kVersionFile = "version";

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

/// What the interpreter says of itself; `option` is one of the probe's, or empty.
Json ask(const std::string& program, const std::string& option, const std::vector<std::string>& path) {
  ProcessSpec spec;
  spec.argv = {program, "-s", "-c", std::string(python_probe_text())};
  if (!option.empty()) spec.argv.push_back(option);
  spec.working_dir = "/";
  if (!path.empty()) spec.argv.insert(spec.argv.begin(), {"env", fmt::format("PYTHONPATH={}", fmt::join(path, ":"))});
  spec.time_limit = kImportLimit;
  return find_answer(program, run_process(spec));
}

/// Error{kTool} when it is not one that can be used.
PythonInterpreter parse_answer(const std::string& program, const Json& answer) {
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

}  // namespace

std::vector<std::string> PythonInterpreter::flags() const {
  if (minor >= kFirstWithSafePath) return {"-P", "-s", "-B"};
  return {"-s", "-B"};
}

std::string choose_python(const std::string& asked, const Environment& environment) {
  // A path is the caller's, and interpreters are started in another folder.
  if (!asked.empty()) return asked.find('/') == std::string::npos ? asked : fs::absolute(asked).string();
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const auto root = environment.get(name); root && !root->empty()) return *root + "/bin/python";
  return "python3";
}

PythonInterpreter probe_python(const std::string& program, bool with_torch, const std::vector<std::string>& path,
                               BuildCache* cache) {
  if (find_program(program).empty())
    throw Error(ErrorKind::kTool,
                fmt::format("no Python interpreter {}; is it installed and in PATH? Name one with --python", program));
  if (!with_torch) return parse_answer(program, ask(program, "", path));
  if (!cache) return parse_answer(program, ask(program, "--torch", path));
  const Json without = ask(program, "--find-torch", path);
  PythonInterpreter found = parse_answer(program, without);
  const std::string facts = text_of(without, "torch_facts");
  const std::string key = content_hash("torch of an interpreter\n" + facts);
  const auto known = facts.empty() ? std::nullopt : cache->find(key);
  if (known) {
    found.torch_version = load_text(*known / kVersionFile);
    return found;
  }
  found = parse_answer(program, ask(program, "--torch", path));
  if (!facts.empty() && !found.torch_version.empty())
    cache->get(key, [&](const fs::path& folder) {
      save_file(folder / kVersionFile, found.torch_version);
      return true;
    });
  return found;
}

}  // namespace icount
