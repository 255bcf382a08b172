#include "icount/suite/named_setups.h"

#include <fmt/format.h>

#include "icount/suite/dedent.h"

namespace icount {
namespace {

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

}  // namespace

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

}  // namespace icount
