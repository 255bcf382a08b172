// Set-ups of a suite file: the [setup.NAME] tables, and how a definition's own texts, those it names and those of the
// groups around it come together. Used by suite/definition_file.cc; docs/suite.md shows them.
#pragma once

#include <map>
#include <string>

#include "icount/suite/definitions.h"
#include "icount/suite/table_reader.h"

namespace icount {

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

}  // namespace icount
