// Files in and out. Reading maps plain files and decompresses the rest; writing replaces a file as a whole or not at
// all, so that an interrupted run never leaves half a result.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// Owns one descriptor; a negative one is none. Neither copied nor moved.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();
  int get() const { return fd_; }

 private:
  int fd_;
};

/// open(2) with O_CLOEXEC, a new file readable by its owner alone. Error{kIo} "cannot open PATH: REASON".
Descriptor open_descriptor(const std::filesystem::path& path, int flags);

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

// How files are opened and read: what cannot end, or makes its reader wait, ends in a message. A pipe is read where the
// user names it on the command line; what a suite, a profile or an option names as data has to be a file.

/// A descriptor for reading with its status; pipes and devices are opened, too, and a pipe waits for its writer.
/// Error{kIo} "PATH: cannot read: REASON" or "PATH: is a folder, a file was expected".
int open_for_reading(const std::filesystem::path& path, struct stat& status);

/// Never waits. Error{kIo} "PATH: is a pipe; a file was expected" for what is neither a file nor /dev/null.
int open_regular_file(const std::filesystem::path& path);

/// What comes out of `fd` up to its end. Error{kIo} for what gives far more than its size says (16 GiB for a pipe), and
/// for a file that has nothing now and waits for more, as /proc/kmsg.
std::string read_all(int fd, const struct stat& status, const std::filesystem::path& path);

/// The bytes of a file that may be no pipe. Errors as open_regular_file's and read_all's.
std::string load_regular_file(const std::filesystem::path& path);

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

// One at a time: processes that read a file, change it and write it anew take their turns, so that none loses what
// another wrote in between. The lock is on the file's folder: it leaves nothing behind, and ends with its process.

/// Held from construction, which waits for others, to its end. Where the file system has no locks nobody waits.
class FolderLock {
 public:
  /// Locks the folder of `file`, at the end of its links: where save_file writes. A folder that is not there is not
  /// locked: writing the file will say so.
  explicit FolderLock(const std::filesystem::path& file);

 private:
  Descriptor folder_;
};

// What lies in a folder. std::filesystem's iterators end the process where memory runs out while they advance
// (libstdc++ 12), also those that take an error code.

/// Paths of the entries, "." and ".." left out, in the order of their names. Error{kIo} "FOLDER: cannot be listed:
/// REASON".
std::vector<std::filesystem::path> list_folder(const std::filesystem::path& folder);

/// The same; none where the folder is not there or cannot be listed.
std::vector<std::filesystem::path> folder_entries(const std::filesystem::path& folder);

/// Paths of the files in the folder and in the folders in it, but for those behind links to folders, in the order of
/// their names; behind one more than `most` no further ones are looked for. Error as of list_folder.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder, size_t most = SIZE_MAX - 1);

}  // namespace icount
