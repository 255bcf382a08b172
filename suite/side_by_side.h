// The field 'side_by_side' of a definition: both languages in one text (suite/parse_stmts.h), where 'py_...' and
// 'cpp_...' would have one each. Used by suite/definition_file.cc.
#pragma once

#include <string>

#include "icount/suite/table_reader.h"

namespace icount {

/// Replaces both texts when the table has the field; texts that were there are a problem, as are crooked rows, each
/// with its line.
void read_side_by_side(TableReader& table, std::string& python, std::string& cpp);

}  // namespace icount
