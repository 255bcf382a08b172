// What files hold, each read once: what suite/benchmark_identity and timer/collect_callgrind say of the files that a
// count depends on.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace icount {

class FileIdentities {
 public:
  /// load_content_identity (harness/elf_file.h) when it was first asked for; empty when the file cannot be read.
  const std::string& of(const std::filesystem::path& file);
  /// "IDENTITY PATH". Error{kIo} "PATH cannot be read": two files that cannot be read would look alike.
  std::string line(const std::filesystem::path& file);

 private:
  std::map<std::filesystem::path, std::string> known_;
};

}  // namespace icount
