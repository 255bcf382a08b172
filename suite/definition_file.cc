#include "icount/suite/definition_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/harness/thread_words.h"
#include "icount/suite/bench_table.h"
#include "icount/suite/dedent.h"
#include "icount/suite/labels.h"
#include "icount/suite/library_table.h"
#include "icount/suite/limits_table.h"
#include "icount/suite/named_setups.h"
#include "icount/suite/program_table.h"
#include "icount/suite/side_by_side.h"
#include "icount/suite/table_reader.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// What a group hands down to its members.
struct Scope {
  Label label;
  GroupedSetup setup;
};

/// Reads one file into the suite; a child of the reader of the file that includes it.
class FileReader {
 public:
  FileReader(std::string name, fs::path folder, Suite& suite, Problems& problems, const FileReader* parent = nullptr)
      : name_(std::move(name)), folder_(std::move(folder)), suite_(suite), problems_(problems), parent_(parent) {}

  void read(std::string_view text, const Scope& scope, Definitions& into);
  void set_path(fs::path path) { path_ = std::move(path); }

 private:
  void read_head(TableReader& top);
  void read_run(const TomlValue& table);
  void read_members(TableReader& table, const Scope& scope, Definitions& into);
  void read_group(const TomlValue& table, const Scope& outer, Definitions& into);
  void read_stmts(const TomlValue& table, const Scope& scope, Definitions& into);
  void read_modules(const TomlValue& table, const Scope& scope, Definitions& into);
  void read_variants(const TomlValue& table, const Scope& scope, Definitions& into);
  void read_timer_args(const TomlValue& table, const Scope& scope, Definitions& into);
  void read_programs(const TomlValue& table, const Scope& scope, Definitions& into);
  void read_bench(const TomlValue& table, const Scope& scope, Definitions& into);
  /// A table of one thing to run, with a label and limits of its own.
  template <typename Read>
  void read_runnable(const TomlValue& table, const char* title, Read read, const Scope& scope, Definitions& into);
  void read_includes(TableReader& table, const Scope& scope, Definitions& into);
  void include(const std::string& file, const Place& place, const Scope& scope, Definitions& into);
  std::string include_cycle(const fs::path& path) const;

  Label read_label(TableReader& table);
  void read_limits(TableReader& table, const Label& label);

  std::string name_;
  fs::path folder_;
  fs::path path_;  ///< canonical; empty for a text
  Suite& suite_;
  Problems& problems_;
  const FileReader* parent_;
  NamedSetups setups_;
};

void FileReader::read(std::string_view text, const Scope& scope, Definitions& into) {
  TomlValue root = parse_toml(text, name_, problems_);
  TableReader top(root, "the suite", problems_);
  read_head(top);
  if (const TomlValue* table = top.find("setup", TomlValue::Kind::kTable)) setups_.read(*table, problems_);
  if (const TomlValue* table = top.find("library", TomlValue::Kind::kTable))
    read_library_table(*table, folder_, suite_.library, problems_);
  if (const TomlValue* table = top.find("run", TomlValue::Kind::kTable)) read_run(*table);
  read_includes(top, scope, into);
  read_limits(top, scope.label);
  read_members(top, scope, into);
  top.finish();
}

void FileReader::read_head(TableReader& top) {
  std::string name = top.text("name");
  std::string description = top.text("description");
  int64_t version = top.integer("version", 0).value_or(0);
  for (const std::string& command : top.texts("build")) suite_.build.push_back({command, folder_});
  if (top.find("inputs") && !suite_.inputs) suite_.inputs.emplace();
  for (const std::string& pattern : top.texts("inputs")) suite_.inputs->push_back(folder_ / pattern);
  if (parent_) return;  // an included file lends its definitions, not its name
  if (!name.empty()) suite_.name = name;
  suite_.description = description;
  suite_.version = version;
}

void FileReader::read_run(const TomlValue& table) {
  TableReader reader(table, "[run]", problems_);
  RunSettings settings{reader.integer("number", 1), reader.integer("repeats", 1), reader.positive_number("timeout_s"),
                       reader.integer("retries", 0)};
  reader.finish();
  if (!parent_) suite_.run = settings;
}

