#include "icount/harness/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <set>
#include <system_error>

#include "icount/base/command_line.h"
#include "icount/base/disk_room.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/harness/compiler_messages.h"
#include "icount/harness/object_layout.h"

namespace icount {

namespace fs = std::filesystem;

namespace {

std::string_view skip_blanks(std::string_view text) {
  const size_t at = text.find_first_not_of(" \t");
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

/// <x> or "x" at the beginning of `text`; false: something else.
bool add_name(std::string_view text, IncludeNames& names) {
  text = skip_blanks(text);
  if (text.empty() || (text[0] != '"' && text[0] != '<')) return false;
  const size_t end = text.find(text[0] == '<' ? '>' : '"', 1);
  if (end == std::string_view::npos) return false;
  const std::string name(text.substr(1, end - 1));
  if (text[0] == '"') names.quoted.push_back(name);
  names.searched.push_back(name);
  return true;
}

/// What follows "#", its word first.
void read_directive(std::string_view text, IncludeNames& names) {
  text = skip_blanks(text);
  const size_t end = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), text.size());
  const std::string_view word = text.substr(0, end);
  if (word == "include" || word == "include_next" || word == "import") add_name(text.substr(end), names);
  if (word == "embed") names.unknown = "#embed reads a file";
}

void read_questions(std::string_view line, IncludeNames& names) {
  constexpr std::string_view kQuestion = "__has_include";
  for (size_t at = line.find(kQuestion); at != std::string_view::npos; at = line.find(kQuestion, at + 1)) {
    std::string_view rest = line.substr(at + kQuestion.size());
    if (rest.starts_with("_next")) rest.remove_prefix(5);
    rest = skip_blanks(rest);
    // Without a bracket it is asked whether the compiler knows the word; a "#define __has_include(x)" asks nothing.
    if (!rest.starts_with('(') || skip_blanks(line).starts_with("#define") || skip_blanks(line).starts_with("# define"))
      continue;
    if (!add_name(rest.substr(1), names)) names.unknown = "a macro names the file that __has_include asks for";
  }
}

fs::path folder_of_file(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

class Lookups {
 public:
  Lookups(const CompilerFacts& facts, ReuseRecord& record) : record_(record) {
    for (const auto* list : {&facts.quote_folders, &facts.include_folders, &facts.absent_folders})
      for (const std::string& folder : *list) folders_.push_back(fs::absolute(folder).string());
  }

  void add_text(std::string_view text, const fs::path& folder) {
    const IncludeNames names = find_include_names(text);
    for (const std::string& name : names.quoted)
      if (!folder.empty()) look_at((folder / name).string());
    for (const std::string& name : names.searched) look_everywhere(name);
    if (!names.unknown.empty()) record_.add_unknown(names.unknown);
  }

  /// However its name was put together.
  void add_found(const std::string& file) {
    for (const std::string& folder : folders_)
      if (file.size() > folder.size() + 1 && file.starts_with(folder) && file[folder.size()] == '/')
        look_everywhere(file.substr(folder.size() + 1));
  }

  /// What is there and was not read: __has_include asks for no more.
  void add_unread(const ReuseRecord& known) {
    for (const std::string& path : there_)
      if (!record_.contains(ChangeSource::kFile, path) && !known.contains(ChangeSource::kFile, path))
        record_.add_status(path);
  }

 private:
  void look_everywhere(const std::string& name) {
    if (!names_.insert(name).second) return;
    if (name.starts_with('/')) return look_at(name);
    for (const std::string& folder : folders_) look_at(folder + "/" + name);
  }

  void look_at(const std::string& path) {
    std::error_code error;
    if (!paths_.insert(path).second) return;
    if (fs::exists(path, error))
      there_.push_back(path);
    else
      record_.add_absent(path);
  }

  ReuseRecord& record_;
  std::vector<std::string> folders_;
  std::set<std::string> names_, paths_;
  std::vector<std::string> there_;
};

/// Adds `files` and what was looked for on the way to them, found or not, to `record`. `text` is that of the unit,
/// which is no file of its own; what `known` has is left out.
void add_lookups(const std::vector<fs::path>& files, std::string_view text, const CompilerFacts& facts,
                 const ReuseRecord& known, ReuseRecord& record) {
  Lookups lookups(facts, record);
  lookups.add_text(text, {});
  for (const fs::path& path : files) {
    const fs::path file = fs::absolute(path);
    if (known.contains(ChangeSource::kFile, file)) continue;
    record.add_file(file);
    lookups.add_found(file.string());
    try {
      lookups.add_text(load_regular_file(file), folder_of_file(file));
    } catch (const Error&) {  // a file that can't be read any more has changed
    }
  }
  lookups.add_unread(known);
}

/// The prerequisites of a make rule as the compiler writes it ("x.o: a.cc b.h \\\n c.h"), escapes undone.
std::vector<fs::path> parse_depfile(std::string_view text) {
  std::vector<fs::path> paths;
  std::string word;
  bool past_colon = false;
  auto end_word = [&] {
    if (!word.empty() && past_colon) paths.emplace_back(word);
    if (!past_colon && word.ends_with(':')) past_colon = true;
    word.clear();
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && text[i + 1] == '\n') {
      end_word();
      ++i;
    } else if (c == '\\' && i + 1 < text.size() && (text[i + 1] == ' ' || text[i + 1] == '#')) {
      word += text[++i];
    } else if (c == ' ' || c == '\n' || c == '\t') {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return paths;
}

/// Takes the flags of these names, with their values, out of `flags`; returns the values of "-I value" and "-Ivalue".
std::vector<std::string> take_values(std::vector<std::string>& flags, std::initializer_list<std::string_view> names) {
  std::vector<std::string> values, others;
  for (size_t i = 0; i < flags.size(); ++i) {
    std::string_view name;
    for (const std::string_view one : names)
      if (flags[i].starts_with(one)) name = one;
    if (name.empty())
      others.push_back(flags[i]);
    else if (flags[i].size() > name.size())
      values.push_back(flags[i].substr(name.size()));
    else if (i + 1 < flags.size())
      values.push_back(flags[++i]);
  }
  flags = std::move(others);
  return values;
}

/// The files that a linker says it read (-Wl,--trace).
std::vector<fs::path> parse_link_trace(std::string_view output) {
  std::vector<fs::path> files;
  for (std::string_view line : split_lines(output)) {
    line = trim(line);
    // "/x/libfoo.a(member.o)", of older ones "(/x/libfoo.a)member.o", "-lfoo (/x/libfoo.so)"
    if (const size_t bracket = line.find("(/"); bracket != std::string_view::npos)
      line = line.substr(bracket + 1, line.find(')', bracket) - bracket - 1);
    else if (line.ends_with(')'))
      line = line.substr(0, line.rfind('('));
    std::error_code error;
    if (!line.empty() && fs::is_regular_file(line, error)) files.emplace_back(line);
  }
  return files;
}

/// Adds the places at which -lNAME among `flags` would be found, and isn't, to `record`.
void add_library_lookups(std::vector<std::string> flags, ReuseRecord& record) {
  std::vector<std::string> folders = take_values(flags, {"-L"});
  for (const char* folder :
       {"/usr/local/lib/x86_64-linux-gnu", "/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib"})
    folders.emplace_back(folder);
  for (const std::string& flag : flags) {
    if (!flag.starts_with("-l")) continue;
    for (const std::string& folder : folders)
      for (const char* suffix : {".so", ".a"}) {
        const fs::path library = fs::path(folder) / fmt::format("lib{}{}", flag.substr(2), suffix);
        std::error_code error;
        if (!fs::exists(library, error)) record.add_absent(library);
      }
  }
}

}  // namespace

IncludeNames find_include_names(std::string_view text) {
  IncludeNames names;
  for (const std::string_view line : split_lines(text)) {
    const std::string_view begin = skip_blanks(line);
    if (begin.starts_with('#')) read_directive(begin.substr(1), names);
    if (begin.starts_with("%:")) read_directive(begin.substr(2), names);
    if (line.find("__has_") != std::string_view::npos) read_questions(line, names);
  }
  if (text.find("__has_embed") != std::string_view::npos) names.unknown = "__has_embed asks for a file";
  if (text.find(".incbin") != std::string_view::npos) names.unknown = "the assembler reads a file (.incbin)";
  return names;
}

std::string place_of(std::string_view text, const std::vector<std::string>& flags) {
  bool depends = false;
  for (const char* word : {"include", "import", "incbin", "embed"})
    depends |= text.find(word) != std::string_view::npos;
  for (const std::string& flag : flags) {
    const bool is_value = !flag.starts_with('-');  // of "-I folder", "-include file"
    depends |= (is_value && !flag.starts_with('/')) || (flag.starts_with("-I") && flag.size() > 2 && flag[2] != '/');
  }
  return depends ? fs::current_path().string() : std::string();
}

std::vector<std::string> include_folders(std::vector<std::string> flags) { return take_values(flags, {"-I"}); }

namespace {

/// Part of every key: raised when what is kept under a key changes its form.
constexpr std::string_view kForm = "icount-build-4\n";

/// The text as a file in a folder where nothing else is: a compiler searches the folder of the including file first,
/// and that of a text from its standard input is the working directory, whatever headers lie there.
std::vector<std::string> source_arguments(const fs::path& folder, std::string_view text) {
  const fs::path source = folder / "unit.cc";
  save_file(source, text);
  return {fmt::format("-fdebug-prefix-map={}=/icount", folder.string()), "-x", "c++", source.string()};
}

timespec now() {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  return time;
}

}  // namespace

StubCompiler::StubCompiler(const Toolchain& toolchain, BuildCache& cache, std::function<bool()> cancelled)
    : toolchain_(toolchain),
      cache_(cache),
      cancelled_(std::move(cancelled)),
      facts_(ask_compiler(toolchain)),
      identity_(fmt::format("{}{}{}", toolchain.identity(), facts_.identity,
                            files_in_flags(toolchain.compile_flags()) + files_in_flags(toolchain.linker_flags()))) {}

bool StubCompiler::run(std::vector<std::string> argv, std::string& message, std::string* output) const {
  const ProcessOutcome outcome =
      run_process({.argv = std::move(argv), .environment = compiler_environment(), .cancelled = cancelled_});
  if (outcome.end == ProcessOutcome::End::kCancelled) throw Error(ErrorKind::kTool, "interrupted while compiling");
  message = output ? outcome.errors : outcome.errors + outcome.output;
  if (output) *output = outcome.output;
  if (outcome.end != ProcessOutcome::End::kExited)
    message = fmt::format("the compiler {} ended with {}\n{}", toolchain_.compiler.path.string(), describe_end(outcome),
                          message);
  if (const std::string words = outcome.ok() ? std::string() : find_want_of_room(message); !words.empty())
    throw Error(ErrorKind::kIo,
                fmt::format("{} could not write its output: {}; {}, {}", toolchain_.compiler.path.string(), words,
                            describe_room(cache_.root()), describe_room(temporary_folder())));
  return outcome.ok();
}

std::vector<std::string> StubCompiler::command(UnitKind kind) const {
  std::vector<std::string> argv = {toolchain_.compiler.path.string()};
  const auto flags = toolchain_.compile_flags();
  argv.insert(argv.end(), flags.begin(), flags.end());
  const std::string here = fs::current_path().string();
  argv.push_back(toolchain_.compiler.kind == Compiler::Kind::kClang
                     ? "-fdebug-compilation-dir=/icount"
                     : fmt::format("-fdebug-prefix-map={}=/icount", here));
  if (toolchain_.compiler.kind == Compiler::Kind::kGcc) argv.push_back("-pipe");  // a file would stay when it is killed
  for (const std::string& folder : include_folders(flags)) argv.insert(argv.end(), {"-iquote", folder});
  if (kind != UnitKind::kServer) argv.insert(argv.end(), {"-iquote", here});
  if (kind != UnitKind::kStatements) return argv;
  if (header_.empty())
    argv.insert(argv.end(), {"-include", prelude_.string()});
  else if (toolchain_.compiler.kind == Compiler::Kind::kClang)
    argv.insert(argv.end(), {"-include-pch", header_.string()});
  else  // g++ finds its precompiled form beside a header
    argv.insert(argv.end(), {"-include", fs::path(header_).replace_extension().string()});
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
  record_prelude();
}

void StubCompiler::record_prelude() {
  const std::string key = content_hash(fmt::format("{}sources of the prelude\n{}{}{}", kForm, prelude_key_, identity_,
                                                   place_of({}, toolchain_.cxxflags)));
  std::string message;
  const auto entry = cache_.get_unchanged(key, [&](const fs::path& folder) {
    const timespec start = now();
    std::vector<std::string> argv = command(UnitKind::kServer);
    argv.insert(argv.end(), {"-M", "-MT", "unit", "-x", "c++", prelude_.string()});
    std::string depfile;
    if (!run(argv, message, &depfile)) return false;
    std::vector<fs::path> files = parse_depfile(depfile);
    std::erase(files, prelude_);  // the key has it
    ReuseRecord sources;
    add_lookups(files, load_text(prelude_), facts_, {}, sources);
    sources.doubt_written_since(start);
    save_file(folder / BuildCache::kSources, sources.to_text());
    return true;
  });
  if (!entry)
    throw Error(ErrorKind::kTool, fmt::format("cannot precompile the headers that statements use:\n{}", message));
  prelude_sources_ = load_sources(*entry / "prelude.h");
  prelude_text_key_ = prelude_key_;
  prelude_key_ += content_hash(prelude_sources_.identity());
}

std::string StubCompiler::header_identity() const {
  Toolchain plain = toolchain_;
  plain.link_flags.clear();
  const std::vector<std::string> folders = take_values(plain.cxxflags, {"-I", "-isystem", "-iquote", "-idirafter"});
  for (const std::string& folder : folders)
    if (prelude_sources_.has_below(folder))
      return prelude_key_ + identity_ + place_of({}, toolchain_.cxxflags);  // their order may matter, too
  return fmt::format("{}{}{}{}{}{}", prelude_text_key_, content_hash(prelude_sources_.identity_of_what_is_there()),
                     plain.identity(), ask_compiler(plain).identity, files_in_flags(plain.compile_flags()),
                     place_of({}, plain.cxxflags));
}

bool StubCompiler::make_header(const fs::path& text, const fs::path& out, std::string& message) const {
  std::vector<std::string> argv = command(header_.empty() ? UnitKind::kServer : UnitKind::kStatements);
  argv.insert(argv.end(), {"-x", "c++-header"});
  if (toolchain_.compiler.kind == Compiler::Kind::kClang)
    argv.insert(argv.end(), {"-fpch-instantiate-templates", "-Xclang", "-fno-pch-timestamp"});
  argv.insert(argv.end(), {text.string(), "-o", out.string()});
  return run(argv, message);
}

void StubCompiler::precompile() {
  const std::lock_guard lock(header_mutex_);
  if (!header_.empty()) return;
  const bool is_clang = toolchain_.compiler.kind == Compiler::Kind::kClang;
  if (!is_clang && toolchain_.torch) return;  // a form of LibTorch's headers that g++ reads takes a gigabyte
  // A precompiled header names the files that it was made of by their paths: in a cache elsewhere it is another one.
  const std::string key = content_hash(fmt::format("{}header\n{}{}", kForm, header_identity(), cache_.root().string()));
  std::string message;
  bool made = false;
  const auto entry = cache_.get(key, [&](const fs::path& folder) {
    if (say_)
      say_(fmt::format("building the precompiled header of {} with {} (once; later statements compile faster)",
                       toolchain_.torch ? "LibTorch " + toolchain_.torch->version : "the standard library",
                       toolchain_.compiler.version));
    made = true;
    fs::path text = prelude_;
    if (!is_clang) fs::copy_file(prelude_, text = folder / "prelude.h", fs::copy_options::overwrite_existing);
    if (!make_header(text, folder / (is_clang ? "prelude.pch" : "prelude.h.gch"), message)) return false;
    message = prelude_sources_.unknown().empty() ? prelude_sources_.find_change() : std::string();
    return message.empty();  // else it was made from other files than its key says
  });
  if (!entry)
    throw Error(ErrorKind::kTool, fmt::format("cannot precompile the headers that statements use:\n{}", message));
  header_ = *entry / (is_clang ? "prelude.pch" : "prelude.h.gch");
  if (toolchain_.torch && is_clang) precompile_virtual_members(key, made);
}

std::string StubCompiler::trace_late_classes() const {
  const ScratchDir folder("icount");
  const fs::path unit = folder.path() / "unit.cc";
  save_file(unit, "");
  std::vector<std::string> argv = command(UnitKind::kStatements);
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
  members_ = *text / "members.h";
  if (fs::exists(*entry / "members.pch")) header_ = *entry / "members.pch";
}

CompileOutcome StubCompiler::compile(std::string_view text, UnitKind kind) {
  CompileOutcome outcome;
  const bool with_prelude = kind == UnitKind::kStatements;
  outcome.key = content_hash(fmt::format("{}object, weak definitions hidden\n{}{}\n{}\n{}", kForm, identity_,
                                         place_of(kind == UnitKind::kServer ? "" : text, toolchain_.cxxflags),
                                         with_prelude ? prelude_key_ : "no prelude", text));
  outcome.from_cache = true;
  const auto entry = cache_.get_unchanged(outcome.key, [&](const fs::path& folder) {
    outcome.from_cache = false;
    if (with_prelude) precompile();
    const timespec start = now();
    std::vector<std::string> argv = command(kind);
    argv.insert(argv.end(),
                {"-MD", "-MF", (folder / "unit.d").string(), "-MT", "unit", "-c", "-o", (folder / "unit.o").string()});
    const auto source = source_arguments(folder, text);
    argv.insert(argv.end(), source.begin(), source.end());
    if (!run(argv, outcome.message)) return false;
    if (with_prelude)
      save_file(folder / "unit.o", hide_weak_definitions(align_data_to_pages(load_text(folder / "unit.o"))));
    std::vector<fs::path> files = parse_depfile(load_text(folder / "unit.d"));
    std::erase_if(files, [&](const fs::path& file) {  // those that the key has
      return file == folder / "unit.cc" || file == prelude_ || file == members_ || file == header_ ||
             file == fs::path(header_).replace_extension();
    });
    ReuseRecord sources;
    add_lookups(files, text, facts_, with_prelude ? prelude_sources_ : ReuseRecord(), sources);
    sources.doubt_written_since(start);
    if (with_prelude && !prelude_sources_.unknown().empty()) sources.add_unknown(prelude_sources_.unknown());
    save_file(folder / BuildCache::kSources, sources.to_text());
    fs::remove(folder / "unit.cc");
    fs::remove(folder / "unit.d");
    return true;
  });
  if (entry) outcome.file = *entry / "unit.o";
  return outcome;
}

std::string StubCompiler::check(std::string_view text) {
  precompile();
  std::vector<std::string> argv = command(UnitKind::kStatements);
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
  std::string identity = fmt::format("{}program\n{}{}", kForm, identity_, place_of({}, flags));
  for (const CompileOutcome& object : objects) identity += content_identity(object.file) + "\n";
  outcome.key = content_hash(identity);
  outcome.from_cache = true;
  const auto entry = cache_.get_unchanged(outcome.key, [&](const fs::path& folder) {
    outcome.from_cache = false;
    const timespec start = now();
    std::vector<std::string> argv = {toolchain_.compiler.path.string()};
    for (const CompileOutcome& object : objects) argv.push_back(object.file.string());
    argv.insert(argv.end(), flags.begin(), flags.end());
    argv.insert(argv.end(), {"-Wl,--trace", "-o", (folder / "stub").string()});
    std::string trace;
    if (!run(argv, outcome.message, &trace)) return false;
    ReuseRecord sources;
    for (const fs::path& file : parse_link_trace(trace))
      if (!is_below(file, cache_.root() / "entries")) sources.add_file(file);  // the key has our own
    add_library_lookups(flags, sources);
    sources.doubt_written_since(start);
    save_file(folder / BuildCache::kSources, sources.to_text());
    return true;
  });
  if (entry) outcome.file = *entry / "stub";
  return outcome;
}

ReuseRecord load_sources(const fs::path& made) {
  return ReuseRecord::parse(load_text(made.parent_path() / BuildCache::kSources));
}

fs::path build_own_library(const OwnLibrary& library, const Compiler& compiler, BuildCache& cache) {
  Toolchain toolchain;
  toolchain.compiler = compiler;
  const CompilerFacts facts = ask_compiler(toolchain);
  const fs::path headers = probe_valgrind_headers();
  const auto command = [&](const fs::path& folder) {
    std::vector<std::string> argv = {compiler.path.string(), "-std=c++20", "-O2", "-fPIC", "-w", "-shared"};
    argv.insert(argv.end(), library.flags.begin(), library.flags.end());
    argv.insert(argv.end(), {"-MD", "-MF", (folder / "unit.d").string(), "-MT", "unit",
                             (folder / library.files.back().first).string(), "-o", (folder / library.name).string()});
    argv.insert(argv.end(), library.libraries.begin(), library.libraries.end());
    if (!headers.empty()) argv.insert(argv.end(), {"-idirafter", headers.string()});
    return argv;
  };
  std::string identity = fmt::format("{}{}\n{}{}\n", kForm, library.what, facts.identity, shell_quote(command("/")));
  for (const auto& [name, text] : library.files) identity += name + "\n" + text;
  std::string message;
  const auto entry = cache.get_unchanged(content_hash(identity), [&](const fs::path& folder) {
    for (const auto& [name, text] : library.files) save_file(folder / name, text);
    const ProcessOutcome outcome =
        run_process({.argv = command(folder), .environment = compiler_environment(), .time_limit = Seconds(600)});
    message = outcome.errors;
    if (!outcome.ok()) return false;
    std::vector<fs::path> files = parse_depfile(load_text(folder / "unit.d"));
    std::erase_if(files, [&](const fs::path& file) { return is_below(file, folder); });
    ReuseRecord sources;
    add_lookups(files, {}, facts, {}, sources);
    save_file(folder / BuildCache::kSources, sources.to_text());
    return true;
  });
  if (!entry)
    throw Error(ErrorKind::kTool, fmt::format("cannot compile {} with {}: {}\n{}", library.what, compiler.path.string(),
                                              first_compiler_error(message), message));
  return *entry / library.name;
}

}  // namespace icount
