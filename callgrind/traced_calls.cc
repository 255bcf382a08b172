#include "icount/callgrind/traced_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

#include "icount/base/text.h"

namespace icount {
namespace {

constexpr std::string_view kMark = "SYSCALL[";

// Numbers of x86-64, the only processor that programs are counted on.
/// Memory, output, signals, threads, and what is done with a file that was opened: that is seen at its opening. The C
/// library's own questions at a program's start (rseq, robust lists) are the same each time.
constexpr std::array kHarmless = {0,  1,   3,   5,   8,   9,   10,  11,  12,  13,  14,  15,  17, 18,
                                  19, 20,  24,  25,  26,  27,  28,  32,  33,  56,  60,  72,  74, 75,
                                  77, 131, 158, 186, 187, 202, 218, 221, 231, 273, 292, 334, 435};
constexpr int kOpen = 2, kOpenAt = 257, kOpenAt2 = 437, kStat = 4, kLStat = 6, kAccess = 21, kReadLink = 89,
              kNewFStatAt = 262, kReadLinkAt = 267, kFAccessAt = 269, kFAccessAt2 = 439, kStatX = 332, kGetDents = 78,
              kGetDents64 = 217, kIoctl = 16, kLimits = 302, kGetRandom = 318;
constexpr uint64_t kHere = 0xffffff9c;  // AT_FDCWD
constexpr uint64_t kWriteOnly = 1, kReadWrite = 2, kTruncate = 0x200, kDirectory = 0x10000;

/// One line: "SYSCALL[9,1](257) sys_openat ( 4294967196, 0x10a011(PATH), 591872 ) --> ...".
struct Call {
  int number = -1;
  std::string_view name;
  std::string_view arguments;  ///< between the brackets; empty where there are none
};

std::optional<Call> parse_call(std::string_view line) {
  const size_t begin = line.find("](");
  const size_t end = line.find(')', begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) return std::nullopt;
  const auto number = parse_int64(line.substr(begin + 2, end - begin - 2));
  if (!number) return std::nullopt;
  Call call{static_cast<int>(*number), trim(line.substr(end + 1)), {}};
  const size_t bracket = call.name.find('(');
  // The last one: a path may have brackets of its own.
  const size_t last =
      call.name.rfind(")[") != std::string_view::npos ? call.name.rfind(")[") : call.name.rfind(") -->");
  if (bracket == std::string_view::npos) return call;
  call.arguments = call.name.substr(bracket + 1, last == std::string_view::npos ? last : last - bracket - 1);
  call.name = trim(call.name.substr(0, bracket));
  return call;
}

/// "0x10a011(PATH)": the path, and what stands behind it. nullopt: there is none.
struct PathArgument {
  uint64_t folder = kHere;
  std::string path;
  std::vector<uint64_t> rest;
};

std::vector<uint64_t> numbers_of(std::string_view text) {
  std::vector<uint64_t> numbers;
  for (const std::string_view word : split(text, ',')) {
    const std::string one(trim(word));
    if (!one.empty()) numbers.push_back(std::strtoull(one.c_str(), nullptr, 0));
  }
  return numbers;
}

std::optional<PathArgument> path_of(std::string_view arguments) {
  const size_t open = arguments.find('('), close = arguments.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  PathArgument found;
  found.path = arguments.substr(open + 1, close - open - 1);
  const std::vector<uint64_t> before = numbers_of(arguments.substr(0, open));
  if (before.size() > 1) found.folder = before[0] & 0xffffffff;
  found.rest = numbers_of(arguments.substr(close + 1));
  return found;
}

/// Files in which a system says how it is just now.
bool is_alive(std::string_view path) {
  if (path == "/dev/null" || path == "/dev/zero") return false;
  constexpr std::string_view kFolders[] = {"/proc/", "/sys/", "/dev/", "/run/"};
  return std::any_of(std::begin(kFolders), std::end(kFolders),
                     [&](std::string_view folder) { return path.starts_with(folder); });
}

class Reader {
 public:
  SystemCalls read(std::string_view log) {
    std::string process;
    for (const std::string_view line : split_lines(log)) {
      const size_t mark = line.find(kMark);
      if (mark == std::string_view::npos) continue;
      const std::string_view rest = line.substr(mark + kMark.size());
      const std::string one(rest.substr(0, rest.find(',')));
      if (process.empty()) process = one;
      if (one != process) {
        doubt("it starts other processes");
        continue;
      }
      const auto call = parse_call(rest);
      if (!call) doubt("a line of Valgrind's list of system calls can't be read");
      // The second line of a call that took its time has its result alone.
      else if (!call->name.starts_with("..."))
        take(*call);
    }
    if (process.empty()) doubt("its system calls are not known");
    return std::move(found_);
  }