void FileReader::read_members(TableReader& table, const Scope& scope, Definitions& into) {
  using Read = void (FileReader::*)(const TomlValue&, const Scope&, Definitions&);
  struct Member {
    const TomlValue* table;
    Read read;
  };
  const std::pair<std::string_view, Read> kinds[] = {{"group", &FileReader::read_group},
                                                     {"stmts", &FileReader::read_stmts},
                                                     {"modules", &FileReader::read_modules},
                                                     {"variants", &FileReader::read_variants},
                                                     {"timer_args", &FileReader::read_timer_args},
                                                     {"programs", &FileReader::read_programs},
                                                     {"bench", &FileReader::read_bench}};
  std::vector<Member> members;
  for (const auto& [key, read] : kinds) {
    for (const TomlValue* member : table.tables(key)) members.push_back({member, read});
  }
  // TOML has one array per kind; the order between kinds is that of the file.
  std::stable_sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
    return std::pair(a.table->place.line, a.table->place.column) <
           std::pair(b.table->place.line, b.table->place.column);
  });
  for (const Member& member : members) (this->*member.read)(*member.table, scope, into);
}

Label FileReader::read_label(TableReader& table) { return table.texts("label"); }

void FileReader::read_limits(TableReader& table, const Label& label) {
  for (const TomlValue* limits : table.tables("limits")) {
    TableReader reader(*limits, "[limits]", problems_);
    suite_.limits.push_back({label, to_json(*limits), limits->place, read_limits_table(reader)});
  }
}

Label joined(const Label& label, const Label& key) {
  Label result = label;
  result.insert(result.end(), key.begin(), key.end());
  return result;
}

void FileReader::read_group(const TomlValue& table, const Scope& outer, Definitions& into) {
  TableReader reader(table, "[[group]]", problems_);
  Label key = read_label(reader);
  Scope scope{joined(outer.label, key), setups_.whole_setup(reader, outer.setup)};
  Definitions members;
  read_includes(reader, scope, members);
  read_limits(reader, scope.label);
  read_members(reader, scope, members);
  reader.finish();
  into.add(key, std::move(members), table.place);
}

void FileReader::read_stmts(const TomlValue& table, const Scope& scope, Definitions& into) {
  TableReader reader(table, "[[stmts]]", problems_);
  Label key = read_label(reader);
  GroupedStmts stmts{reader.text("py_stmt"),
                     reader.text("cpp_stmt"),
                     setups_.whole_setup(reader, scope.setup),
                     reader.text("signature"),
                     reader.flag("torchscript"),
                     reader.flag("autograd"),
                     reader.integers("num_threads", {1})};
  read_side_by_side(reader, stmts.py_stmt, stmts.cpp_stmt);
  read_limits(reader, joined(scope.label, key));
  reader.finish();
  into.add(key, std::move(stmts), table.place);
}

void FileReader::read_modules(const TomlValue& table, const Scope& scope, Definitions& into) {
  TableReader reader(table, "[[modules]]", problems_);
  Label key = read_label(reader);
  GroupedModules modules{
      reader.text("py_model_setup"),      reader.text("cpp_model_setup"), setups_.whole_setup(reader, scope.setup),
      reader.text("signature"),           reader.flag("torchscript"),     reader.flag("autograd"),
      reader.integers("num_threads", {1})};
  read_limits(reader, joined(scope.label, key));
  reader.finish();
  into.add(key, std::move(modules), table.place);
}

void FileReader::read_variants(const TomlValue& table, const Scope& scope, Definitions& into) {
  TableReader reader(table, "[[variants]]", problems_);
  Label key = read_label(reader);
  GroupedVariants variants{reader.text("py_block"), reader.text("cpp_block"), setups_.whole_setup(reader, scope.setup),
                           reader.integers("num_threads", {1})};
  read_side_by_side(reader, variants.py_block, variants.cpp_block);
  read_limits(reader, joined(scope.label, key));
  reader.finish();
  into.add(key, std::move(variants), table.place);
}

void FileReader::read_timer_args(const TomlValue& table, const Scope& scope, Definitions& into) {
  TableReader reader(table, "[[timer_args]]", problems_);
  Label key = read_label(reader);
  TimerArgs args;
  args.stmt = dedent_and_strip(reader.required_text("stmt"));
  if (const TomlValue* language = reader.find("language", TomlValue::Kind::kString)) {
    try {
      args.language = parse_language(language->text);
    } catch (const Error& error) {
      reader.problem(language->place, error.what());
    }
  }
  GroupedSetup setup = setups_.whole_setup(reader, scope.setup);
  const bool python = args.language == Language::kPython;
  args.setup = python ? setup.py_setup : setup.cpp_setup;
  args.global_setup = python ? "" : setup.global_setup;
  args.num_threads = static_cast<int>(reader.integer("num_threads", 1, std::numeric_limits<int>::max()).value_or(1));
  read_limits(reader, joined(scope.label, key));
  reader.finish();
  if (args.stmt.empty()) args.stmt = ";";  // the missing field was reported; don't say it twice
  into.add(key, std::move(args), table.place);
}

