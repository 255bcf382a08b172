#include "icount/harness/compile.h"

#include <fmt/format.h>

#include "icount/base/disk_room.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/harness/compile_inputs.h"
#include "icount/harness/object_layout.h"
#include "icount/harness/virtual_members.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// Part of every key: raised when what is kept under a key changes its form.
constexpr std::string_view kForm = "icount-build-3\n";

/// The text as a file in a folder where nothing else is: a compiler searches the folder of the including file first,
/// and that of a text from its standard input is the working directory, whatever headers lie there.
std::vector<std::string> source_arguments(const fs::path& folder, std::string_view text) {
  const fs::path source = folder / "unit.cc";
  save_file(source, text);
  return {fmt::format("-fdebug-prefix-map={}=/icount", folder.string()), "-x", "c++", source.string()};
}

}  // namespace

StubCompiler::StubCompiler(const Toolchain& toolchain, BuildCache& cache, std::function<bool()> cancelled)
    : toolchain_(toolchain), cache_(cache), cancelled_(std::move(cancelled)) {}

bool StubCompiler::run(std::vector<std::string> argv, std::string& message) const {
  const ProcessOutcome outcome = run_process({.argv = std::move(argv), .cancelled = cancelled_});
  if (outcome.end == ProcessOutcome::End::kCancelled) throw Error(ErrorKind::kTool, "interrupted while compiling");
  message = outcome.errors + outcome.output;
  if (outcome.end != ProcessOutcome::End::kExited)
    message = fmt::format("the compiler {} ended with {}\n{}", toolchain_.compiler.path.string(), describe_end(outcome),
                          message);
  if (const std::string words = outcome.ok() ? std::string() : find_want_of_room(message); !words.empty())
    throw Error(ErrorKind::kIo,
                fmt::format("{} could not write what it made: {}; {}, {}", toolchain_.compiler.path.string(), words,
                            describe_room(cache_.root()), describe_room(temporary_folder())));
  return outcome.ok();
}

std::vector<std::string> StubCompiler::command(bool with_prelude) const {
  std::vector<std::string> argv = {toolchain_.compiler.path.string()};
  const auto flags = toolchain_.compile_flags();
  argv.insert(argv.end(), flags.begin(), flags.end());
  const std::string here = fs::current_path().string();
  argv.push_back(toolchain_.compiler.kind == Compiler::Kind::kClang
                     ? "-fdebug-compilation-dir=/icount"
                     : fmt::format("-fdebug-prefix-map={}=/icount", here));
  for (const std::string& folder : include_folders(flags)) argv.insert(argv.end(), {"-iquote", folder});
  argv.insert(argv.end(), {"-iquote", here});
  if (with_prelude && !header_.empty()) argv.insert(argv.end(), {"-include-pch", header_.string()});
  if (with_prelude && header_.empty()) argv.insert(argv.end(), {"-include", prelude_.string()});
  return argv;
}

void StubCompiler::prepare(const std::string& prelude, const std::function<void(const std::string&)>& say) {
  prelude_key_ = content_hash(std::string(kForm) + "prelude\n" + prelude);
  const auto prelude_entry = cache_.get(prelude_key_, [&](const fs::path& folder) {
    save_file(folder / "prelude.h", prelude);
    return true;
  });
  prelude_ = *prelude_entry / "prelude.h";
  say_ = say;
}

bool StubCompiler::make_header(const fs::path& text, const fs::path& out, std::string& message) const {
  std::vector<std::string> argv = command(!header_.empty());
  argv.insert(argv.end(), {"-x", "c++-header", "-fpch-instantiate-templates", "-Xclang", "-fno-pch-timestamp",
                           text.string(), "-o", out.string()});
  return run(argv, message);
}

void StubCompiler::precompile() {
  const std::lock_guard lock(header_mutex_);
  if (toolchain_.compiler.kind != Compiler::Kind::kClang || !header_.empty()) return;
  // A precompiled header names the files that it was made of by their paths: in a cache elsewhere it is another one.
  const std::string key =
      content_hash(fmt::format("{}header\n{}{}{}", kForm, prelude_key_, toolchain_.identity(), cache_.root().string()));
  std::string message;
  bool made = false;
  const auto entry = cache_.get(key, [&](const fs::path& folder) {
    if (say_)
      say_(fmt::format("building the precompiled header of {} with {} (once; later statements compile faster)",
                       toolchain_.torch ? "LibTorch " + toolchain_.torch->version : "the standard library",
                       toolchain_.compiler.version));
    made = true;
    return make_header(prelude_, folder / "prelude.pch", message);
  });
  if (!entry)
    throw Error(ErrorKind::kTool, fmt::format("cannot precompile the headers that statements use:\n{}", message));
  header_ = *entry / "prelude.pch";
  if (toolchain_.torch) precompile_virtual_members(key, made);
}

std::string StubCompiler::trace_late_classes() const {
  const ScratchDir folder("icount");
  const fs::path unit = folder.path() / "unit.cc";
  save_file(unit, "");
  std::vector<std::string> argv = command(true);
  argv.insert(argv.end(), {"-ftime-trace", "-ftime-trace-granularity=0", "-c", "-o",
                           (folder.path() / "unit.o").string(), unit.string()});
  std::string message;
  const fs::path trace = folder.path() / "unit.json";
  if (!run(argv, message) || !fs::exists(trace)) return {};
  try {
    return make_virtual_members_header(find_late_classes(load_text(trace)));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kMalformed) throw;
    return {};  // another compiler's trace: statements compile as well without, only slower
  }
}

