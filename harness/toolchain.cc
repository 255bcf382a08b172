#include "icount/harness/toolchain.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/program_paths.h"
#include "icount/base/text.h"
#include "icount/harness/compiler_facts.h"
#include "icount/harness/elf_file.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// Runs `program --version`; empty when it does not run.
std::string ask_version(const fs::path& program) {
  try {
    const ProcessOutcome outcome = run_process({.argv = {program.string(), "--version"}, .time_limit = Seconds(20)});
    return outcome.ok() ? first_line(outcome.output) : std::string();
  } catch (const Error&) {
    return {};
  }
}

std::optional<Compiler> try_compiler(const std::string& name) {
  const fs::path path = find_program(name);
  if (path.empty()) return std::nullopt;
  Compiler compiler;
  compiler.path = path;
  compiler.version = ask_version(path);
  if (compiler.version.empty()) return std::nullopt;
  if (compiler.version.find("clang") != std::string::npos) {
    compiler.kind = Compiler::Kind::kClang;
    compiler.has_lld = !find_program("ld.lld").empty();
  } else if (const size_t blank = compiler.version.find(' '); blank != std::string::npos) {
    compiler.version.replace(0, blank, "g++");  // GCC begins with the name that it was called by: c++, g++-12
  }
  return compiler;
}

/// The value of `#define NAME VALUE` in a header's text; empty when it is not there.
std::string defined_value(std::string_view text, std::string_view name) {
  for (const std::string_view line : split_lines(text)) {
    const std::string wanted = fmt::format("#define {} ", name);
    if (line.starts_with(wanted)) return std::string(trim(line.substr(wanted.size())));
  }
  return {};
}

std::string load_torch_version(const std::vector<fs::path>& include_dirs) {
  for (const fs::path& dir : include_dirs) {
    for (const char* header : {"torch/version.h", "torch/headeronly/version.h"}) {
      if (!fs::exists(dir / header)) continue;
      const std::string text = load_regular_file(dir / header);
      const std::string major = defined_value(text, "TORCH_VERSION_MAJOR");
      if (major.empty()) continue;
      return fmt::format("{}.{}.{}", major, defined_value(text, "TORCH_VERSION_MINOR"),
                         defined_value(text, "TORCH_VERSION_PATCH"));
    }
  }
  return "unknown";
}

/// A library built with the old ABI has no symbol with the new string type in it.
bool uses_cxx11_abi(const fs::path& library) {
  const FileBytes bytes = load_file(library);
  return bytes.view().find("__cxx1112basic_string") != std::string_view::npos;
}

fs::path find_lib_dir(const fs::path& root) {
  for (const char* dir : {"lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"})
    if (std::error_code ignored; fs::exists(root / dir / "libtorch_cpu.so", ignored)) return root / dir;
  return {};
}

/// Where a LibTorch may lie below a folder that the user names: the folder itself, its "torch" or "libtorch", the torch
/// package of a virtual environment.
std::vector<fs::path> possible_roots(const fs::path& given) {
  std::vector<fs::path> roots = {given, given / "torch", given / "libtorch"};
  std::vector<fs::path> packages;
  for (const char* lib : {"lib", "lib64"})
    for (const fs::path& entry : folder_entries(given / lib))
      if (entry.filename().string().starts_with("python3")) packages.push_back(entry / "site-packages/torch");
  std::sort(packages.begin(), packages.end());
  roots.insert(roots.end(), packages.begin(), packages.end());
  return roots;
}

/// The LibTorch at one of `folder`'s possible_roots; nullopt when there is none. The measured process has another
/// working directory, so all paths become absolute.
std::optional<LibTorch> try_libtorch(const fs::path& folder, std::string_view found_by) {
  for (const fs::path& root : possible_roots(fs::absolute(folder))) {
    LibTorch torch;
    torch.root = root;
    torch.lib_dir = find_lib_dir(root);
    std::error_code ignored;
    if (torch.lib_dir.empty() || !fs::exists(root / "include/torch", ignored)) continue;
    torch.include_dirs = {root / "include", root / "include/torch/csrc/api/include"};
    torch.version = load_torch_version({torch.include_dirs[1], torch.include_dirs[0]});
    torch.build_id = load_file_identity(torch.lib_dir / "libtorch_cpu.so");
    const fs::path c10 = torch.lib_dir / "libc10.so";
    torch.cxx11_abi = uses_cxx11_abi(fs::exists(c10) ? c10 : torch.lib_dir / "libtorch_cpu.so");
    torch.found_by = found_by;
    return torch;
  }
  return std::nullopt;
}

