#include "icount/timer/known_runs.h"

#include <set>
#include <string_view>

#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/folder_entries.h"
#include "icount/base/text.h"
#include "icount/harness/build_id.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// "IDENTITY PATH" of every library that the profile names: what the count stands on besides the program.
std::string objects_of(const CostGraph& graph) {
  std::set<std::string> paths;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    if (graph.object(f).starts_with('/')) paths.insert(std::string(graph.object(f)));
  std::string lines;
  for (const std::string& path : paths) lines += load_file_identity(path) + " " + path + "\n";
  return lines;
}

bool objects_hold(std::string_view lines) {
  for (const std::string_view line : split_lines(lines)) {
    const size_t blank = line.find(' ');
    if (blank == std::string_view::npos || load_file_identity(line.substr(blank + 1)) != line.substr(0, blank))
      return false;
  }
  return true;
}

std::optional<CallgrindRun> load_run(BuildCache& cache, const std::string& key, const ParseOptions& parse) {
  const auto entry = cache.find(key);
  if (!entry) return std::nullopt;
  if (!objects_hold(load_text(*entry / "objects"))) {
    cache.drop(key);
    return std::nullopt;
  }
  CallgrindRun run = load_callgrind_run(*entry / "run", parse);
  if (run.processes.empty()) {
    cache.drop(key);
    return std::nullopt;
  }
  run.outcome.aslr_refused = load_text(*entry / "aslr") == "refused";
  return run;
}

}  // namespace

std::optional<CallgrindRun> load_known_run(BuildCache& cache, const std::string& key, const ParseOptions& parse) {
  try {
    return load_run(cache, key, parse);
  } catch (const Error&) {  // an entry of another form is none
    cache.drop(key);
    return std::nullopt;
  }
}

void keep_run(BuildCache& cache, const std::string& key, const fs::path& folder, const ProgramCount& result) {
  cache.get(key, [&](const fs::path& entry) {
    fs::create_directory(entry / "run");
    for (const fs::path& file : list_folder(folder))
      save_file(entry / "run" / file.filename(), compress_zstd(load_text(file)));
    save_file(entry / "objects", objects_of(result.graph));
    save_file(entry / "aslr", result.outcome.aslr_refused ? "refused" : "off");
    return true;
  });
}

}  // namespace icount
