#include "icount/timer/known_runs.h"

#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/folder_entries.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

std::optional<CallgrindRun> load_run(BuildCache& cache, const std::string& key, const ParseOptions& parse) {
  const auto entry = cache.find_unchanged(key);
  if (!entry) return std::nullopt;
  CallgrindRun run = load_callgrind_run(*entry / "run", parse);
  if (run.processes.empty()) return std::nullopt;
  run.outcome.aslr_refused = load_text(*entry / "aslr") == "refused";
  return run;
}

}  // namespace

std::optional<CallgrindRun> load_known_run(BuildCache& cache, const std::string& key, const ParseOptions& parse) {
  try {
    return load_run(cache, key, parse);
  } catch (const Error&) {  // an entry of another form is none
    return std::nullopt;
  }
}

void keep_run(BuildCache& cache, const std::string& key, const fs::path& folder, const ProgramCount& result) {
  cache.get_unchanged(key, [&](const fs::path& entry) {
    fs::create_directory(entry / "run");
    for (const fs::path& file : list_folder(folder))
      save_file(entry / "run" / file.filename(), compress_zstd(load_text(file)));
    save_file(entry / BuildCache::kSources, result.sources.to_text());
    save_file(entry / "aslr", result.outcome.aslr_refused ? "refused" : "off");
    return true;
  });
}

}  // namespace icount
