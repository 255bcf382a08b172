#include "icount/mine/source_counts.h"

#include <fmt/format.h>

#include <filesystem>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/base/json.h"

namespace icount {
namespace {

/// Below one of the roots; empty: elsewhere.
std::string path_below(const std::filesystem::path& file, std::span<const std::string> roots) {
  const std::string path = file.lexically_normal().generic_string();
  for (const std::string& root : roots) {
    const std::string folder = root.ends_with('/') ? root : root + "/";
    if (path.starts_with(folder)) return path.substr(folder.size());
  }
  return {};
}

void add_line(const Json& line, LineCount& count) {
  count.executions = saturating_add(count.executions, line.at("count").get<int64_t>());
  size_t number = 0;
  for (const Json& branch : line.value("branches", Json::array())) {
    if (number == count.branches.size()) count.branches.push_back(0);
    count.branches[number] = saturating_add(count.branches[number], branch.at("count").get<int64_t>());
    ++number;
  }
}

}  // namespace

void add_gcov_json(std::string_view json, std::span<const std::string> roots, SourceCounts& counts) {
  try {
    const Json parsed = Json::parse(json);
    const std::filesystem::path folder = parsed.value("current_working_directory", std::string());
    for (const Json& file : parsed.at("files")) {
      const std::string path = path_below(folder / file.at("file").get<std::string>(), roots);
      if (path.empty()) continue;
      for (const Json& line : file.at("lines")) add_line(line, counts[path][line.at("line_number").get<uint64_t>()]);
    }
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::kMalformed, fmt::format("gcov's JSON is not understood: {}", error.what()));
  }
}

}  // namespace icount
