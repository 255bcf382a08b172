// The two steps of saving a file that others take part in: where a path that is a link leads, and a temporary file
// beside the one that it will replace.
#pragma once

#include <filesystem>

namespace icount {

/// Where links from `path` lead in the end, also when nothing is there yet; `path` itself when it is no link.
std::filesystem::path end_of_links(const std::filesystem::path& path);

/// A new file NAME.icount-XXXXXX beside `target`, locked while this object lives. What is left of those of the same
/// NAME whose processes were killed is removed first.
class TemporaryBeside {
 public:
  /// Error{kIo} "`named`: cannot write: REASON"; `named` is what the user calls the target.
  TemporaryBeside(const std::filesystem::path& target, const std::filesystem::path& named);
  TemporaryBeside(const TemporaryBeside&) = delete;
  TemporaryBeside& operator=(const TemporaryBeside&) = delete;
  ~TemporaryBeside();

  int descriptor() const { return fd_; }
  /// Replaces the target by it. Error{kIo} "NAMED: cannot replace: REASON".
  void take_place();

 private:
  bool make();
  std::filesystem::path target_, named_, path_;
  int fd_ = -1;
};

}  // namespace icount
