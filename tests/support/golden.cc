#include "support/golden.h"

#include <cstdlib>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "support/places.h"

namespace icount {

std::filesystem::path testdata(std::string_view relative) {
  return std::filesystem::path(source_dir()) / "tests/testdata" / relative;
}

std::filesystem::path unpacked(std::string_view relative) {
  return std::filesystem::path(binary_dir()) / "tests" / relative;
}

std::filesystem::path torch_goldens() {
  const char* folder = std::getenv("ICOUNT_GOLDENS");
  return folder && *folder ? std::filesystem::path(folder) : testdata("torch");
}

Json load_cases(std::string_view file) {
  auto path = torch_goldens() / file;
  if (!std::filesystem::exists(path)) path += ".xz";
  const FileBytes bytes = load_file(path);
  return parse_json(bytes.view(), path.string());
}

std::string differs_from_golden(std::string_view name, std::string_view actual) {
  const auto path = std::filesystem::path(source_dir()) / "tests/testdata/golden" / name;
  const char* update = std::getenv("ICOUNT_UPDATE_GOLDEN");
  if (update && std::string_view(update) == "1") {
    std::filesystem::create_directories(path.parent_path());
    save_file(path, actual);
    return {};
  }
  if (!std::filesystem::exists(path))
    return "no golden " + path.string() + "; ICOUNT_UPDATE_GOLDEN=1 writes it. Actual output:\n" + std::string(actual);
  const std::string expected = load_text(path);
  if (expected == actual) return {};
  return "differs from " + path.string() + "\n--- expected\n" + expected + "\n--- actual\n" + std::string(actual);
}

}  // namespace icount
