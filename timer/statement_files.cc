#include "icount/timer/statement_files.h"

#include <fmt/format.h>

#include "icount/base/file.h"
#include "icount/harness/compile_inputs.h"
#include "icount/harness/needed_libraries.h"

namespace icount {

namespace fs = std::filesystem;

const fs::path& StatementFileRecorder::resolved(const fs::path& path) {
  const auto [at, is_new] = resolved_.try_emplace(path);
  if (is_new) at->second = real_path(path);
  return at->second;
}

const std::vector<fs::path>& StatementFileRecorder::headers(const fs::path& object) {
  const auto [at, is_new] = headers_.try_emplace(object);
  if (is_new) {
    const std::vector<fs::path> none;
    const auto& torch = sources_.toolchain.torch;
    at->second = load_unit_headers(object, torch ? torch->include_dirs : none, sources_.cache_root);
  }
  return at->second;
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
  if (const auto object = sources_.objects.find(statement); object != sources_.objects.end()) {
    const std::vector<fs::path>& included = headers(object->second);
    files.insert(included.begin(), included.end());
  }
  StatementFiles found;
  for (const fs::path& file : files) {
    if (identities_.of(file).empty()) return {{}, fmt::format("{} cannot be read any more", file.string())};
    found.lines.push_back(identities_.line(file));
  }
  return found;
}

}  // namespace icount
