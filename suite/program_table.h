// A [[programs]] table of a suite file as a value: what suite/definition_file.cc reads with suite/table_reader.h.
#pragma once

#include <filesystem>

#include "icount/suite/program_task.h"
#include "icount/suite/table_reader.h"

namespace icount {

/// All fields but `label` and `limits`; relative names are those of `folder`, the suite file's. Patterns of files are
/// expanded here, sorted by name. What is wrong is a problem of the table.
GroupedPrograms read_program_table(TableReader& table, const std::filesystem::path& folder);

}  // namespace icount
