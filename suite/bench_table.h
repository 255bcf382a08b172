// A [[bench]] table of a suite file as a value: what suite/definition_file.cc reads with suite/table_reader.h.
#pragma once

#include <filesystem>

#include "icount/suite/bench_task.h"
#include "icount/suite/table_reader.h"

namespace icount {

/// All fields but `label` and `limits`; relative names are those of `folder`, the suite file's. What is wrong is a
/// problem of the table.
BenchBinary read_bench_table(TableReader& table, const std::filesystem::path& folder);

}  // namespace icount
