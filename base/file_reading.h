// How files are opened and read: what cannot end, or makes its reader wait, ends in a message. A pipe is read where the
// user names it on the command line; what a suite, a profile or an option names as data has to be a file.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string>

namespace icount {

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

}  // namespace icount
