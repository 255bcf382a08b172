#include "icount/inputs/program_input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <vector>

#include "icount/base/descriptor.h"
#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {
namespace {

constexpr double kSlowSeconds = 2;

[[noreturn]] void fail_limit(const std::string& what, int64_t limit) {
  throw Error(ErrorKind::kIo,
              fmt::format("{}: more than the {} bytes that --stdin-limit allows", what, with_thousands(limit)));
}

/// Whether bytes may come: no terminal, and open at all.
bool is_fed(int descriptor) {
  struct stat info {};
  return ::fstat(descriptor, &info) == 0 && ::isatty(descriptor) == 0;
}

void write_all(int fd, const char* bytes, size_t size, const std::filesystem::path& path) {
  while (size > 0) {
    const ssize_t n = ::write(fd, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw Error(ErrorKind::kIo, fmt::format("{}: cannot be written: {}", path.string(), errno_text(errno)));
    bytes += n;
    size -= static_cast<size_t>(n);
  }
}

}  // namespace

ProgramInput::ProgramInput(const ProgramInputOptions& options) {
  if (options.file.empty()) {
    if (is_fed(options.descriptor)) spool(options);
    return;
  }
  struct stat info {};
  const Descriptor file = open_descriptor(options.file, O_RDONLY);
  if (::fstat(file.get(), &info) == 0 && S_ISDIR(info.st_mode))
    throw Error(ErrorKind::kIo, options.file + ": is a folder, not input for a program");
  if (S_ISREG(info.st_mode) && info.st_size > options.limit) fail_limit(options.file, options.limit);
  if (S_ISREG(info.st_mode)) {
    path_ = std::filesystem::absolute(options.file);
    return;
  }
  ProgramInputOptions from_device = options;
  from_device.descriptor = file.get();
  spool(from_device);
}

void ProgramInput::spool(const ProgramInputOptions& options) {
  using Clock = std::chrono::steady_clock;
  folder_.emplace();
  const std::filesystem::path path = folder_->path() / "stdin";
  const Descriptor out = open_descriptor(path, O_WRONLY | O_CREAT | O_EXCL);
  std::vector<char> buffer(1 << 16);
  const auto start = Clock::now();
  int64_t have = 0;
  bool told = false;
  while (true) {
    pollfd entry{options.descriptor, POLLIN, 0};
    const int ready = ::poll(&entry, 1, 100);
    const double waited = std::chrono::duration<double>(Clock::now() - start).count();
    if (options.cancelled && options.cancelled())
      throw Error(ErrorKind::kIo, "interrupted while reading standard input");
    if (options.time_limit_s > 0 && waited >= options.time_limit_s)
      throw Error(ErrorKind::kIo, fmt::format("standard input did not end within {:.3g} s; --timeout sets the limit, "
                                              "</dev/null gives the program an empty input",
                                              options.time_limit_s));
    if (ready == 0 && !told && waited >= kSlowSeconds && options.say) {
      told = true;
      options.say("reading standard input to its end; </dev/null gives the program an empty one");
    }
    if (ready <= 0) continue;
    const ssize_t n = ::read(options.descriptor, buffer.data(), buffer.size());
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0) throw Error(ErrorKind::kIo, fmt::format("standard input: cannot be read: {}", errno_text(errno)));
    if (n == 0) break;
    have += n;
    if (have > options.limit) fail_limit("standard input", options.limit);
    write_all(out.get(), buffer.data(), static_cast<size_t>(n), path);
  }
  if (have > 0) path_ = path;
}

}  // namespace icount
