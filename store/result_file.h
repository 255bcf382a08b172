// Saved results: what --out writes and diff, gate, suite show and report read. One JSON object per line: a header with
// schema and shared fingerprint, then one line per benchmark, written as they come, so that a run that is cut off loses
// at most the line it was writing. Values: stats/result.h. Format: docs/result_file.md.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "icount/stats/result.h"

namespace icount {

/// Newest version of the format that this program reads, and the one it writes.
inline constexpr int kResultFormatVersion = 1;

/// True when `bytes` begin as a saved result does; says nothing about the rest.
bool looks_like_result_file(std::string_view bytes);

struct LoadedResults {
  ResultFile file;
  std::vector<std::string> warnings;  ///< "NAME:LINE: ...": a last line that was cut off; fewer results than planned
  size_t good_bytes = 0;              ///< length up to and including the last whole line
};

/// Graphs stay packed (Result::graph_blob) until unpack_graph. Error{kMalformed} "NAME:LINE: ..." for a wrong schema, a
/// newer version, a damaged line before the last one, two results with one key; `name` stands for the file in messages.
LoadedResults parse_result_file(std::string_view bytes, std::string_view name);

/// The bytes of a whole file. Results with an unpacked graph are packed.
std::string result_file_text(const ResultFile& file);

/// load_file, then parse_result_file.
LoadedResults load_result_file(const std::filesystem::path& path);
/// All or nothing (base/file.h, save_file).
void save_result_file(const std::filesystem::path& path, const ResultFile& file);

/// The result's graph, unpacked if need be; null when it has none. Error{kMalformed} beginning with `name` for a
/// damaged one.
std::shared_ptr<const CostGraph> unpack_graph(const Result& result, std::string_view name);

/// The calls between its Python functions; the same.
std::shared_ptr<const CostGraph> unpack_python_calls(const Result& result, std::string_view name);

/// The graph of one of the result's processes; the same.
std::shared_ptr<const CostGraph> unpack_graph(const ResultProcess& process, std::string_view name);

/// The same for its call stacks.
std::shared_ptr<const CallStacks> unpack_stacks(const Result& result, std::string_view name);

/// Writes results to `path` one by one; each is on the disk (fsync) when append() returns. One writer at a time.
class ResultAppender {
 public:
  enum class Existing {
    kRefuse,   ///< Error{kUsage} when the file exists
    kReplace,  ///< what was there is gone
    kResume    ///< a cut-off last line is removed and writing goes on after the last whole one
  };
  /// `header`'s results are not written. With kResume the file's own header stays, and must have header's fingerprint:
  /// otherwise Error{kCannotJudge}. Error{kIo} when the file can't be written or another process is writing it.
  ResultAppender(std::filesystem::path path, const ResultFile& header, Existing existing);
  ResultAppender(const ResultAppender&) = delete;
  ~ResultAppender();

  /// What the file held when writing was resumed.
  const ResultFile& resumed() const { return resumed_; }
  /// The file holds these before the next one is appended, instead of what it held: all or nothing.
  void replace(std::vector<Result> results);
  void append(const Result& result);
  /// A wall-clock measurement (JSON text, as Result::measurement) for the result with this result_key, which is in the
  /// file already: counts are written before the machine is quiet enough for times.
  void append_measurement(const std::string& key, const std::string& measurement);

 private:
  void append_line(const std::string& line);
  void write(std::string_view line);
  void resume(const ResultFile& header);

  std::filesystem::path path_;
  int fd_ = -1;
  ResultFile resumed_;
};

}  // namespace icount
