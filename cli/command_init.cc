// `icount init`: a first suite for the library in this folder.
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/text.h"
#include "icount/console/options.h"
#include "icount/harness/toolchain.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostHeaders = 4, kMostSources = 8, kMostFiles = 5000;

constexpr OptionSpec kInitOptions[] = {
    {"out,o", "FILE", "the suite to write (default suite.toml); an existing file stays"},
    {"compiler", "PROGRAM", "the C++ compiler that the library's users build with (default: CXX, else c++)"},
};

constexpr ExampleSpec kInitExamples[] = {
    {"icount init", "write suite.toml for the headers in include/"},
    {"icount init ../fast_float -o bench/suite.toml --compiler clang++", "for a library elsewhere"},
};

bool is_left_out(const fs::path& file) {
  static const std::set<std::string> kLeftOut = {"detail", "details", "impl",    "internal",    "test",  "tests",
                                                 "bench",  "build",   "example", "examples",    "doc",   "docs",
                                                 "fuzz",   "extern",  "vendor",  "third_party", "tools", "benchmarks"};
  return std::any_of(file.begin(), file.end(), [](const fs::path& part) {
    const std::string name = part.string();
    return kLeftOut.contains(name) || name.starts_with("build-") || (name.size() > 1 && name[0] == '.');
  });
}

/// Files below `folder` with one of the endings, relative to it: those of the fewest folders first, and of them the one
/// that is called like the folder that it is in.
std::vector<fs::path> find_sources(const fs::path& folder, const std::set<std::string>& endings) {
  std::vector<fs::path> found;
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return found;
  for (const fs::path& file : files_below(folder, kMostFiles))
    if (fs::path inside = file.lexically_relative(folder);
        endings.contains(file.extension().string()) && !is_left_out(inside))
      found.push_back(std::move(inside));
  const auto rank = [](const fs::path& file) {
    return std::tuple(std::distance(file.begin(), file.end()), file.stem() != file.parent_path().filename(), file);
  };
  std::sort(found.begin(), found.end(), [&](const fs::path& a, const fs::path& b) { return rank(a) < rank(b); });
  return found;
}

/// What `icount init` found out about a library.
struct Library {
  fs::path folder;
  std::string include_dir, standard;
  std::vector<std::string> headers, sources;
  std::vector<std::string> refused;  ///< "parse.h: error: ..."
  size_t further_headers = 0;
  bool has_further_sources = false;  ///< that must be built and linked
};

/// What the compiler says against `code`; empty when it compiles.
std::string why_not_compiled(const Compiler& compiler, const Library& library, const std::string& code) {
  ProcessSpec spec;
  spec.argv = {compiler.path.string(),
               "-fsyntax-only",
               "-w",
               "-x",
               "c++",
               "-std=" + (library.standard.empty() ? "c++20" : library.standard),
               "-I" + (library.folder / library.include_dir).string(),
               "-"};
  spec.input = code;
  spec.time_limit = Seconds(120);
  const ProcessOutcome outcome = run_process(spec);
  if (outcome.ok()) return {};
  for (const std::string_view line : split_lines(outcome.errors))
    if (line.find("error") != std::string_view::npos) return std::string(trim(line));
  return describe_end(outcome);
}

void choose_headers(const Compiler& compiler, Library& library) {
  std::vector<fs::path> headers;
  for (const char* folder : {"include", "single_include", "src", "."}) {
    headers = find_sources(library.folder / folder, {".h", ".hh", ".hpp", ".hxx"});
    library.include_dir = folder;
    if (!headers.empty()) break;
  }
  if (!headers.empty() && headers[0].stem() == headers[0].parent_path().filename()) headers.resize(1);  // has them all
  if (headers.size() > kMostHeaders) library.further_headers = headers.size() - kMostHeaders;
  headers.resize(std::min(headers.size(), kMostHeaders));
  for (const fs::path& header : headers) {
    const std::string code = fmt::format("#include \"{}\"\n", header.string());
    std::string why = why_not_compiled(compiler, library, code);
    if (!why.empty() && library.headers.empty() && library.standard.empty()) {
      library.standard = "c++17";
      if (why_not_compiled(compiler, library, code).empty())
        why.clear();
      else
        library.standard.clear();
    }
    if (why.empty())
      library.headers.push_back(header.string());
    else
      library.refused.push_back(fmt::format("{}: {}", header.string(), why));
  }
}

/// Those that a suite can compile along: few, and without a main().
void choose_sources(const Compiler& compiler, Library& library) {
  const std::vector<fs::path> sources = find_sources(library.folder / "src", {".cc", ".cpp", ".cxx"});
  library.has_further_sources = sources.size() > kMostSources || !find_sources(library.folder / "src", {".c"}).empty();
  if (library.has_further_sources) return;
  for (const fs::path& source : sources) {
    const fs::path path = library.folder / "src" / source;
    if (load_text(path).find("main(") == std::string::npos &&
        why_not_compiled(compiler, library, fmt::format("#include \"{}\"\n", fs::absolute(path).string())).empty())
      library.sources.push_back("src/" + source.string());
  }
}

