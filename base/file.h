// Files in and out. Reading maps plain files and decompresses the rest; writing replaces a file as a whole or not at
// all, so that an interrupted run never leaves half a result.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace icount {

/// The bytes of a file, mapped or owned. Move-only; the view dies with it.
class FileBytes {
 public:
  FileBytes() = default;
  explicit FileBytes(std::string owned) : owned_(std::move(owned)) {}
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  FileBytes(const FileBytes&) = delete;
  ~FileBytes();

  /// These bytes are not needed for now: a mapped file gives their memory back (they stay readable).
  void release_memory(size_t begin, size_t end) const;

  std::string_view view() const { return map_ ? std::string_view(map_, map_size_) : std::string_view(owned_); }

 private:
  friend FileBytes map_file(const std::filesystem::path& path);
  void unmap();

  std::string owned_;
  const char* map_ = nullptr;
  size_t map_size_ = 0;
};

/// The bytes of `path` as they are. Error{kIo} as load_file's.
FileBytes map_file(const std::filesystem::path& path);

/// The plain content of `path`; gzip, xz and zstd are unpacked (base/compression.h). "-" is no special name.
/// Error{kIo} "PATH: No such file or directory", "PATH: is a folder", or a device without an end; Error{kMalformed} for
/// damaged compressed data.
FileBytes load_file(const std::filesystem::path& path);

/// The bytes of `path` as they are, nothing unpacked.
std::string load_text(const std::filesystem::path& path);

/// Writes a sibling temporary file, syncs it and renames it over `path`: afterwards `path` holds `bytes` or what it
/// held before, also after a loss of power; when this returns, it holds `bytes`. Missing parent folders are an
/// Error{kIo}. Devices and pipes (/dev/stdout) are written directly.
void save_file(const std::filesystem::path& path, std::string_view bytes);

/// First entry of PATH that holds an executable `program` (or `program` itself when it has a slash); empty when none.
std::filesystem::path find_program(std::string_view program);

/// The absolute path without links; `path` itself where it cannot be followed.
std::filesystem::path real_path(const std::filesystem::path& path);

}  // namespace icount
