#include "icount/suite/definition_file.h"

#include <fmt/format.h>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <algorithm>
#include <limits>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/toml_value.h"
#include "icount/harness/statement_needs.h"
#include "icount/stats/growth.h"
#include "icount/stats/python_text.h"
#include "icount/suite/definitions.h"
#include "icount/suite/labels.h"
#include "icount/suite/limits_table.h"
#include "icount/suite/size_axis.h"
#include "icount/suite/table_reader.h"
#include "icount/suite/variants.h"
#include "icount/timer/google_benchmark.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// A text, a number or a truth value as the text that an environment or a command has of it.
std::string plain_text(const TomlValue& value) {
  if (value.kind == TomlValue::Kind::kInteger) return std::to_string(value.integer);
  if (value.kind == TomlValue::Kind::kNumber) return fmt::format("{}", value.number);
  if (value.kind == TomlValue::Kind::kBool) return value.boolean ? "true" : "false";
  return value.text;
}

/// Whether it is one of them.
bool is_plain(const TomlValue& value) {
  return value.kind == TomlValue::Kind::kString || value.kind == TomlValue::Kind::kInteger ||
         value.kind == TomlValue::Kind::kNumber || value.kind == TomlValue::Kind::kBool;
}

/// The table `environment` of [[programs]] and [[bench]], "NAME=VALUE" for each; what is none is a problem of the
/// table.
std::vector<std::string> read_environment_table(TableReader& table) {
  std::vector<std::string> environment;
  const TomlValue* own = table.find("environment", TomlValue::Kind::kTable);
  if (!own) return environment;
  for (const TomlField& field : own->fields) {
    if (!is_plain(field.value) || field.key.empty() || field.key.find('=') != std::string::npos)
      table.problem(field.place, fmt::format("\"{}\" is not an environment variable with a text", field.key));
    environment.push_back(field.key + "=" + plain_text(field.value));
  }
  return environment;
}

// A [[programs]] table of a suite file as a value: what suite/definition_file.cc reads with suite/table_reader.h.

std::vector<std::string> values_of(TableReader& table, const std::string& name, const TomlValue& value) {
  std::vector<std::string> values;
  const std::vector<TomlValue> lone = {value};
  for (const TomlValue& item : value.kind == TomlValue::Kind::kArray ? value.items : lone) {
    if (!is_plain(item))
      table.problem(item.place, fmt::format("a value of the parameter \"{}\" is {}, not text or a number", name,
                                            to_text(item.kind)));
    values.push_back(plain_text(item));
  }
  std::vector<std::string> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    table.problem(value.place, fmt::format("the parameter \"{}\" has the value {} twice", name, *twice));
  return values;
}

void read_parameters(TableReader& table, const fs::path& folder, std::vector<ProgramParameter>& parameters) {
  if (const TomlValue* sizes = table.find("sizes")) parameters.push_back({"size", values_of(table, "size", *sizes)});
  std::vector<std::string> files;
  for (const std::string& pattern : table.texts("files")) {
    const std::vector<std::string> found = find_files(pattern, folder);
    if (found.empty())
      table.problem(table.find("files")->place,
                    fmt::format("no file matches \"{}\" (looked for in {})", pattern,
                                folder.empty() ? std::string("the working folder") : folder.string()));
    for (const std::string& file : found)
      if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  }
  if (!files.empty()) parameters.push_back({"file", std::move(files)});
  if (const TomlValue* own = table.find("parameters", TomlValue::Kind::kTable))
    for (const TomlField& field : own->fields) {
      if (std::any_of(parameters.begin(), parameters.end(),
                      [&](const ProgramParameter& parameter) { return parameter.name == field.key; }))
        table.problem(field.place, fmt::format("the parameter \"{}\" is given twice", field.key));
      parameters.push_back({field.key, values_of(table, field.key, field.value)});
    }
}

/// All fields but `label` and `limits`; relative names are those of `folder`, the suite file's. Patterns of files are
/// expanded here, sorted by name. What is wrong is a problem of the table.
GroupedPrograms read_program_table(TableReader& table, const fs::path& folder) {
  GroupedPrograms programs;
  ProgramRun& run = programs.run;
  if (const TomlValue* command = table.find("command"); command && command->kind == TomlValue::Kind::kString)
    table.problem(command->place, "'command' is a list: [\"./program\", \"argument\"]");
  else
    run.command = table.texts("command");
  run.input = table.text("input");
  run.environment = read_environment_table(table);
  run.folder = folder;
  if (const std::string there = table.text("folder"); !there.empty()) run.folder = folder / there;
  run.exit_code = static_cast<int>(table.integer("exit_code", 0, 255).value_or(0));
  run.within = table.texts("within");
  run.timeout_s = table.positive_number("timeout_s");
  programs.regions = table.texts("regions");
  read_parameters(table, folder, programs.parameters);
  return programs;
}