void StubCompiler::precompile_virtual_members(const std::string& header_key, bool is_new) {
  const std::string text_key = content_hash(fmt::format("{}late classes\n{}", kForm, header_key));
  const std::string key = content_hash(fmt::format("{}virtual members\n{}", kForm, header_key));
  if (is_new) cache_.drop(text_key);
  const auto text = cache_.get(text_key, [&](const fs::path& folder) {
    is_new = true;
    save_file(folder / "members.h", trace_late_classes());
    return true;
  });
  if (is_new) cache_.drop(key);  // it was made on the headers before
  const auto entry = cache_.get(key, [&](const fs::path& folder) {
    std::string message;
    if (!make_header(*text / "members.h", folder / "members.pch", message)) fs::remove(folder / "members.pch");
    return true;  // without it statements compile as well, only slower: that is not tried each time
  });
  if (fs::exists(*entry / "members.pch")) header_ = *entry / "members.pch";
}

bool StubCompiler::is_users_file(const fs::path& path) const {
  if (is_below(path, "/usr/include") || is_below(path, "/usr/lib") || is_below(path, cache_.root())) return false;
  if (!toolchain_.torch) return true;
  for (const fs::path& dir : toolchain_.torch->include_dirs)
    if (is_below(path, dir)) return false;
  return true;
}

std::string StubCompiler::inputs_of(const fs::path& depfile) const {
  std::string inputs;
  for (const fs::path& path : parse_depfile(load_text(depfile)))
    if (is_users_file(path)) inputs += hash_file(path) + " " + fs::absolute(path).string() + "\n";
  return inputs;
}

std::optional<fs::path> StubCompiler::find_object(const std::string& key) {
  const auto entry = cache_.find(key);
  if (!entry) return std::nullopt;
  if (inputs_hold(load_text(*entry / "inputs"))) return *entry / "unit.o";
  cache_.drop(key);
  return std::nullopt;
}

CompileOutcome StubCompiler::compile(std::string_view text, bool with_prelude) {
  CompileOutcome outcome;
  outcome.key =
      content_hash(fmt::format("{}object, weak definitions hidden\n{}{}\n{}\n{}", kForm, toolchain_.identity(),
                               place_of(text, toolchain_.cxxflags), with_prelude ? prelude_key_ : "no prelude", text));
  if (const auto object = find_object(outcome.key)) {
    outcome.file = *object;
    outcome.from_cache = true;
    return outcome;
  }
  const auto entry = cache_.get(outcome.key, [&](const fs::path& folder) {
    if (with_prelude) precompile();
    std::vector<std::string> argv = command(with_prelude);
    argv.insert(argv.end(),
                {"-MD", "-MF", (folder / "unit.d").string(), "-MT", "unit", "-c", "-o", (folder / "unit.o").string()});
    const auto source = source_arguments(folder, text);
    argv.insert(argv.end(), source.begin(), source.end());
    if (!run(argv, outcome.message)) return false;
    if (with_prelude)
      save_file(folder / "unit.o", hide_weak_definitions(align_data_to_pages(load_text(folder / "unit.o"))));
    save_file(folder / "inputs", inputs_of(folder / "unit.d"));
    fs::remove(folder / "unit.cc");
    return true;
  });
  if (entry) outcome.file = *entry / "unit.o";
  return outcome;
}

std::string StubCompiler::check(std::string_view text) {
  precompile();
  std::vector<std::string> argv = command(true);
  argv.insert(argv.end(), {"-fsyntax-only",
                           toolchain_.compiler.kind == Compiler::Kind::kClang ? "-ferror-limit=0" : "-fmax-errors=0"});
  const ScratchDir folder("icount");
  const auto source = source_arguments(folder.path(), text);
  argv.insert(argv.end(), source.begin(), source.end());
  std::string message;
  return run(argv, message) ? std::string() : message;
}

CompileOutcome StubCompiler::link(std::span<const CompileOutcome> objects) {
  CompileOutcome outcome;
  const std::vector<std::string> flags = toolchain_.linker_flags();
  std::string identity = fmt::format("{}program\n{}{}", kForm, toolchain_.identity(), link_inputs(flags));
  for (const CompileOutcome& object : objects) identity += hash_file(object.file) + "\n";
  outcome.key = content_hash(identity);
  outcome.from_cache = cache_.find(outcome.key).has_value();
  const auto entry = cache_.get(outcome.key, [&](const fs::path& folder) {
    std::vector<std::string> argv = {toolchain_.compiler.path.string()};
    for (const CompileOutcome& object : objects) argv.push_back(object.file.string());
    argv.insert(argv.end(), flags.begin(), flags.end());
    argv.insert(argv.end(), {"-o", (folder / "stub").string()});
    return run(argv, outcome.message);
  });
  if (entry) outcome.file = *entry / "stub";
  return outcome;
}

}  // namespace icount
