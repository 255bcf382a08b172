// Runs every file of the corpus folder given as argument through a fuzz target, so that ctest keeps what fuzzing found.
#include <cstdio>
#include <filesystem>
#include <string>

#include "icount/base/file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[1])) {
    if (!entry.is_regular_file()) continue;
    const std::string bytes = icount::load_text(entry.path());
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    ++files;
  }
  std::printf("%zu files\n", files);
  return files > 0 ? 0 : 1;
}