 private:
  void doubt(const std::string& why) {
    if (found_.unknown.empty()) found_.unknown = why;
  }

  void take(const Call& call) {
    if (std::find(kHarmless.begin(), kHarmless.end(), call.number) != kHarmless.end()) return;
    switch (call.number) {
      case kOpen:
      case kOpenAt:
        return take_open(call);
      case kStat:
      case kLStat:
      case kAccess:
      case kReadLink:
      case kNewFStatAt:
      case kReadLinkAt:
      case kFAccessAt:
      case kFAccessAt2:
      case kStatX:
        return take_look(call);
      case kGetDents:
      case kGetDents64:
        return take_listing(call);
      case kIoctl:  // isatty
        if (numbers_of(call.arguments).size() > 1 && numbers_of(call.arguments)[1] == 0x5401) return;
        break;
      case kLimits: {  // of the stack, which the C library asks for at the start
        const std::vector<uint64_t> words = numbers_of(call.arguments);
        if (words.size() == 4 && words[1] == 3 && words[2] == 0) return;
        return doubt("it asks for its limits");
      }
      case kGetRandom: {  // of malloc
        const std::vector<uint64_t> words = numbers_of(call.arguments);
        if (words.size() == 3 && words[1] == 8 && words[2] == 1) return;
        return doubt("it asks for random numbers");
      }
      default:
        break;
    }
    doubt(fmt::format("it makes the system call {}", short_name(call)));
  }

  static std::string short_name(const Call& call) {
    std::string_view name = call.name.substr(0, call.name.find_first_of(" ("));
    if (name.starts_with("sys_")) name.remove_prefix(4);
    return name.empty() || call.name.starts_with("unimplemented") ? std::to_string(call.number) : std::string(name);
  }

  /// The path, where it can be asked again.
  std::optional<PathArgument> taken_path(const Call& call) {
    auto argument = path_of(call.arguments);
    if (!argument) {
      doubt(fmt::format("it makes the system call {}", short_name(call)));
      return std::nullopt;
    }
    if (argument->path.empty()) return argument;  // of a descriptor
    if (argument->path.starts_with("/proc/") && argument->path.ends_with("/exe")) found_.own_file = true;
    if (!argument->path.starts_with('/') && argument->folder != kHere)
      doubt(fmt::format("it opens {} in a folder that it has open", argument->path));
    else if (is_alive(argument->path))
      doubt(fmt::format("it reads {}", argument->path));
    else
      return argument;
    return std::nullopt;
  }

  void take_open(const Call& call) {
    const auto argument = taken_path(call);
    if (!argument || argument->path.empty()) return;
    const uint64_t flags = argument->rest.empty() ? 0 : argument->rest[0];
    if ((flags & kReadWrite) != 0 || ((flags & kWriteOnly) != 0 && (flags & kTruncate) == 0))
      return doubt(fmt::format("it changes {}", argument->path));
    if ((flags & kWriteOnly) != 0) return;  // its output, made anew
    ((flags & kDirectory) != 0 ? found_.folders : found_.files).insert(argument->path);
  }

  void take_look(const Call& call) {
    const auto argument = taken_path(call);
    if (argument && !argument->path.empty()) found_.looked_at.insert(argument->path);
  }

  /// Of a folder that was opened as one.
  void take_listing(const Call&) {
    if (found_.folders.empty()) doubt("it lists a folder");
  }

  SystemCalls found_;
};

}  // namespace

SystemCalls find_system_calls(std::string_view log) { return Reader().read(log); }

std::string without_system_calls(std::string_view log) {
  std::string rest;
  size_t at = 0;
  while (at < log.size()) {
    const size_t end = std::min(log.find('\n', at), log.size() - 1) + 1;
    const std::string_view line = log.substr(at, end - at);
    if (line.find(kMark) == std::string_view::npos) rest += line;
    at = end;
  }
  return rest;
}

}  // namespace icount
