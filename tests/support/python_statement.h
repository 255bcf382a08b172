// Statements in plain Python, for tests that run them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "icount/base/error.h"
#include "icount/base/process.h"
#include "icount/harness/environment.h"
#include "icount/harness/python_stub.h"
#include "icount/harness/timer_args.h"

namespace icount {

inline TimerArgs python_statement(std::string stmt, std::string setup = {}) {
  TimerArgs args;
  args.language = Language::kPython;
  args.torch = false;
  args.stmt = std::move(stmt);
  args.setup = std::move(setup);
  return args;
}

// A CPython that can record the calls between its functions, for tests that need one.

/// The path of CPython 3.12 or newer: one in PATH, else the newest of pyenv's; empty when there is none.
inline std::string find_new_python() {
  std::vector<std::string> candidates = {"python3.14", "python3.13", "python3.12", "python3"};
  const Environment environment = current_environment();
  const std::string home = environment.get("HOME").value_or("");
  const std::filesystem::path versions =
      std::filesystem::path(environment.get("PYENV_ROOT").value_or(home + "/.pyenv")) / "versions";
  std::vector<std::string> installed;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(versions, ignored))
    installed.push_back((entry.path() / "bin" / "python3").string());
  std::sort(installed.rbegin(), installed.rend());
  candidates.insert(candidates.end(), installed.begin(), installed.end());
  for (const std::string& candidate : candidates) {
    try {
      if (const PythonInterpreter python = probe_python(candidate, false); python.minor >= 12)
        return python.path.string();
    } catch (const Error&) {  // none of that name, or none that runs
    }
  }
  return {};
}

}  // namespace icount
