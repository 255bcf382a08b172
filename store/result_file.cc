#include "icount/store/result_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <map>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/store/cost_graph_blob.h"
#include "icount/store/result_record.h"

namespace icount {
namespace {

std::string as_line(const Json& json) { return dump_json(json, -1) + "\n"; }

constexpr const char* kMeasurementOf = "measurement_of";

/// Puts measurements that came in lines of their own to their results.
class LateMeasurements {
 public:
  explicit LateMeasurements(ResultFile& file) : file_(file) {}

  /// False when the line is no measurement.
  bool take(const Json& line, const std::string& place) {
    if (!line.is_object() || !line.contains(kMeasurementOf)) return false;
    for (; known_ < file_.results.size(); ++known_) index_.emplace(result_key(file_.results[known_]), known_);
    const Json& key = line[kMeasurementOf];
    const auto found = key.is_string() ? index_.find(key.get<std::string>()) : index_.end();
    if (found == index_.end())
      throw Error(ErrorKind::kMalformed,
                  fmt::format("{}: a measurement of {}, which has no result above", place, dump_json(key, -1)));
    file_.results[found->second].measurement = dump_json(json_field(line, "measurement", place), -1);
    return true;
  }

 private:
  ResultFile& file_;
  std::map<std::string, size_t> index_;
  size_t known_ = 0;
};

[[noreturn]] void fail_io(const std::filesystem::path& path, std::string_view doing) {
  throw Error(ErrorKind::kIo, fmt::format("{}: {}: {}", path.string(), doing, errno_text(errno)));
}

/// Nobody else appends to what this descriptor is of. `must_be_new` is O_EXCL or 0.
int open_locked(const std::filesystem::path& path, int must_be_new) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | must_be_new, 0666);
  if (fd < 0 && errno == EEXIST)
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: exists already; resume it, replace it or choose another name", path.string()));
  if (fd < 0) fail_io(path, "cannot be opened for writing");
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    ::close(fd);
    throw Error(ErrorKind::kIo, fmt::format("{}: another process is writing it", path.string()));
  }
  return fd;
}

}  // namespace

bool looks_like_result_file(std::string_view bytes) {
  const std::string_view start = trim(bytes.substr(0, 200));
  return start.starts_with('{') && start.find("\"icount-result\"") != std::string_view::npos;
}

LoadedResults parse_result_file(std::string_view bytes, std::string_view name) {
  LoadedResults loaded;
  LateMeasurements late(loaded.file);
  int64_t line_number = 0;
  for (size_t at = 0; at < bytes.size();) {
    const size_t line_end = bytes.find('\n', at);
    const bool whole = line_end != std::string_view::npos;
    const std::string_view line = bytes.substr(at, whole ? line_end - at : bytes.size() - at);
    const std::string place = fmt::format("{}:{}", name, ++line_number);
    if (!whole && line_number > 1) {
      loaded.warnings.push_back(place + ": the last line was cut off and is left out; the run did not end properly");
      break;
    }
    if (line_number == 1) {
      loaded.file = header_from_json(parse_json(line, name), place);
    } else if (!trim(line).empty()) {
      const Json record = in_context(place, [&] { return parse_json(line, "record"); });
      if (!late.take(record, place)) loaded.file.results.push_back(result_from_json(record, place));
    }
    at = whole ? line_end + 1 : bytes.size();
    loaded.good_bytes = at;
  }
  if (line_number == 0) throw Error(ErrorKind::kMalformed, fmt::format("{}: empty file, not a saved result", name));
  check_result_keys(loaded.file, name);
  const auto have = static_cast<int64_t>(loaded.file.results.size());
  if (have < loaded.file.planned)
    loaded.warnings.push_back(fmt::format("{}: holds {} of {} planned results; the run did not end properly", name,
                                          have, loaded.file.planned));
  return loaded;
}

std::string result_file_text(const ResultFile& file) {
  std::string text = as_line(header_to_json(file));
  for (const Result& result : file.results) text += as_line(result_to_json(result));
  return text;
}

LoadedResults load_result_file(const std::filesystem::path& path) {
  const FileBytes bytes = load_file(path);
  return parse_result_file(bytes.view(), path.string());
}

