#include "icount/inputs/executed_lines.h"

#include <map>

#include "icount/store/result_file.h"

namespace icount {

ExecutedLines executed_lines(const ResultFile& file, const std::string& name) {
  ExecutedLines run;
  std::map<std::string, uint32_t, std::less<>> numbers;
  for (const Result& result : file.results) {
    ExecutedLines::Of& of = run.results.emplace_back();
    of.key = result_key(result);
    const auto graph = unpack_graph(result, name);
    if (!graph) continue;
    for (const LineRow& row : graph->lines) {
      const std::string_view path = graph->strings.view(row.file);
      auto at = numbers.find(path);
      if (at == numbers.end()) {
        at = numbers.emplace(path, static_cast<uint32_t>(run.files.size())).first;
        run.files.emplace_back(path);
      }
      of.lines.emplace_back(at->second, row.line);
    }
  }
  return run;
}

}  // namespace icount
