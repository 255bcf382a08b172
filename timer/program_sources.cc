#include "icount/timer/program_sources.h"

#include <set>
#include <system_error>

#include "icount/harness/needed_libraries.h"

namespace icount {

namespace fs = std::filesystem;

ReuseRecord record_program_sources(const SystemCalls& calls, const fs::path& folder, const CostGraph& graph) {
  ReuseRecord record;
  const fs::path base = folder.empty() ? fs::current_path() : fs::absolute(folder);
  std::set<fs::path> files;
  for (const std::string& file : calls.files) files.insert(base / file);
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (graph.object(f).starts_with('/')) files.insert(fs::path(graph.object(f)));
  for (const fs::path& file : files) {
    // The loader's list of libraries: those that it leads to are opened themselves.
    if (file == "/etc/ld.so.cache" || is_valgrinds(file)) continue;
    std::error_code error;
    if (fs::is_regular_file(file, error))
      record.add_file(file);
    else if (fs::exists(file, error))
      record.add_status(file);
    else
      record.add_absent(file);
  }
  for (const std::string& path : calls.folders) record.add_folder(base / path);
  for (const std::string& path : calls.looked_at) record.add_status(base / path);
  if (!calls.unknown.empty()) record.add_unknown(calls.unknown);
  return record;
}

}  // namespace icount
