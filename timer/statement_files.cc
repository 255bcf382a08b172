#include "icount/timer/statement_files.h"

#include <fmt/format.h>

#include <system_error>

#include "icount/harness/build_id.h"
#include "icount/harness/compile_inputs.h"
#include "icount/harness/needed_libraries.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// Valgrind's own, which its version stands for.
bool is_valgrinds(const fs::path& path) { return path.filename().string().starts_with("vgpreload_"); }

fs::path real_path(const fs::path& path) {
  std::error_code error;
  fs::path real = fs::weakly_canonical(path, error);
  return error ? path : real;
}

}  // namespace

const std::string& StatementFileRecorder::identity(const fs::path& file) {
  const auto [at, is_new] = identities_.try_emplace(file);
  if (is_new) at->second = load_content_identity(file);
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
    const fs::path path = real_path(object.path);
    if (is_valgrinds(path) || path == executable) continue;
    if (!needed_->contains(path))
      return {{}, fmt::format("it loads {} while it runs (dlopen)", path.filename().string())};
    files.insert(object.path);
  }
  if (const auto object = sources_.objects.find(statement); object != sources_.objects.end()) {
    const std::vector<fs::path> none;
    const auto& torch = sources_.toolchain.torch;
    for (fs::path& header : load_unit_headers(object->second, torch ? torch->include_dirs : none, sources_.cache_root))
      files.insert(std::move(header));
  }
  StatementFiles found;
  for (const fs::path& file : files) {
    const std::string& what = identity(file);
    if (what.empty()) return {{}, fmt::format("{} cannot be read any more", file.string())};
    found.lines.push_back(what + " " + file.string());
  }
  return found;
}

}  // namespace icount