std::string quoted_list(const std::vector<std::string>& words) {
  return fmt::format("[\"{}\"]", fmt::join(words, "\", \""));
}

std::string render_suite(const Library& library, const fs::path& back, const std::string& compiler) {
  std::string text = "# Written by `icount init`. The manual of this file is docs/suite.md.\n";
  if (library.sources.empty() && !library.has_further_sources)
    text += "[run]\nisolate = true   # all is inlined: no other benchmark of the suite shall change how\n\n";
  text += "[library]\ntorch = false\n";
  const auto there = [&](const std::string& path) { return (back / path).lexically_normal().string(); };
  if (!compiler.empty()) text += fmt::format("compiler = \"{}\"\n", compiler);
  if (!library.standard.empty()) text += fmt::format("standard = \"{}\"\n", library.standard);
  text += "# build_type = \"Release\"   # default: -O2 -DNDEBUG\n";
  text += fmt::format("include_dirs = \"{}\"\n", there(library.include_dir));
  text += fmt::format("headers = {}\n", quoted_list(library.headers));
  std::vector<std::string> sources;
  for (const std::string& source : library.sources) sources.push_back(there(source));
  if (!sources.empty()) text += fmt::format("sources = {}\n", quoted_list(sources));
  if (library.has_further_sources) text += "# link_flags = [\"build/libNAME.a\"]   # what `gate --build CMD` builds\n";
  for (size_t i = 0; i < library.headers.size(); ++i) {
    text += fmt::format("\n[[stmts]]\nlabel = \"{}\"\n", fs::path(library.headers[i]).replace_extension().string());
    text += i == 0 ? "cpp_setup = ''                  # not counted: makes the input\n"
                     "cpp_stmt = 'icount::keep(0);'   # counted: call the library, and keep() what it returns\n"
                   : "cpp_setup = ''\ncpp_stmt = 'icount::keep(0);'\n";
  }
  return text;
}

ExitCode run_init(const ParsedOptions& parsed, CommandContext& context) {
  Library library{.folder = parsed.arguments().empty() ? "." : parsed.arguments()[0]};
  const fs::path out = parsed.text("out", "suite.toml");
  ToolchainOptions toolchain;
  toolchain.compiler = parsed.text("compiler");
  std::error_code ignored;
  if (fs::exists(out, ignored)) parsed.problem(fmt::format("{} exists; -o FILE writes another", out.string()));
  if (!fs::is_directory(library.folder, ignored))
    parsed.problem(fmt::format("{} is not a folder; name the library's", library.folder.string()));
  parsed.check();
  const Compiler compiler = probe_compiler(toolchain, context.environment);
  choose_headers(compiler, library);
  for (const std::string& refused : library.refused) context.warn("left out, as it does not compile alone: " + refused);
  if (library.headers.empty())
    throw Error(ErrorKind::kUsage,
                fmt::format("found no header that compiles in include, single_include, src or {} itself; a program or "
                            "a benchmark binary is measured without one: [[programs]], [[bench]] (docs/suite.md)",
                            library.folder.string()));
  choose_sources(compiler, library);
  const fs::path back = library.folder.is_absolute()
                            ? library.folder
                            : fs::proximate(fs::absolute(library.folder), fs::absolute(out).parent_path());
  save_file(out, render_suite(library, back, toolchain.compiler));
  if (library.further_headers > 0)
    context.warn(fmt::format("{} not in it; add what is worth measuring to 'headers'",
                             counted(static_cast<int64_t>(library.further_headers), "further header") +
                                 (library.further_headers == 1 ? " is" : " are")));
  const std::string suite = shell_quote({out.string()});
  context.out << fmt::format(
      "{0}: {1}, compiled by {2}\n\nNow write calls of the library into cpp_stmt. Then\n"
      "  icount suite run {3} --out main.icount    counts them\n"
      "  icount accept main.icount{4}              keeps the values that changes are judged by\n"
      "and, with the suite committed,\n"
      "  icount gate {3} --base-ref HEAD~1 --suite-from HEAD   says what the last commit changed, and why\n"
      "docs/ci.md does the same for pull requests.\n",
      escape_for_terminal(out.string()), counted(static_cast<int64_t>(library.headers.size()), "benchmark"),
      escape_for_terminal(compiler.version), escape_for_terminal(suite), std::string(suite.size(), ' '));
  return ExitCode::kOk;
}

}  // namespace

const CommandSpec& init_command() {
  static const CommandSpec command = {
      .name = "init",
      .summary = "write a first suite for the C++ library in this folder",
      .arguments = "[FOLDER]",
      .description =
          "Looks for headers in include, single_include, src and FOLDER itself, compiles each alone, and writes a "
          "suite "
          "with a benchmark for each that compiles, four at most. The benchmarks run at once, but call nothing yet: "
          "what is worth counting, you know.",
      .options = kInitOptions,
      .examples = kInitExamples,
      .max_arguments = 1,
      .run = run_init,
  };
  return command;
}

}  // namespace icount