template <typename Read>
void FileReader::read_runnable(const TomlValue& table, const char* title, Read read, const Scope& scope,
                               Definitions& into) {
  TableReader reader(table, title, problems_);
  Label key = read_label(reader);
  auto runnable = read(reader, folder_);
  read_limits(reader, joined(scope.label, key));
  reader.finish();
  into.add(key, std::move(runnable), table.place);
}

void FileReader::read_programs(const TomlValue& table, const Scope& scope, Definitions& into) {
  read_runnable(table, "[[programs]]", read_program_table, scope, into);
}

void FileReader::read_bench(const TomlValue& table, const Scope& scope, Definitions& into) {
  read_runnable(table, "[[bench]]", read_bench_table, scope, into);
}

void FileReader::read_includes(TableReader& table, const Scope& scope, Definitions& into) {
  std::vector<std::string> files = table.texts("include");
  for (const std::string& file : files) include(file, table.find("include")->place, scope, into);
}

void FileReader::include(const std::string& file, const Place& place, const Scope& scope, Definitions& into) {
  fs::path path = folder_ / file;
  std::error_code code;
  fs::path canonical = fs::weakly_canonical(path, code);
  if (std::string cycle = include_cycle(canonical); !cycle.empty()) {
    problems_.add(place, fmt::format("cyclic include: {}", cycle));
    return;
  }
  try {
    if (fs::exists(path, code) && !fs::is_regular_file(path, code) && !fs::is_directory(path, code))
      throw Error(ErrorKind::kIo, path.string() + ": is a pipe or a device; a file was expected");
    std::string text = load_text(path);
    FileReader reader(path.lexically_normal().string(), path.parent_path(), suite_, problems_, this);
    reader.set_path(canonical);
    suite_.files.push_back(path.lexically_normal());
    reader.read(text, scope, into);
  } catch (const Error& error) {
    problems_.add(place, fmt::format("include \"{}\": {}", file, error.what()));
  }
}

std::string FileReader::include_cycle(const fs::path& path) const {
  std::string chain = path.filename().string();
  for (const FileReader* reader = this; reader; reader = reader->parent_) {
    chain.insert(0, fs::path(reader->name_).filename().string() + " -> ");
    if (reader->path_ == path) return chain;
  }
  return {};
}

/// Labels, signatures and blocks are checked where they are expanded; here so that one message holds all. Threads that
/// no statement uses are refused as on the command line.
void check_definitions(const Suite& suite, Problems& problems) {
  const std::vector<Benchmark> benchmarks = materialize(suite.definitions, {}, problems);
  LibrarySpec torch_only;
  torch_only.torch = suite.library.torch;
  torch_only.include_dirs = suite.library.include_dirs;
  if (!problems.empty() || suite.library != torch_only) return;  // what a library of the user's does is not known
  for (const Benchmark& benchmark : benchmarks) {
    if (!benchmark.is_statement() || benchmark.timer_args.num_threads == 1) continue;
    if (may_use_threads(benchmark.timer_args, {})) continue;
    problems.add(
        benchmark.place,
        fmt::format("\"{}\": num_threads is {}, but the statement has no threads whose number could be set: {}",
                    to_text(benchmark.timer_args.label), benchmark.timer_args.num_threads,
                    describe_no_threads(benchmark.timer_args.language)));
  }
}

Suite read_suite(std::string_view text, const std::string& name, const fs::path& folder, const fs::path& path) {
  Suite suite;
  Problems problems;
  suite.name = fs::path(name).stem().string();
  FileReader reader(name, folder, suite, problems);
  reader.set_path(path);
  reader.read(text, {}, suite.definitions);
  check_definitions(suite, problems);
  if (problems.empty() && suite.definitions.entries.empty())
    problems.add({name, 1, 1}, "the suite defines no benchmark");
  problems.throw_if_any(name);
  return suite;
}

}  // namespace

Suite load_suite(const fs::path& path) {
  std::string text = load_text(path);
  Suite suite = read_suite(text, path.string(), path.parent_path(), fs::weakly_canonical(path));
  suite.files.insert(suite.files.begin(), path);
  return suite;
}

Suite parse_suite(std::string_view text, const std::string& name, const fs::path& folder) {
  return read_suite(text, name, folder, {});
}

}  // namespace icount
