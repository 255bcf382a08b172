// A private temporary folder that goes away with its owner, also when an Error unwinds.
#pragma once

#include <filesystem>
#include <string_view>

namespace icount {

/// Owns one folder below `root` (default: the system's temporary folder), mode 0700. Move-only.
class ScratchDir {
 public:
  /// The name is `prefix` and a suffix of constant length, so that paths below it never change a count by their length.
  explicit ScratchDir(std::string_view prefix = "icount", std::filesystem::path root = {});
  ScratchDir(ScratchDir&& other) noexcept;
  ScratchDir& operator=(ScratchDir&& other) noexcept;
  ~ScratchDir();

  const std::filesystem::path& path() const { return path_; }
  /// Gives the folder away: it stays when this object dies.
  std::filesystem::path release();

 private:
  void remove();
  std::filesystem::path path_;
};

}  // namespace icount
