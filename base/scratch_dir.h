// A private temporary folder that goes away with its owner: also when an Error unwinds, and when the process is killed,
// for then whoever makes the next one sweeps it.
#pragma once

#include <filesystem>
#include <string_view>
#include <system_error>

namespace icount {

/// The system's folder for temporary files, absolute. Error{kIo} when what TMPDIR names is none.
std::filesystem::path temporary_folder();

/// Owns one folder below `root` (default: the system's temporary folder), mode 0700. Move-only. A locked file ".owner"
/// in it says that its process lives.
class ScratchDir {
 public:
  /// The name is `prefix` and a suffix of constant length, so that paths below it never change a count by their length.
  /// First removes this user's folders of that prefix there whose owners are gone.
  explicit ScratchDir(std::string_view prefix = "icount", std::filesystem::path root = {});
  ScratchDir(ScratchDir&& other) noexcept;
  ScratchDir& operator=(ScratchDir&& other) noexcept;
  ~ScratchDir();

  const std::filesystem::path& path() const { return path_; }
  /// Gives the folder away: it stays when this object dies.
  std::filesystem::path release();
  /// Gives it away under another name; on failure it is still owned.
  std::error_code release_as(const std::filesystem::path& path);

 private:
  void disown(const std::filesystem::path& folder);
  void remove();
  std::filesystem::path path_;
  int owner_ = -1;  // descriptor of the locked file; -1 where there are no locks
};

}  // namespace icount
