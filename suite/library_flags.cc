#include "icount/suite/library_flags.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/harness/build_cache.h"
#include "icount/harness/compile.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr Seconds kToolLimit{120};

using Words = std::vector<std::string>;

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

/// What a tool printed; Error{kTool} "WHAT: ..." when it failed.
std::string run_tool(const Words& argv, const LibraryFlagsOptions& options, const std::string& what) {
  ProcessSpec spec;
  spec.argv = argv;
  spec.environment = options.environment.block();
  spec.time_limit = kToolLimit;
  spec.cancelled = options.cancelled;
  ProcessOutcome outcome = in_context(what, [&] { return run_process(spec); });
  if (outcome.ok()) return outcome.output;
  throw Error(ErrorKind::kTool, fmt::format("{}: `{}`: {}\n{}{}", what, shell_quote(argv), describe_end(outcome),
                                            trim(outcome.errors), trim(outcome.output)));
}

void add_pkg_config(const std::string& package, const LibraryFlagsOptions& options, ToolchainOptions& flags) {
  const std::string what = fmt::format("looking for the pkg-config package \"{}\" of the suite", package);
  append(flags.cxxflags, split_command(trim(run_tool({"pkg-config", "--cflags", package}, options, what))));
  append(flags.link_flags, split_command(trim(run_tool({"pkg-config", "--libs", package}, options, what))));
}

/// A project that finds the package and links a program that does nothing; its command lines hold the flags.
std::string probe_project(const CmakePackage& package) {
  std::string components;
  if (!package.components.empty()) components = fmt::format(" COMPONENTS {}", fmt::join(package.components, " "));
  return fmt::format(
      "cmake_minimum_required(VERSION 3.16)\nproject(icount_probe CXX)\nfind_package({} REQUIRED{})\n"
      "add_executable(probe probe.cc)\ntarget_link_libraries(probe PRIVATE {})\n",
      package.name, components, fmt::join(package.targets, " "));
}

bool is_compile_flag(const std::string& word) {
  return word.starts_with("-I") || word.starts_with("-D") || word.starts_with("-std=") || word.starts_with("-f") ||
         word.starts_with("-m") || word == "-pthread";
}

/// The flags of a compile line that a user of the package needs; a compiler's own (-o, -c, -MD ...) are not among them.
Words compile_flags_of(const Words& line) {
  Words flags;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == "-isystem" && i + 1 < line.size()) {
      append(flags, {line[i], line[i + 1]});
    } else if (is_compile_flag(line[i])) {
      flags.push_back(line[i]);
    }
  }
  return flags;
}

/// What stands behind the program's own object and name on a link line.
Words link_flags_of(const Words& line) {
  Words flags;
  for (size_t i = 1; i < line.size(); ++i) {
    if (line[i] == "-o")
      ++i;
    else if (!line[i].ends_with("probe.cc.o"))
      flags.push_back(line[i]);
  }
  return flags;
}

/// Reads the two lines that CMake's Makefile generator leaves for a target.
void add_cmake_package(const CmakePackage& package, const LibraryFlagsOptions& options, const Compiler& compiler,
                       ToolchainOptions& flags) {
  const std::string what = fmt::format("looking for the CMake package \"{}\" of the suite", package.name);
  ScratchDir scratch("icount-cmake");
  save_file(scratch.path() / "CMakeLists.txt", probe_project(package));
  save_file(scratch.path() / "probe.cc", "int main() {}\n");
  const fs::path build = scratch.path() / "build";
  run_tool({"cmake", "-S", scratch.path().string(), "-B", build.string(), "-G", "Unix Makefiles",
            "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_CXX_COMPILER=" + compiler.path.string()},
           options, what);
  const fs::path target = build / "CMakeFiles/probe.dir";
  const std::string compiling = load_text(target / "flags.make");  // the lines below are views of it
  for (std::string_view line : split_lines(compiling)) {
    size_t equals = line.find(" = ");
    if (line.starts_with("CXX_") && equals != std::string_view::npos)
      append(flags.cxxflags, compile_flags_of(split_command(line.substr(equals + 3))));
  }
  append(flags.link_flags, link_flags_of(split_command(trim(load_text(target / "link.txt")))));
}

/// The library's sources as objects in the build cache; the path of an object says what is in it.
Words compile_sources(const LibrarySpec& library, const ToolchainOptions& flags, const LibraryFlagsOptions& options,
                      const Compiler& compiler) {
  Toolchain toolchain;
  toolchain.compiler = compiler;
  toolchain.cxxflags = expand_response_files(flags.cxxflags);
  if (library.torch) toolchain.torch = probe_libtorch(flags, options.environment);
  BuildCache cache(options.cache_dir.empty() ? default_cache_dir(options.environment) : options.cache_dir);
  StubCompiler stub_compiler(toolchain, cache, options.cancelled);
  Words objects;
  for (const fs::path& source : library.sources) {
    const std::string path = fs::absolute(source).lexically_normal().string();
    CompileOutcome outcome = stub_compiler.compile(fmt::format("#include \"{}\"\n", path), UnitKind::kLibrary);
    if (!outcome.ok())
      throw Error(ErrorKind::kTool, fmt::format("cannot compile {} of the suite's [library]:\n{}", source.string(),
                                                trim(outcome.message)));
    objects.push_back(outcome.file.string());
  }
  return objects;
}

/// What CMake's build types mean to GCC and clang, after our own -O2 -DNDEBUG.
Words build_type_flags(std::string_view type) {
  if (type == "Release") return {"-O3"};
  if (type == "MinSizeRel") return {"-Os"};
  if (type == "Debug") return {"-O0", "-UNDEBUG"};
  return {};
}

}  // namespace

ToolchainOptions add_library_flags(const LibrarySpec& library, const LibraryFlagsOptions& options) {
  ToolchainOptions flags = options.toolchain;
  flags.cxxflags.clear();
  flags.link_flags.clear();
  if (flags.compiler.empty()) flags.compiler = library.compiler;
  if (!library.standard.empty()) flags.cxxflags.push_back("-std=" + library.standard);
  append(flags.cxxflags, build_type_flags(library.build_type));
  for (const fs::path& dir : library.include_dirs)
    flags.cxxflags.push_back("-I" + fs::absolute(dir).lexically_normal().string());
  append(flags.cxxflags, library.flags);
  for (const std::string& package : library.pkg_config) add_pkg_config(package, options, flags);
  if (!library.cmake_packages.empty() || !library.sources.empty()) {
    const Compiler compiler = probe_compiler(flags, options.environment);
    for (const CmakePackage& package : library.cmake_packages) add_cmake_package(package, options, compiler, flags);
    Words objects = compile_sources(library, flags, options, compiler);
    append(objects, flags.link_flags);
    flags.link_flags = std::move(objects);
  }
  append(flags.link_flags, library.link_flags);
  append(flags.cxxflags, options.toolchain.cxxflags);
  append(flags.link_flags, options.toolchain.link_flags);
  return flags;
}

}  // namespace icount
