#include "icount/suite/program_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/suite/environment_table.h"
#include "icount/suite/file_patterns.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

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
                    fmt::format("no file fits \"{}\" (looked for in {})", pattern,
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

}  // namespace

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

}  // namespace icount
