// The code of an ELF file by its addresses, as it lies in the file. Used by objects/disassembly, objects/name_code and
// objects/toggle_request.
#pragma once

#include <elf.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "icount/base/file.h"

namespace icount {

/// The parts of an ELF file that are loaded to be run.
class CodeBytes {
 public:
  /// Error{kIo} for a file that can't be read, Error{kMalformed} for one that is no 64-bit ELF file.
  explicit CodeBytes(const std::filesystem::path& path);

  uint16_t machine() const { return machine_; }
  /// Whether its own addresses are those in memory.
  bool is_at_fixed_place() const { return is_at_fixed_place_; }

  /// From an address to the end of its segment; empty where the file has nothing.
  std::string_view from(uint64_t address) const;

  /// The file to the end of what is loaded: debug information follows it.
  std::string_view loaded() const { return file_.view().substr(0, loaded_); }

 private:
  template <typename T>
  std::optional<T> read(uint64_t at) const;

  FileBytes file_;
  uint16_t machine_ = 0;
  bool is_at_fixed_place_ = false;
  uint64_t loaded_ = 0;
  std::vector<Elf64_Phdr> segments_;
};

}  // namespace icount