// The table [library] of a suite file: what the suite measures besides LibTorch. Used by suite/definition_file.cc; what
// the fields mean is in suite/suite_spec.h and docs/suite.md.

template <typename Item>
void append(std::vector<Item>& items, const std::vector<Item>& more) {
  items.insert(items.end(), more.begin(), more.end());
}

std::vector<fs::path> paths(TableReader& table, const fs::path& folder, std::string_view key) {
  std::vector<fs::path> result;
  for (const std::string& text : table.texts(key)) result.push_back((folder / text).lexically_normal());
  return result;
}

void read_cmake_packages(TableReader& reader, LibrarySpec& library, Problems& problems) {
  for (const TomlValue* table : reader.tables("cmake_packages")) {
    TableReader fields(*table, "'cmake_packages' of [library]", problems);
    CmakePackage package{fields.required_text("name"), fields.texts("components"), fields.texts("targets")};
    if (package.targets.empty())
      fields.problem(table->place, fmt::format("CMake package {}: name its 'targets' to link", package.name));
    fields.finish();
    library.cmake_packages.push_back(std::move(package));
  }
}

bool is_build_type(std::string_view text) {
  return text == "Release" || text == "RelWithDebInfo" || text == "MinSizeRel" || text == "Debug";
}

/// Adds what the table names to `library`, so that included files add to their includer's; paths are taken relative to
/// `folder`. A source that is not there is a problem.
void read_library_table(const TomlValue& table, const fs::path& folder, LibrarySpec& library, Problems& problems) {
  TableReader reader(table, "[library]", problems);
  if (const TomlValue* torch = reader.find("torch", TomlValue::Kind::kBool)) library.torch = torch->boolean;
  // An includer is read before what it includes, and wins.
  const auto set_first = [&](std::string& field, const char* key) {
    if (std::string text = reader.text(key); field.empty()) field = std::move(text);
  };
  set_first(library.compiler, "compiler");
  if (library.compiler.find('/') != std::string::npos) library.compiler = fs::absolute(folder / library.compiler);
  set_first(library.standard, "standard");
  set_first(library.build_type, "build_type");
  if (const TomlValue* type = reader.find("build_type"); type && !is_build_type(type->text))
    reader.problem(type->place, fmt::format("'build_type' is \"{}\"; it is Release, RelWithDebInfo, MinSizeRel or "
                                            "Debug, as in CMake (default: -O2 -DNDEBUG)",
                                            type->text));
  append(library.headers, reader.texts("headers"));
  append(library.include_dirs, paths(reader, folder, "include_dirs"));
  append(library.sources, paths(reader, folder, "sources"));
  append(library.flags, reader.texts("flags"));
  append(library.link_flags, reader.texts("link_flags"));
  append(library.pkg_config, reader.texts("pkg_config"));
  read_cmake_packages(reader, library, problems);
  for (const fs::path& source : library.sources) {
    std::error_code error;
    const fs::file_status status = fs::status(source, error);
    if (!fs::status_known(status))
      reader.problem(table.place, fmt::format("'sources' of [library]: {}: {}", source.string(), error.message()));
    else if (!fs::exists(status))
      reader.problem(table.place, fmt::format("'sources' of [library]: no file {}", source.string()));
    else if (!fs::is_regular_file(status))  // the compiler would wait for a pipe
      reader.problem(table.place, fmt::format("'sources' of [library]: {} is not a file", source.string()));
  }
  reader.finish();
}

// Set-ups of a suite file: the [setup.NAME] tables, and how a definition's own texts, those it names and those of the
// groups around it come together. Used by suite/definition_file.cc; docs/suite.md shows them.

/// The named set-ups of one file; an included file has its own.
class NamedSetups {
 public:
  /// `table`: [setup].
  void read(const TomlValue& table, Problems& problems);

  /// `outer`, then the set-ups that the table's 'setup' names, then its own py_setup, cpp_setup and global_setup. A
  /// name that no table has is a problem.
  GroupedSetup whole_setup(TableReader& table, const GroupedSetup& outer) const;

 private:
  std::map<std::string, GroupedSetup> setups_;
};

void append(std::string& code, const std::string& more) {
  std::string plain = dedent_and_strip(more);
  if (!code.empty() && !plain.empty()) code += '\n';
  code += plain;
}

