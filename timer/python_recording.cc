#include "icount/timer/python_recording.h"

#include <fmt/format.h>

#include <utility>

#include "icount/base/text.h"
#include "icount/callgraph/python_calls.h"

namespace icount {
namespace {

constexpr int kFirstWithTrampoline = 12;
constexpr int64_t kFirstFolder = 8;  // descriptor, as in harness/python_stub.cc
constexpr std::string_view kOpenFolder = "/proc/self/fd/";

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";

/// Patterns for all C functions but those that a thread, a signal or the recording itself begins with (clone,
/// signal_handler, icount_stub::Server, its handler in an unnamed namespace): Callgrind crashes where the first
/// function of a call stack has a group.
std::vector<std::string> grouped_names() {
  std::vector<std::string> patterns = {"<*", "~*"};
  for (const char first : kLetters) {
    const char without = first == 'c' ? 'l' : first == 'i' ? 'c' : first == 's' ? 'i' : '\0';
    if (without == '\0') {
      patterns.push_back(fmt::format("{}*", first));
      continue;
    }
    for (const char second : std::string(kLetters) + "0123456789")
      if (second != without) patterns.push_back(fmt::format("{}{}*", first, second));
  }
  return patterns;
}

/// All C functions are one group, within which Callgrind begins no new context, so that C code keeps the context of the
/// function that the evaluator called. The evaluator is a group of its own and needs only its trampoline; trampolines
/// have no name but their address, as have entries of linkage tables, which break the group: hence eight callers.
std::vector<std::string> context_options() {
  std::vector<std::string> options = {"--separate-callers=8", "--separate-recs=1", "--dump-instr=no", "--dump-line=no",
                                      "--collect-jumps=no"};
  for (const std::string& pattern : grouped_names()) options.push_back("--fn-group1=" + pattern);
  options.emplace_back("--fn-group2=*PyEval_EvalFrameDefault*");
  options.emplace_back("--separate-callers1=*PyEval_EvalFrameDefault*");
  return options;
}

/// "/proc/self/fd/8/app.py" -> "app.py" in the folder that was open there.
std::string file_as_known(const std::string& file, const std::vector<std::string>& folders, const std::string& here) {
  if (!file.starts_with(kOpenFolder)) return file;
  const size_t slash = file.find('/', kOpenFolder.size());
  if (slash == std::string::npos) return file;
  const auto number = parse_int64(std::string_view(file).substr(kOpenFolder.size(), slash - kOpenFolder.size()));
  if (!number || *number < kFirstFolder || *number - kFirstFolder >= static_cast<int64_t>(folders.size())) return file;
  const std::string& folder = folders[static_cast<size_t>(*number - kFirstFolder)];
  return folder == here ? file.substr(slash + 1) : folder + file.substr(slash);
}

}  // namespace

bool records_python_calls(const CollectOptions& options, const PythonInterpreter& python) {
  return options.python_calls && python.minor >= kFirstWithTrampoline && options.markers == Markers::kDump &&
         !options.per_thread;
}

CollectOptions recording_options(const CollectOptions& options, bool torch) {
  CollectOptions recording = options;
  recording.repeats = 1;
  recording.slope = false;
  recording.keep_lines = false;
  recording.keep_insides = false;
  recording.stacks = 0;
  recording.keep_dir.clear();
  recording.callgrind_options = context_options();
  recording.on_result = nullptr;
  if (!torch) recording.server.use = SessionUse::kOff;
  return recording;
}

PythonRecording take_python_recording(CollectResult recorded, const PythonStub& stub, const std::string& here) {
  std::vector<std::string> folders = {stub.home};
  folders.insert(folders.end(), stub.folders.begin(), stub.folders.end());
  PythonRecording taken;
  std::vector<PythonFunction> functions;
  for (PythonFunction& function : recorded.python_functions) {
    if (function.address == 0) {
      taken.problem = function.name;
      continue;
    }
    function.file = file_as_known(function.file, folders, here);
    functions.push_back(std::move(function));
  }
  if (recorded.status != CollectStatus::kDone)
    taken.problem = recorded.error.empty() ? std::string(to_text(recorded.status)) : recorded.error;
  if (functions.empty() && taken.problem.empty()) taken.problem = "the interpreter reported no function";
  if (taken.problem.empty()) taken.calls = make_python_calls(recorded.graph, functions);
  return taken;
}

}  // namespace icount