void save_result_file(const std::filesystem::path& path, const ResultFile& file) {
  check_result_keys(file, path.string());
  save_file(path, result_file_text(file));
}

std::shared_ptr<const CostGraph> unpack_graph(const Result& result, std::string_view name) {
  if (result.graph || result.graph_blob.empty()) return result.graph;
  return std::make_shared<const CostGraph>(
      decode_cost_graph(result.graph_blob, fmt::format("{}: graph of '{}'", name, result_label(result))));
}

std::shared_ptr<const CostGraph> unpack_python_calls(const Result& result, std::string_view name) {
  if (result.python_calls || result.python_calls_blob.empty()) return result.python_calls;
  return std::make_shared<const CostGraph>(
      decode_cost_graph(result.python_calls_blob, fmt::format("{}: Python calls of '{}'", name, result_label(result))));
}

std::shared_ptr<const CostGraph> unpack_graph(const ResultProcess& process, std::string_view name) {
  if (process.graph || process.graph_blob.empty()) return process.graph;
  return std::make_shared<const CostGraph>(
      decode_cost_graph(process.graph_blob, fmt::format("{}: graph of process '{}'", name, process.command)));
}

std::shared_ptr<const CallStacks> unpack_stacks(const Result& result, std::string_view name) {
  if (result.stacks || result.stacks_blob.empty()) return result.stacks;
  return std::make_shared<const CallStacks>(
      decode_call_stacks(result.stacks_blob, fmt::format("{}: call stacks of '{}'", name, result_label(result))));
}

ResultAppender::ResultAppender(std::filesystem::path path, const ResultFile& header, Existing existing)
    : path_(std::move(path)) {
  fd_ = open_locked(path_, existing == Existing::kRefuse ? O_EXCL : 0);
  try {
    if (existing == Existing::kResume) {
      resume(header);
    } else {
      if (::ftruncate(fd_, 0) != 0) fail_io(path_, "cannot be emptied");
      write(as_line(header_to_json(header)));
    }
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

ResultAppender::~ResultAppender() { ::close(fd_); }

void ResultAppender::resume(const ResultFile& header) {
  const std::string bytes = load_text(path_);
  if (bytes.find('\n') == std::string::npos) {  // not even the header got out
    if (::ftruncate(fd_, 0) != 0) fail_io(path_, "cannot be emptied");
    write(as_line(header_to_json(header)));
    return;
  }
  LoadedResults loaded = parse_result_file(bytes, path_.string());
  const Comparability same = comparable(loaded.file.fingerprint, header.fingerprint);
  if (!same.comparable() || !same.differences.empty())
    throw Error(ErrorKind::kCannotJudge,
                fmt::format("{}: cannot be resumed: it was measured under different conditions: {}", path_.string(),
                            same.comparable() ? same.differences.front() : same.refusals.front()));
  if (::ftruncate(fd_, static_cast<off_t>(loaded.good_bytes)) != 0) fail_io(path_, "cannot be shortened");
  resumed_ = std::move(loaded.file);
}

void ResultAppender::replace(std::vector<Result> results) {
  resumed_.results = std::move(results);
  save_result_file(path_, resumed_);
  const int fd = open_locked(path_, 0);
  ::close(fd_);
  fd_ = fd;
}

void ResultAppender::append(const Result& result) { append_line(as_line(result_to_json(result))); }

void ResultAppender::append_measurement(const std::string& key, const std::string& measurement) {
  append_line(as_line({{kMeasurementOf, key}, {"measurement", parse_json(measurement, "measurement")}}));
}

void ResultAppender::append_line(const std::string& line) {
  const off_t before = ::lseek(fd_, 0, SEEK_END);
  try {
    write(line);
  } catch (const Error&) {
    // A full disk leaves half a line; without this the next one would be glued to it.
    if (before >= 0 && ::ftruncate(fd_, before) != 0) {
    }
    throw;
  }
}

void ResultAppender::write(std::string_view line) {
  while (!line.empty()) {
    const ssize_t written = ::write(fd_, line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_io(path_, "cannot be written");
    line.remove_prefix(static_cast<size_t>(written));
  }
  if (::fdatasync(fd_) != 0 && errno != EINVAL && errno != EROFS) fail_io(path_, "cannot be written");
}

}  // namespace icount
