#include "suite/definition_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/file.h"
#include "suite/dedent.h"
#include "suite/labels.h"
#include "suite/limits_table.h"
#include "suite/parse_stmts.h"
#include "suite/table_reader.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

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

template <typename Item>
void append(std::vector<Item>& items, const std::vector<Item>& more) {
  items.insert(items.end(), more.begin(), more.end());
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
  void read_setups(TableReader& top);
  void read_library(const TomlValue& table);
  void read_cmake_packages(TableReader& library);
  void read_run(const TomlValue& table);
  void read_members(TableReader& table, const Scope& scope, Definitions& into);
  void read_group(const TomlValue& table, const Scope& outer, Definitions& into);
  void read_stmts(const TomlValue& table, const Scope& scope, Definitions& into);
  void read_modules(const TomlValue& table, const Scope& scope, Definitions& into);
  void read_variants(const TomlValue& table, const Scope& scope, Definitions& into);
  void read_timer_args(const TomlValue& table, const Scope& scope, Definitions& into);
  void read_includes(TableReader& table, const Scope& scope, Definitions& into);
  void include(const std::string& file, const Place& place, const Scope& scope, Definitions& into);
  std::string include_cycle(const fs::path& path) const;

  Label read_label(TableReader& table);
  GroupedSetup read_setup(TableReader& table, const Scope& scope);
  GroupedSetup own_setup(TableReader& table);
  void read_side_by_side(TableReader& table, std::string& python, std::string& cpp);
  void read_limits(TableReader& table, const Label& label);
  std::vector<fs::path> paths(TableReader& table, std::string_view key);

  std::string name_;
  fs::path folder_;
  fs::path path_;  ///< canonical; empty for a text
  Suite& suite_;
  Problems& problems_;
  const FileReader* parent_;
  std::map<std::string, GroupedSetup> setups_;
};

void FileReader::read(std::string_view text, const Scope& scope, Definitions& into) {
  TomlValue root = parse_toml(text, name_, problems_);
  TableReader top(root, "the suite", problems_);
  read_head(top);
  read_setups(top);
  if (const TomlValue* table = top.find("library", TomlValue::Kind::kTable)) read_library(*table);
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
  if (parent_) return;  // an included file lends its definitions, not its name
  if (!name.empty()) suite_.name = name;
  suite_.description = description;
  suite_.version = version;
}

void FileReader::read_setups(TableReader& top) {
  const TomlValue* table = top.find("setup", TomlValue::Kind::kTable);
  if (!table) return;
  for (const TomlField& field : table->fields) {
    if (field.value.kind != TomlValue::Kind::kTable) {
      problems_.add(field.place, fmt::format("set-ups are tables, [setup.{}]", field.key));
      continue;
    }
    TableReader reader(field.value, fmt::format("[setup.{}]", field.key), problems_);
    setups_[field.key] = own_setup(reader);
    reader.finish();
  }
}

std::vector<fs::path> FileReader::paths(TableReader& table, std::string_view key) {
  std::vector<fs::path> result;
  for (const std::string& text : table.texts(key)) result.push_back((folder_ / text).lexically_normal());
  return result;
}

void FileReader::read_library(const TomlValue& table) {
  TableReader reader(table, "[library]", problems_);
  LibrarySpec& library = suite_.library;
  if (const TomlValue* torch = reader.find("torch", TomlValue::Kind::kBool)) library.torch = torch->boolean;
  append(library.headers, reader.texts("headers"));
  append(library.include_dirs, paths(reader, "include_dirs"));
  append(library.sources, paths(reader, "sources"));
  append(library.flags, reader.texts("flags"));
  append(library.link_flags, reader.texts("link_flags"));
  append(library.pkg_config, reader.texts("pkg_config"));
  read_cmake_packages(reader);
  for (const fs::path& source : library.sources) {
    if (!fs::exists(source)) reader.problem(table.place, fmt::format("'sources' of [library]: no file {}", source.string()));
  }
  reader.finish();
}

void FileReader::read_cmake_packages(TableReader& library) {
  for (const TomlValue* table : library.tables("cmake_packages")) {
    TableReader reader(*table, "'cmake_packages' of [library]", problems_);
    CmakePackage package{reader.required_text("name"), reader.texts("components"), reader.texts("targets")};
    if (package.targets.empty()) reader.problem(table->place, fmt::format("CMake package {}: name its 'targets' to link", package.name));
    reader.finish();
    suite_.library.cmake_packages.push_back(std::move(package));
  }
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
                                                     {"timer_args", &FileReader::read_timer_args}};
  std::vector<Member> members;
  for (const auto& [key, read] : kinds) {
    for (const TomlValue* member : table.tables(key)) members.push_back({member, read});
  }
  // TOML has one array per kind; the order between kinds is that of the file.
  std::stable_sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
    return std::pair(a.table->place.line, a.table->place.column) < std::pair(b.table->place.line, b.table->place.column);
  });
  for (const Member& member : members) (this->*member.read)(*member.table, scope, into);
}

