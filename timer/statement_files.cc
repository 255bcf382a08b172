#include "icount/timer/statement_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/harness/compile.h"
#include "icount/harness/needed_libraries.h"

namespace icount {

namespace fs = std::filesystem;

void StatementFiles::add(const ReuseRecord& record) {
  if (unknown.empty()) unknown = record.unknown();
  const std::string text = record.to_text();
  for (const std::string_view line : split_lines(text))
    if (!line.starts_with("unknown ")) lines.emplace_back(line);
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
}

const fs::path& StatementFileRecorder::resolved(const fs::path& path) {
  const auto [at, is_new] = resolved_.try_emplace(path);
  if (is_new) at->second = real_path(path);
  return at->second;
}

const ReuseRecord& StatementFileRecorder::sources(const fs::path& object) {
  const auto at = records_.find(object);
  return at != records_.end() ? at->second : records_.emplace(object, load_sources(object)).first->second;
}

StatementFiles StatementFileRecorder::record(size_t statement, std::span<const LoadedObject> loaded) {
  if (!needed_) {
    needed_.emplace();
    for (const fs::path& library : load_needed_libraries(sources_.executable, sources_.environment).libraries)
      needed_->insert(real_path(library));
  }
  if (loaded.empty()) return {{}, "the loaded libraries are not known"};
  std::set<fs::path> files;
  const fs::path executable = real_path(sources_.executable);
  for (const LoadedObject& object : loaded) {
    const fs::path& path = resolved(object.path);
    if (is_valgrinds(path) || path == executable) continue;
    if (!needed_->contains(path))
      return {{}, fmt::format("it loads {} while it runs (dlopen)", path.filename().string())};
    files.insert(object.path);
  }
  ReuseRecord record;
  for (const fs::path& file : files) {
    if (identities_.of(file).empty()) return {{}, fmt::format("{} can no longer be read", file.string())};
    record.add_file(file);
  }
  if (const auto object = sources_.objects.find(statement); object != sources_.objects.end())
    record.add_all(sources(object->second));
  record.add_all(sources(sources_.executable));
  StatementFiles found;
  found.add(record);
  return found;
}

}  // namespace icount