void append(GroupedSetup& setup, const GroupedSetup& more) {
  append(setup.py_setup, more.py_setup);
  append(setup.cpp_setup, more.cpp_setup);
  append(setup.global_setup, more.global_setup);
}

GroupedSetup own_setup(TableReader& table) {
  return {table.text("py_setup"), table.text("cpp_setup"), table.text("global_setup")};
}

void NamedSetups::read(const TomlValue& table, Problems& problems) {
  for (const TomlField& field : table.fields) {
    if (field.value.kind != TomlValue::Kind::kTable) {
      problems.add(field.place, fmt::format("set-ups are tables, [setup.{}]", field.key));
      continue;
    }
    TableReader reader(field.value, fmt::format("[setup.{}]", field.key), problems);
    setups_[field.key] = own_setup(reader);
    reader.finish();
  }
}

GroupedSetup NamedSetups::whole_setup(TableReader& table, const GroupedSetup& outer) const {
  GroupedSetup setup = outer;
  for (const std::string& name : table.texts("setup")) {
    auto found = setups_.find(name);
    if (found == setups_.end()) {
      table.problem(table.find("setup")->place,
                    fmt::format("unknown set-up '{}': this file has no [setup.{}]", name, name));
    } else {
      append(setup, found->second);
    }
  }
  append(setup, own_setup(table));
  return setup;
}

// The field 'side_by_side' of a definition: both languages in one text (suite/variants.h), where 'py_...' and
// 'cpp_...' would have one each. Used by suite/definition_file.cc.

/// Replaces both texts when the table has the field; texts that were there are a problem, as are crooked rows, each
/// with its line.
void read_side_by_side(TableReader& table, std::string& python, std::string& cpp) {
  const TomlValue* value = table.find("side_by_side", TomlValue::Kind::kString);
  if (!value) return;
  if (!python.empty() || !cpp.empty())
    table.problem(value->place, "'side_by_side' holds both languages; remove the separate texts");
  std::vector<RowProblem> rows;
  SideBySide both = parse_stmts(value->text, rows);
  for (const RowProblem& row : rows) {
    Place place = value->text_line > 0 ? Place{value->place.file, value->text_line + row.row, 1} : value->place;
    table.problem(place, row.text);
  }
  if (!rows.empty()) both = {"pass", ""};  // said already; "no statement" on top would mislead
  python = both.python;
  cpp = both.cpp;
}

// A [[bench]] or [[tests]] table of a suite file as a value: what suite/definition_file.cc reads with
// suite/table_reader.h.

/// All fields but `label` and `limits`; relative names are those of `folder`, the suite file's. What is wrong is a
/// problem of the table.
BenchBinary read_tests_table(TableReader& table, const std::filesystem::path& folder) {
  BenchBinary bench;
  bench.kind = CaseKind::kTests;
  bench.command.push_back(table.required_text("binary"));
  for (std::string& argument : table.texts("args")) bench.command.push_back(std::move(argument));
  bench.folder = folder;
  if (const std::string there = table.text("folder"); !there.empty()) bench.folder = folder / there;
  bench.environment = read_environment_table(table);
  bench.filter = table.text("filter");
  bench.timeout_s = table.positive_number("timeout_s");
  return bench;
}

BenchBinary read_bench_table(TableReader& table, const std::filesystem::path& folder) {
  BenchBinary bench = read_tests_table(table, folder);
  bench.kind = CaseKind::kBenchmarks;
  bench.functions = table.text("case");
  constexpr int64_t kLeast = 3, kMost = 1'000'000'000;
  bench.number = table.integer("number", kLeast, kMost);
  return bench;
}

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
  void read_tests(const TomlValue& table, const Scope& scope, Definitions& into);
  void read_growth(const TomlValue& table, const Scope& scope, Definitions& into);
  void read_kernels(const TomlValue& table, const Scope& scope, Definitions& into);
  /// A table with a label and limits of its own; the definition is what `read` makes of its other fields.
  template <typename Read>
  void read_entry(const TomlValue& table, const char* title, const Scope& scope, Definitions& into, Read read);
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
                       reader.integer("retries", 0), reader.flag("isolate")};
  reader.finish();
  if (!parent_) suite_.run = settings;
}