/// Where an interpreter would import torch from, without importing it.
std::optional<fs::path> ask_python(const std::string& python) {
  static constexpr const char* kQuestion =
      "import importlib.util as u\ns = u.find_spec('torch')\nprint(s.submodule_search_locations[0] if s else '')";
  try {
    const ProcessOutcome outcome = run_process({.argv = {python, "-c", kQuestion}, .time_limit = Seconds(20)});
    const std::string path = outcome.ok() ? first_line(outcome.output) : std::string();
    if (!path.empty()) return fs::path(path);
  } catch (const Error&) {
    // no such interpreter: then it has no torch
  }
  return std::nullopt;
}

std::string active_python(const ToolchainOptions& options, const Environment& environment) {
  if (!options.python.empty()) return options.python;
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const auto root = environment.get(name); root && !root->empty()) return *root + "/bin/python";
  return "python3";
}

/// "-I . -Isn" as the flags that were meant: "-I.", "-Isn". Empty for one flag, blanks in its value or not.
std::vector<std::string> split_joined_flags(std::string_view flag) {
  const size_t blank = flag.find(' ');
  if (!flag.starts_with('-') || blank == std::string_view::npos) return {};
  const std::string_view first = flag.substr(0, blank);
  const bool wants_value = first == "-I" || first == "-L" || first == "-l" || first == "-D" || first == "-U";
  const bool is_whole = first.find_first_of("=\"'") == std::string_view::npos && !wants_value;
  if (!wants_value && !(is_whole && trim(flag.substr(blank)).starts_with('-'))) return {};
  std::vector<std::string> flags;
  bool open = false;  // the last one waits for its value
  for (const std::string_view word : split(flag, ' ')) {
    if (word.empty()) continue;
    if (open)
      flags.back() += word;
    else
      flags.emplace_back(word);
    open = !open && word.size() == 2 && std::string_view("ILlDU").find(word[1]) != std::string_view::npos;
  }
  return flags;
}

/// The program that CXX names; empty where it is not set. Wrappers that only cache or distribute are left out: icount
/// has a cache of its own.
std::string compiler_of_cxx(const Environment& environment) {
  const std::string variable = environment.get("CXX").value_or("");
  std::string program;
  for (const std::string_view word : split(variable, ' ')) {
    const fs::path name = fs::path(word).filename();
    if (word.empty() ||
        (program.empty() && (name == "ccache" || name == "sccache" || name == "distcc" || name == "icecc")))
      continue;
    if (!program.empty())
      throw Error(ErrorKind::kUsage,
                  fmt::format("CXX is '{}', a compiler with flags; name the compiler by --compiler, and "
                              "each flag by --cxxflag",
                              variable));
    program = word;
  }
  return program;
}

void check_flags(const std::vector<std::string>& flags, std::string_view option) {
  for (const std::string& flag : flags) {
    std::string single;
    for (const std::string& one : split_joined_flags(flag)) single += fmt::format(" {} {}", option, shell_quote({one}));
    if (!single.empty())
      throw Error(
          ErrorKind::kUsage,
          fmt::format("{} '{}' is one flag with a blank inside, which the compiler takes as one word; pass each flag "
                      "separately:{}",
                      option, flag, single));
  }
}

}  // namespace

Compiler probe_compiler(const ToolchainOptions& options, const Environment& environment, CompilerFor what) {
  const std::string named = options.compiler.empty() ? compiler_of_cxx(environment) : options.compiler;
  if (!named.empty()) {
    if (auto compiler = try_compiler(named)) return *compiler;
    throw Error(ErrorKind::kTool, fmt::format("cannot run the compiler {}{}; is it installed and in PATH?", named,
                                              options.compiler.empty() ? ", which CXX names" : ""));
  }
  std::vector<const char*> names = {"c++", "g++", "clang++"};
  const auto clangs = {"clang++", "clang++-19", "clang++-18", "clang++-17", "clang++-16", "clang++-15", "clang++-14"};
  names.insert(what == CompilerFor::kLibTorch ? names.begin() : names.end(), clangs);
  for (const char* name : names)
    if (auto compiler = try_compiler(name)) return *compiler;
  throw Error(ErrorKind::kTool, "no C++ compiler found; install one: apt-get install g++ (for LibTorch clang and lld)");
}

std::vector<LibTorch> probe_libtorches(const ToolchainOptions& options, const Environment& environment) {
  std::vector<LibTorch> found;
  auto add = [&](const fs::path& root, std::string_view by) {
    if (root.empty()) return;
    auto torch = try_libtorch(root, by);
    if (!torch) return;
    for (const LibTorch& known : found)
      if (fs::equivalent(known.lib_dir, torch->lib_dir)) return;
    found.push_back(std::move(*torch));
  };
  add(options.torch_dir, "--torch");
  add(environment.get("ICOUNT_TORCH").value_or(""), "ICOUNT_TORCH");
  if (const auto root = ask_python(active_python(options, environment))) add(*root, "python");
  add("/usr", "system");
  add("/usr/local", "system");
  return found;
}

