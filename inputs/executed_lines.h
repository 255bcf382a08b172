// The source lines that each result of a file executed, by its cost graph.
#pragma once

#include <string>

#include "icount/mine/affected.h"
#include "icount/stats/result.h"

namespace icount {

/// Of results without a graph or without lines none are known. `name`: the file's, for messages.
ExecutedLines executed_lines(const ResultFile& file, const std::string& name);

}  // namespace icount