Label FileReader::read_label(TableReader& table) { return table.texts("label"); }

GroupedSetup FileReader::own_setup(TableReader& table) {
  return {table.text("py_setup"), table.text("cpp_setup"), table.text("global_setup")};
}

GroupedSetup FileReader::read_setup(TableReader& table, const Scope& scope) {
  GroupedSetup setup = scope.setup;
  for (const std::string& name : table.texts("setup")) {
    auto found = setups_.find(name);
    if (found == setups_.end()) {
      table.problem(table.find("setup")->place, fmt::format("no set-up is called '{}', there is no [setup.{}] in this file", name, name));
    } else {
      append(setup, found->second);
    }
  }
  append(setup, own_setup(table));
  return setup;
}

void FileReader::read_side_by_side(TableReader& table, std::string& python, std::string& cpp) {
  const TomlValue* value = table.find("side_by_side", TomlValue::Kind::kString);
  if (!value) return;
  if (!python.empty() || !cpp.empty()) table.problem(value->place, "'side_by_side' holds both languages, the single texts must go");
  std::vector<RowProblem> rows;
  SideBySide both = parse_stmts(value->text, rows);
  for (const RowProblem& row : rows) {
    Place place = value->text_line > 0 ? Place{name_, value->text_line + row.row, 1} : value->place;
    table.problem(place, row.text);
  }
  if (!rows.empty()) both = {"pass", ""};  // said already; "no statement" on top would mislead
  python = both.python;
  cpp = both.cpp;
}

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
  Scope scope{joined(outer.label, key), read_setup(reader, outer)};
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
  GroupedStmts stmts{reader.text("py_stmt"), reader.text("cpp_stmt"), read_setup(reader, scope), reader.text("signature"),
                     reader.flag("torchscript"), reader.flag("autograd"), reader.integers("num_threads", {1})};
  read_side_by_side(reader, stmts.py_stmt, stmts.cpp_stmt);
  read_limits(reader, joined(scope.label, key));
  reader.finish();
  into.add(key, std::move(stmts), table.place);
}

void FileReader::read_modules(const TomlValue& table, const Scope& scope, Definitions& into) {
  TableReader reader(table, "[[modules]]", problems_);
  Label key = read_label(reader);
  GroupedModules modules{reader.text("py_model_setup"), reader.text("cpp_model_setup"), read_setup(reader, scope), reader.text("signature"),
                         reader.flag("torchscript"), reader.flag("autograd"), reader.integers("num_threads", {1})};
  read_limits(reader, joined(scope.label, key));
  reader.finish();
  into.add(key, std::move(modules), table.place);
}

void FileReader::read_variants(const TomlValue& table, const Scope& scope, Definitions& into) {
  TableReader reader(table, "[[variants]]", problems_);
  Label key = read_label(reader);
  GroupedVariants variants{reader.text("py_block"), reader.text("cpp_block"), read_setup(reader, scope), reader.integers("num_threads", {1})};
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
  GroupedSetup setup = read_setup(reader, scope);
  const bool python = args.language == Language::kPython;
  args.setup = python ? setup.py_setup : setup.cpp_setup;
  args.global_setup = python ? "" : setup.global_setup;
  args.num_threads = static_cast<int>(reader.integer("num_threads", 1).value_or(1));
  read_limits(reader, joined(scope.label, key));
  reader.finish();
  if (args.stmt.empty()) args.stmt = ";";  // the missing field was reported; don't say it twice
  into.add(key, std::move(args), table.place);
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
    chain = fs::path(reader->name_).filename().string() + " -> " + chain;
    if (reader->path_ == path) return chain;
  }
  return {};
}

/// Labels, signatures and blocks are checked where they are expanded; here so that one message holds all.
void check_definitions(const Suite& suite, Problems& problems) { materialize(suite.definitions, {}, problems); }

Suite read_suite(std::string_view text, const std::string& name, const fs::path& folder, const fs::path& path) {
  Suite suite;
  Problems problems;
  suite.name = fs::path(name).stem().string();
  FileReader reader(name, folder, suite, problems);
  reader.set_path(path);
  reader.read(text, {}, suite.definitions);
  check_definitions(suite, problems);
  if (problems.empty() && suite.definitions.entries.empty()) problems.add({name, 1, 1}, "the suite defines no benchmark");
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

Suite parse_suite(std::string_view text, const std::string& name, const fs::path& folder) { return read_suite(text, name, folder, {}); }

}  // namespace icount
