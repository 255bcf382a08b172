// The table `environment` of [[programs]] and [[bench]]: variables on top of the pinned block.
#pragma once

#include <string>
#include <vector>

#include "icount/suite/table_reader.h"

namespace icount {

/// A text, a number or a truth value as the text that an environment or a command has of it.
std::string plain_text(const TomlValue& value);
/// Whether it is one of them.
bool is_plain(const TomlValue& value);

/// "NAME=VALUE" for each; what is none is a problem of the table.
std::vector<std::string> read_environment_table(TableReader& table);

}  // namespace icount