LibTorch probe_libtorch(const ToolchainOptions& options, const Environment& environment) {
  const std::string named = environment.get("ICOUNT_TORCH").value_or("");
  for (const auto& [root, by] :
       {std::pair<std::string, std::string_view>{options.torch_dir, "--torch"}, {named, "ICOUNT_TORCH"}}) {
    if (root.empty()) continue;
    if (auto torch = try_libtorch(root, by)) return *torch;
    throw Error(ErrorKind::kTool,
                fmt::format("{} {}: no LibTorch there (looked for include/torch and lib/libtorch_cpu.so in it, and for "
                            "the torch package of a virtual environment)",
                            by, root));
  }
  const auto found = probe_libtorches(options, environment);
  if (!found.empty()) return found.front();
  throw Error(ErrorKind::kTool,
              "no LibTorch found: none by --torch, none in ICOUNT_TORCH, none in the active Python, none below /usr; "
              "install one "
              "(apt-get install libtorch-dev, or pip install torch), or count plain C++ with --no-torch");
}

fs::path probe_valgrind_headers() {
  std::error_code error;
  for (const char* folder : {"/usr/include", "/usr/local/include"})
    if (fs::exists(fs::path(folder) / "valgrind/callgrind.h", error)) return {};
  const fs::path carried = own_program().parent_path().parent_path() / "libexec/icount/valgrind/include";
  return fs::exists(carried / "valgrind/callgrind.h", error) ? carried : fs::path();
}

std::vector<std::string> Toolchain::compile_flags() const {
  // The headers of LibTorch 1 don't compile as C++20 (vectors of incomplete types); users' own -std comes later and
  // wins.
  const bool old_torch = torch && torch->version.starts_with("1.");
  std::vector<std::string> flags = {old_torch ? "-std=c++17" : "-std=c++20", "-O2", "-DNDEBUG", "-fPIC", "-gdwarf-4",
                                    // Behind the version, which asks for -g2: types, which nobody reads. Clang's -g1
                                    // does not say in which file an inlined function is.
                                    compiler.kind == Compiler::Kind::kGcc ? "-g1" : "-g2", "-w", "-ffunction-sections",
                                    "-fdata-sections"};
  if (torch) {
    flags.push_back(fmt::format("-D_GLIBCXX_USE_CXX11_ABI={}", torch->cxx11_abi ? 1 : 0));
    for (const fs::path& dir : torch->include_dirs)
      if (dir != "/usr/include") flags.insert(flags.end(), {"-isystem", dir.string()});
  }
  if (!valgrind_headers.empty()) flags.insert(flags.end(), {"-idirafter", valgrind_headers.string()});
  flags.insert(flags.end(), cxxflags.begin(), cxxflags.end());
  return flags;
}

std::vector<std::string> Toolchain::linker_flags() const {
  std::vector<std::string> flags;
  if (compiler.has_lld) flags.push_back("-fuse-ld=lld");
  if (torch) {
    const std::string dir = torch->lib_dir.string();
    // The old tag (RPATH): the loader asks it before LD_LIBRARY_PATH, which may name another LibTorch.
    flags.insert(flags.end(), {"-Wl,--no-as-needed", "-L" + dir, "-Wl,--disable-new-dtags,-rpath," + dir, "-ltorch",
                               "-ltorch_cpu", "-lc10", "-Wl,--as-needed"});
  }
  flags.push_back("-pthread");
  flags.insert(flags.end(), link_flags.begin(), link_flags.end());
  return flags;
}

std::string Toolchain::identity() const {
  std::string text = fmt::format("compiler {}\n", compiler.version);
  if (torch)
    text +=
        fmt::format("torch {} {} {} abi {}\n", torch->version, torch->build_id, torch->root.string(), torch->cxx11_abi);
  text += "flags " + shell_quote(compile_flags()) + "\nlink " + shell_quote(linker_flags()) + "\n";
  return text;
}

Toolchain find_toolchain(const ToolchainOptions& options, bool torch, const Environment& environment,
                         const std::optional<LibTorch>& found) {
  check_flags(options.cxxflags, "--cxxflag");
  check_flags(options.link_flags, "--link");
  Toolchain toolchain;
  toolchain.compiler = probe_compiler(options, environment, torch ? CompilerFor::kLibTorch : CompilerFor::kProgram);
  if (torch) toolchain.torch = found ? *found : probe_libtorch(options, environment);
  toolchain.cxxflags = expand_response_files(options.cxxflags);
  toolchain.link_flags = expand_response_files(options.link_flags);
  toolchain.valgrind_headers = probe_valgrind_headers();
  return toolchain;
}

}  // namespace icount