void FileReader::read_members(TableReader& table, const Scope& scope, Definitions& into) {
  using Read = void (FileReader::*)(const TomlValue&, const Scope&, Definitions&);
  struct Member {
    const TomlValue* table;
    Read read;
  };
  const std::pair<std::string_view, Read> kinds[] = {
      {"group", &FileReader::read_group},           {"stmts", &FileReader::read_stmts},
      {"modules", &FileReader::read_modules},       {"variants", &FileReader::read_variants},
      {"timer_args", &FileReader::read_timer_args}, {"programs", &FileReader::read_programs},
      {"bench", &FileReader::read_bench},           {"tests", &FileReader::read_tests},
      {"growth", &FileReader::read_growth},         {"kernels", &FileReader::read_kernels}};
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

template <typename Read>
void FileReader::read_entry(const TomlValue& table, const char* title, const Scope& scope, Definitions& into,
                            Read read) {
  TableReader reader(table, title, problems_);
  Label key = read_label(reader);
  auto definition = read(reader);
  read_limits(reader, joined(scope.label, key));
  reader.finish();
  into.add(key, std::move(definition), table.place);
}

void FileReader::read_stmts(const TomlValue& table, const Scope& scope, Definitions& into) {
  read_entry(table, "[[stmts]]", scope, into, [&](TableReader& reader) {
    GroupedStmts stmts{reader.text("py_stmt"),
                       reader.text("cpp_stmt"),
                       setups_.whole_setup(reader, scope.setup),
                       reader.text("signature"),
                       reader.flag("torchscript"),
                       reader.flag("autograd"),
                       reader.integers("num_threads", {1})};
    read_side_by_side(reader, stmts.py_stmt, stmts.cpp_stmt);
    return stmts;
  });
}

void FileReader::read_modules(const TomlValue& table, const Scope& scope, Definitions& into) {
  read_entry(table, "[[modules]]", scope, into, [&](TableReader& reader) {
    return GroupedModules{
        reader.text("py_model_setup"),      reader.text("cpp_model_setup"), setups_.whole_setup(reader, scope.setup),
        reader.text("signature"),           reader.flag("torchscript"),     reader.flag("autograd"),
        reader.integers("num_threads", {1})};
  });
}

void FileReader::read_variants(const TomlValue& table, const Scope& scope, Definitions& into) {
  read_entry(table, "[[variants]]", scope, into, [&](TableReader& reader) {
    GroupedVariants variants{reader.text("py_block"), reader.text("cpp_block"),
                             setups_.whole_setup(reader, scope.setup), reader.integers("num_threads", {1})};
    read_side_by_side(reader, variants.py_block, variants.cpp_block);
    return variants;
  });
}

void FileReader::read_timer_args(const TomlValue& table, const Scope& scope, Definitions& into) {
  read_entry(table, "[[timer_args]]", scope, into, [&](TableReader& reader) {
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
    if (args.stmt.empty()) args.stmt = ";";  // the missing field was reported; don't say it twice
    return args;
  });
}

void FileReader::read_programs(const TomlValue& table, const Scope& scope, Definitions& into) {
  read_entry(table, "[[programs]]", scope, into,
             [&](TableReader& reader) { return read_program_table(reader, folder_); });
}

void FileReader::read_bench(const TomlValue& table, const Scope& scope, Definitions& into) {
  read_entry(table, "[[bench]]", scope, into, [&](TableReader& reader) { return read_bench_table(reader, folder_); });
}

void FileReader::read_tests(const TomlValue& table, const Scope& scope, Definitions& into) {
  read_entry(table, "[[tests]]", scope, into, [&](TableReader& reader) { return read_tests_table(reader, folder_); });
}

/// A statement, a command or a family of cases, and the sizes.
GrowthBenchmark read_growth_table(TableReader& table, const fs::path& suite_folder) {
  GrowthBenchmark growth;
  growth.command = table.texts("command");
  growth.input = table.text("input");
  growth.folder = suite_folder;
  if (const std::string there = table.text("folder"); !there.empty()) growth.folder = suite_folder / there;
  growth.bench.command = table.texts("bench");
  growth.bench.folder = growth.folder;
  const std::string family = table.text("family");
  growth.statement.stmt = table.text("stmt");
  growth.statement.setup = table.text("setup");
  growth.statement.global_setup = table.text("global_setup");
  const bool is_family = !growth.bench.command.empty();
  if (!growth.command.empty() + !growth.statement.stmt.empty() + is_family != 1)
    table.problem(table.place(), "needs 'stmt', 'command' or 'bench', one of them");
  if (is_family == family.empty())
    table.problem(table.place(), "'bench' and 'family' belong together: bench = \"./my_bench\", family = \"BM_sort\"");
  FuzzAxis axis{table.text("op"), table.text("parameter"), static_cast<uint64_t>(table.integer("seed", 0).value_or(0))};
  const std::string language = table.text("language");
  if (language == "python")
    growth.statement.language = Language::kPython;
  else if (!language.empty() && language != "c++")
    table.problem(table.place(), fmt::format("'language' is c++ or python, not '{}'", language));
  const std::vector<int> sizes = table.integers("sizes", {});
  const std::set<int64_t> distinct(sizes.begin(), sizes.end());
  growth.sizes.assign(distinct.begin(), distinct.end());
  if (!(is_family && sizes.empty()) && (growth.sizes.size() < kLeastSizes || growth.sizes.front() < 1))
    table.problem(table.place(), "'sizes' needs three different sizes or more, all above 0: sizes = [100, 200, 400]");
  growth.limit.max_exponent = table.positive_number("max_exponent");
  growth.limit.max_function_exponent = table.positive_number("max_function_exponent");
  growth.limit.max_ratio = table.positive_number("max_ratio");
  if (is_family) {
    growth.limit.pattern = family_pattern(family);
    growth.bench.filter = family_filter(growth.limit.pattern, growth.sizes);
    return growth;
  }
  if (axis.table.empty() != axis.parameter.empty() || (!axis.table.empty() && !growth.command.empty()))
    table.problem(table.place(), "'op' and 'parameter' belong to a 'stmt': op = \"shapes.toml\", parameter = \"n\"");
  if (!axis.table.empty()) axis.table = suite_folder / axis.table;
  try {
    growth.tensors = tensors_by_size(axis, growth.sizes, growth.statement.language);
  } catch (const Error& error) {
    table.problem(table.place(), error.what());
  }
  std::string texts = growth.statement.stmt + growth.statement.setup + growth.statement.global_setup + growth.input;
  for (const std::string& word : growth.command) texts += word;
  if (axis.table.empty() && texts.find(kSizeWord) == std::string::npos)
    table.problem(table.place(), "nothing depends on the size: write {n} where it stands");
  return growth;
}

/// A benchmark for each size. The cases of a family have their sizes in their names.
void add_sizes(const GrowthBenchmark& growth, const Label& key, const Place& place, Definitions& into) {
  if (!growth.bench.command.empty()) {
    into.add(key, growth.bench, place);
    return;
  }
  for (size_t i = 0; i < growth.sizes.size(); ++i) {
    const int64_t size = growth.sizes[i];
    const Label label = joined(key, {with_size(kSizeLabel, size)});
    if (growth.command.empty()) {
      into.add(label, at_size(growth.statement, size, i < growth.tensors.size() ? growth.tensors[i] : ""), place);
      continue;
    }
    GroupedPrograms program;
    for (const std::string& word : growth.command) program.run.command.push_back(with_size(word, size));
    program.run.input = with_size(growth.input, size);
    program.run.folder = growth.folder;
    into.add(label, std::move(program), place);
  }
}

void FileReader::read_growth(const TomlValue& table, const Scope& scope, Definitions& into) {
  TableReader reader(table, "[[growth]]", problems_);
  const Label key = read_label(reader);
  GrowthBenchmark growth = read_growth_table(reader, folder_);
  if (key.empty()) reader.problem(table.place, "[[growth]] needs a 'label'");
  growth.limit.key = to_text(joined(scope.label, key));
  growth.limit.place = to_text(Place{table.place.file, table.place.line, 0});
  read_limits(reader, joined(scope.label, key));
  reader.finish();
  if (!growth.bench.command.empty() || growth.sizes.size() >= kLeastSizes) add_sizes(growth, key, table.place, into);
  suite_.growths.push_back(std::move(growth));
}

void FileReader::read_kernels(const TomlValue& table, const Scope& scope, Definitions&) {
  TableReader reader(table, "[[kernels]]", problems_);
  KernelsBenchmark kernels;
  const Label key = read_label(reader);
  if (key.empty()) reader.problem(table.place, "[[kernels]] needs a 'label'");
  kernels.label = joined(scope.label, key);
  kernels.folder = folder_;
  kernels.place = to_text(Place{table.place.file, table.place.line, 0});
  kernels.file = reader.text("file");
  if (kernels.file.empty()) reader.problem(table.place, "[[kernels]] needs a 'file'");
  kernels.architectures = reader.texts("arch");
  kernels.flags = reader.texts("flags");
  kernels.fail_on = reader.texts("fail_on");
  for (const std::string& what : kernels.fail_on)
    if (what != "differs" && what != "registers" && what != "spills")
      reader.problem(table.place, fmt::format("'fail_on' is differs, registers or spills, not '{}'", what));
  reader.finish();
  suite_.kernels.push_back(std::move(kernels));
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
  torch_only.compiler = suite.library.compiler;
  torch_only.standard = suite.library.standard;
  torch_only.build_type = suite.library.build_type;
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
  if (problems.empty() && suite.definitions.entries.empty() && suite.kernels.empty())
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
