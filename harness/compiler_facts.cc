#include "icount/harness/compiler_facts.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <system_error>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/text.h"
#include "icount/harness/elf_file.h"
#include "icount/harness/reuse.h"

namespace icount {
namespace {

/// The folders in what `COMPILER -v -E` prints on standard error.
CompilerFacts parse_search_folders(std::string_view answer) {
  CompilerFacts facts;
  std::vector<std::string>* into = nullptr;
  for (const std::string_view line : split_lines(answer)) {
    constexpr std::string_view kAbsent = "ignoring nonexistent directory \"";
    if (line.starts_with(kAbsent) && line.ends_with('"'))
      facts.absent_folders.emplace_back(line.substr(kAbsent.size(), line.size() - kAbsent.size() - 1));
    else if (line.starts_with("#include \"...\""))
      into = &facts.quote_folders;
    else if (line.starts_with("#include <...>"))
      into = &facts.include_folders;
    else if (line.starts_with("End of search list"))
      into = nullptr;
    else if (into && line.starts_with(' '))
      into->emplace_back(line.substr(1));
  }
  return facts;
}

namespace fs = std::filesystem;

constexpr Seconds kAnswerLimit{60};
constexpr int kDeepestResponse = 10;

/// What compilers and linkers run with. Where they look for programs and keep temporary files is asked otherwise: which
/// programs they are stands in the answer.
constexpr std::string_view kNeeded[] = {"PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TMP", "TEMP"};

/// Read by GCC, clang, the linkers, the loader that starts them, and wrappers that distributions and caches put before
/// them. LANG and its kind are not among them: messages are read in English.
constexpr std::string_view kRead =
    "CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH OBJC_INCLUDE_PATH OBJCPLUS_INCLUDE_PATH LIBRARY_PATH COMPILER_PATH "
    "GCC_EXEC_PREFIX GCC_ROOT GCC_COMPARE_DEBUG CCC_OVERRIDE_OPTIONS CCC_ADD_ARGS CLANG_CONFIG_PATH "
    "CLANG_NO_DEFAULT_CONFIG SOURCE_DATE_EPOCH ZERO_AR_DATE LD_LIBRARY_PATH LD_PRELOAD LD_RUN_PATH LDEMULATION "
    "LD_OPTIONS GNUTARGET COLLECT_NO_DEMANGLE SDKROOT CUDA_PATH ROCM_PATH CONDA_PREFIX CONDA_BUILD_SYSROOT "
    "VIRTUAL_ENV";
constexpr std::string_view kReadPrefixes[] = {"NIX_",   "CCACHE_",    "SCCACHE_", "DISTCC_", "ICECC_",
                                              "SPACK_", "EASYBUILD_", "CRAY",     "PE_"};

bool is_read(std::string_view name) {
  const std::vector<std::string_view> read = split(kRead, ' ');
  if (std::find(read.begin(), read.end(), name) != read.end()) return true;
  return std::any_of(std::begin(kReadPrefixes), std::end(kReadPrefixes),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::string variables_read() {
  std::string lines;
  std::vector<std::string> entries;
  for (const std::string& entry : compiler_environment())
    if (is_read(std::string_view(entry).substr(0, entry.find('=')))) entries.push_back(entry);
  std::sort(entries.begin(), entries.end());
  for (const std::string& entry : entries) lines += entry + "\n";
  return lines;
}

/// Programs by content: the compiler itself or its wrapper, those that the answer names, the assembler and linkers that
/// it would find.
std::string programs_of(const Compiler& compiler, std::string_view answer) {
  std::string lines;
  const auto add = [&lines](const fs::path& path) {
    if (!path.empty()) lines += content_identity(path) + " " + path.string() + "\n";
  };
  add(compiler.path);
  fs::path last;
  for (const std::string_view line : split_lines(answer)) {
    if (!line.starts_with(' ') || (line.find("cc1") == std::string_view::npos)) continue;
    const std::vector<std::string> words = split_command(trim(line));
    if (!words.empty() && words[0].starts_with('/') && last != words[0]) add(last = words[0]);
  }
  // clang's code is in libraries, whose build ids tell what its version doesn't.
  if (!last.empty())
    for (const fs::path& library : load_needed_libraries(last, current_environment()).libraries)
      lines += load_file_identity(library) + " " + library.string() + "\n";
  for (const char* tool : {"as", "ld", "ld.lld", "ld.gold", "ld.bfd", "ld.mold"}) add(find_program(tool));
  return lines;
}

/// Without what differs between two folders and two runs.
std::string settled(std::string answer) {
  const std::string here = fs::current_path().string();
  if (here.size() > 1)
    for (size_t at = 0; (at = answer.find(here, at)) != std::string::npos; ++at) {
      const char next = at + here.size() < answer.size() ? answer[at + here.size()] : '\n';
      if (next == '\n' || next == ' ' || next == '"' || next == '\'') answer.replace(at, here.size(), "@");
    }
  return answer;
}

CompilerFacts ask(const Toolchain& toolchain) {
  ProcessSpec spec;
  spec.argv = {toolchain.compiler.path.string()};
  const std::vector<std::string> flags = toolchain.compile_flags();
  spec.argv.insert(spec.argv.end(), flags.begin(), flags.end());
  spec.argv.insert(spec.argv.end(), {"-v", "-E", "-P", "-x", "c++", "/dev/null"});
  spec.environment = compiler_environment();
  spec.time_limit = kAnswerLimit;
  const ProcessOutcome outcome = run_process(spec);
  // One that fails, over a flag, is asked again by the compilation, which says why.
  CompilerFacts facts = parse_search_folders(outcome.errors);
  facts.identity = settled(outcome.errors) + programs_of(toolchain.compiler, outcome.errors) + variables_read() +
                   files_in_flags(flags) + files_in_flags(toolchain.linker_flags());
  return facts;
}

/// Words as the compilers' drivers read them: blanks between, quotes and backslashes as in a shell.
void append_response(const std::string& flag, int depth, std::vector<std::string>& out) {
  std::error_code error;
  if (!flag.starts_with('@') || depth > kDeepestResponse || !fs::is_regular_file(flag.substr(1), error)) {
    out.push_back(flag);
    return;
  }
  for (const std::string& word : split_command(load_regular_file(flag.substr(1))))
    append_response(word, depth + 1, out);
}

std::mutex known_mutex;
std::map<std::string, CompilerFacts> known_facts;

}  // namespace

std::vector<std::string> compiler_environment() {
  std::vector<std::string> block;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    if (std::find(std::begin(kNeeded), std::end(kNeeded), name) != std::end(kNeeded) || is_read(name))
      block.emplace_back(text);
  }
  block.emplace_back("LC_ALL=C");
  return block;
}

CompilerFacts ask_compiler(const Toolchain& toolchain) {
  const std::string key = toolchain.identity() + toolchain.compiler.path.string() + "\n" + fs::current_path().string();
  const std::lock_guard lock(known_mutex);
  const auto at = known_facts.find(key);
  return at != known_facts.end() ? at->second : known_facts.emplace(key, ask(toolchain)).first->second;
}

void forget_compiler_facts() {
  const std::lock_guard lock(known_mutex);
  known_facts.clear();
}

std::string files_in_flags(const std::vector<std::string>& flags) {
  std::string lines;
  for (const std::string& flag : flags)
    for (size_t begin = 0; begin != std::string::npos;) {
      const size_t end = flag.find_first_of("=,", begin);
      std::string word = flag.substr(begin, end == std::string::npos ? end : end - begin);
      if (word.starts_with('@')) word.erase(0, 1);
      std::error_code error;
      if (!word.empty() && fs::is_regular_file(word, error)) lines += content_identity(word) + " " + word + "\n";
      begin = end == std::string::npos ? end : end + 1;
    }
  return lines;
}

std::vector<std::string> expand_response_files(const std::vector<std::string>& flags) {
  std::vector<std::string> out;
  for (const std::string& flag : flags) append_response(flag, 0, out);
  return out;
}

}  // namespace icount
