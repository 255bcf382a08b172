#include "icount/harness/python_stub.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"
#include "icount/base/json.h"
#include "icount/base/process.h"
#include "icount/base/text.h"
#include "icount/harness/compile.h"
#include "icount/harness/globals.h"
#include "icount/harness/stub_source.h"
#include "python_bytecode_text.h"
#include "python_compile_text.h"
#include "python_modules_text.h"
#include "python_probe_text.h"
#include "python_recording_text.h"
#include "python_server_text.h"
#include "stub_benchmark_text.h"
#include "stub_server_py_text.h"

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

namespace {

/// The descriptor of PythonStub::home.
constexpr const char* kHome = "/proc/self/fd/8";

/// The server's compiled half. Our libstdc++ comes with it: the interpreter may bring an older one.
fs::path build_library(const Compiler& compiler, BuildCache& cache) {
  OwnLibrary library;
  library.what = "the Python stub server";
  library.files = {{"stub_benchmark.h", std::string(stub_benchmark_text())},
                   {"stub_server.h", make_stub_text("stub_server.h")},
                   {"python_bytecode.h", std::string(python_bytecode_text())},
                   {"python_server.cc", std::string(python_server_text())}};
  library.flags = {"-DNDEBUG", "-static-libstdc++", "-static-libgcc"};
  library.name = "python_server.so";
  return build_own_library(library, compiler, cache);
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

Json to_json(const GlobalValue& global) {
  using Kind = GlobalValue::Kind;
  Json json = {{"name", global.name}, {"setup", global.setup}, {"value", global.value}};
  switch (global.kind) {
    case Kind::kInteger:
      json["kind"] = "int";
      break;
    case Kind::kNumber:
      json["kind"] = "float";
      break;
    case Kind::kBool:
      json["kind"] = "bool";
      break;
    case Kind::kString:
    case Kind::kBytes:
      json["kind"] = global.kind == Kind::kString ? "str" : "bytes";
      json["value"] = base64(global.value);
      break;
    case Kind::kJson:
      json["kind"] = "json";
      break;
    case Kind::kTensorFile:
    case Kind::kModuleFile:
      json["kind"] = global.kind == Kind::kTensorFile ? "tensor" : "module";
      json["path"] = fs::absolute(global.value).string();
      json["value"] = "";
      break;
  }
  return json;
}

/// What the descriptor that the interpreter is started from leads to: the folder above its own. Of a virtual
/// environment a folder of links, with settings (pyvenv.cfg) that say nothing else: the interpreter reads them, and the
/// length of what the tool that made it has put there, such as the place of the interpreter, would move counts.
fs::path home_to_open(const fs::path& home, BuildCache& cache) {
  constexpr const char* kSettings = "pyvenv.cfg";
  std::error_code error;
  if (!fs::exists(home / kSettings, error)) return home;
  const std::string settings = load_text(home / kSettings);
  std::string text;
  fs::path base;
  for (const std::string_view line : split_lines(settings)) {
    const size_t equals = std::min(line.find('='), line.size());
    const std::string_view name = trim(line.substr(0, equals));
    if (name == "home" && equals < line.size()) {
      const fs::path bin = trim(line.substr(equals + 1));
      base = bin.parent_path();
      text += fmt::format("home = {}/base/{}\n", kHome, bin.filename().string());
    } else if (name == "include-system-site-packages") {
      text += fmt::format("{}\n", line);
    }
  }
  const std::string key =
      content_hash(fmt::format("links to an environment\n{}\n{}\n{}", home.string(), base.string(), text));
  const auto made = cache.get(key, [&](const fs::path& folder) {
    save_file(folder / kSettings, text);
    if (!base.empty()) fs::create_symlink(base, folder / "base");
    for (const char* name : {"bin", "lib", "lib64"})
      if (fs::exists(home / name)) fs::create_symlink(home / name, folder / name);
    return true;
  });
  return made.value_or(home);
}

/// A request with one entry for each statement, so that numbers are theirs; those of other servers stay empty.
Json make_request(std::span<const TimerArgs> statements, std::span<const size_t> members,
                  const PythonStubOptions& options) {
  Json request = {
      {"number", options.number}, {"path", options.path}, {"here", options.here}, {"statements", Json::array()}};
  for (size_t i = 0; i < statements.size(); ++i) {
    const bool is_member = std::find(members.begin(), members.end(), i) != members.end();
    if (!is_member) {
      request["statements"].push_back(nullptr);
      continue;
    }
    const TimerArgs& args = statements[i];
    Json globals = Json::array();
    for (const GlobalValue& global : args.globals) globals.push_back(to_json(global));
    request["statements"].push_back({{"stmt", args.stmt},
                                     {"setup", args.setup},
                                     {"global_setup", args.global_setup},
                                     {"backward", args.backward},
                                     {"globals", std::move(globals)}});
  }
  return request;
}

/// Writes the plan; fills in what did not compile and the folders that are searched.
void compile_plan(const PythonInterpreter& python, const Json& request, const fs::path& plan, PythonStub& stub) {
  ProcessSpec spec;
  spec.argv = {python.path.string()};
  for (const std::string& flag : python.flags()) spec.argv.push_back(flag);
  spec.argv.insert(spec.argv.end(), {"-c", std::string(python_compile_text()), plan.string()});
  spec.environment =
      std::vector<std::string>{"PATH=/usr/local/bin:/usr/bin:/bin", "PYTHONHASHSEED=0", "LC_ALL=C.UTF-8"};
  spec.working_dir = "/";
  spec.input = dump_json(request, -1);
  spec.time_limit = Seconds(300);
  const ProcessOutcome outcome = run_process(spec);
  if (!outcome.ok())
    throw Error(ErrorKind::kTool, fmt::format("{} could not compile the statements: {}\n{}", python.path.string(),
                                              describe_end(outcome), outcome.errors));
  constexpr std::string_view kName = "the answer of python_compile.py";
  const Json answer = parse_json(outcome.output, kName);
  for (const Json& failure : json_field(answer, "failures", kName))
    stub.failures.push_back({failure.at("statement").get<size_t>(), failure.at("error").get<std::string>(),
                             failure.at("details").get<std::string>()});
  stub.folders = json_field(answer, "folders", kName).get<std::vector<std::string>>();
}

/// The Python half of the server; what records calls goes in where the server is ready, what is loaded before it
/// serves.
std::string server_text(const PythonStubOptions& options) {
  std::string text(stub_server_py_text());
  const auto insert_before = [&](std::string_view line, std::string_view more) {
    const size_t place = text.find(line);
    ICOUNT_CHECK(place != std::string::npos, "stub_server.py lacks the line that another text goes before");
    text.insert(place + 1, fmt::format("{}\n", more));
  };
  if (options.calls) insert_before("\nnext_phase = library.", python_recording_text());
  if (!options.preload.empty()) insert_before("\nserve()\n", options.preload);
  return text;
}

bool is_name_byte(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool names_torch(std::string_view text) {
  constexpr std::string_view kWord = "torch";
  for (size_t at = text.find(kWord); at != std::string_view::npos; at = text.find(kWord, at + 1)) {
    const size_t end = at + kWord.size();
    if ((at == 0 || !is_name_byte(text[at - 1])) && (end == text.size() || !is_name_byte(text[end]))) return true;
  }
  return false;
}

}  // namespace

bool needs_torch(const TimerArgs& args) {
  for (const GlobalValue& global : args.globals)
    if (global.kind == GlobalValue::Kind::kTensorFile || global.kind == GlobalValue::Kind::kModuleFile) return true;
  return names_torch(args.stmt) || names_torch(args.setup) || names_torch(args.global_setup);
}

bool wants_torch(const TimerArgs& args) { return args.torch || needs_torch(args); }

TorchSplit split_by_torch(std::span<const TimerArgs> statements, std::span<const size_t> members,
                          const PythonInterpreter& python) {
  TorchSplit split;
  for (const size_t member : members) {
    if (wants_torch(statements[member]) && !python.torch_version.empty())
      split.with.push_back(member);
    else if (needs_torch(statements[member]))
      split.refused.push_back(member);
    else
      split.without.push_back(member);
  }
  return split;
}

std::string describe_missing_torch(const PythonInterpreter& python) {
  return fmt::format(
      "the statement needs torch, which {} (Python {}) can't import: {}; name an interpreter that has it with --python",
      python.path.string(), python.version, python.torch_error);
}

std::vector<std::string> python_path(const ToolchainOptions& options, const Environment& environment) {
  std::vector<std::string> folders;
  for (const std::string& folder : options.python_path) {
    std::error_code error;
    if (!fs::is_directory(folder, error))
      throw Error(ErrorKind::kUsage, fmt::format("--python-path {}: no such folder", folder));
    folders.push_back(fs::absolute(folder).string());
  }
  const std::string path = environment.get("PYTHONPATH").value_or("");
  for (const std::string_view folder : split(path, ':'))
    if (std::error_code error; !folder.empty() && fs::exists(folder, error))
      folders.push_back(fs::absolute(folder).string());
  return folders;
}

std::vector<std::string> list_modules_command(const PythonInterpreter& python, bool torch) {
  std::vector<std::string> command = {python.path.string()};
  for (const std::string& flag : python.flags()) command.push_back(flag);
  command.insert(command.end(), {"-c", std::string(python_modules_text())});
  if (torch) command.emplace_back("--torch");
  return command;
}

PythonStub make_python_stub(std::span<const TimerArgs> statements, std::span<const size_t> members,
                            const PythonInterpreter& python, const Compiler& compiler, BuildCache& cache,
                            const PythonStubOptions& options) {
  PythonStub stub;
  for (const size_t member : members) check_globals(statements[member].globals);
  const fs::path library = build_library(compiler, cache);
  const fs::path folder = stub.folder.path();
  compile_plan(python, make_request(statements, members, options), folder / "plan", stub);
  const std::string server = server_text(options);
  save_file(folder / "stub_server.py", server);
  for (const size_t member : members)
    if (std::none_of(stub.failures.begin(), stub.failures.end(),
                     [&](const BuildFailure& failure) { return failure.statement == member; }))
      stub.statements.push_back(member);
  // The server reads descriptors: a path would be a string in its heap, of this user's length and content. What is
  // timed may start further processes, which have no descriptors, by sys.executable.
  const fs::path bin = python.path.parent_path();
  stub.home = bin.parent_path().string();
  const fs::path program = options.number > 0 ? fs::path(kHome) / bin.filename() / python.path.filename() : python.path;
  stub.prefix = {"/bin/sh",
                 "-c",
                 "exec 5<\"$1\" 6<\"$2\" 7<\"$3\" 8<\"$4\"; shift 4; exec \"$@\"",
                 "sh",
                 (folder / "stub_server.py").string(),
                 library.string(),
                 (folder / "plan").string(),
                 home_to_open(stub.home, cache).string()};
  stub.program = {program.string()};
  for (const std::string& flag : python.flags()) stub.program.push_back(flag);
  stub.program.insert(stub.program.end(), {"-S", "-c", "exec(compile(open(5).read(), 'stub_server.py', 'exec'))"});
  if (options.torch) stub.program.push_back("--torch");
  stub.library = library.string();
  stub.calls = options.calls;
  stub.server_identity = content_hash(server);
  return stub;
}

}  // namespace icount
