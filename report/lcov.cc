#include "icount/report/exports.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

namespace icount {
namespace {

/// The format has no escapes: a record ends with its line.
std::string one_line(std::string_view text) {
  std::string plain(text);
  for (char& c : plain)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return plain;
}

std::string times(const CoveredBranch& branch, int64_t count) {
  return branch.is_reached ? std::to_string(count) : "-";
}

}  // namespace

std::string render_lcov(std::span<const CoveredSource> sources) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const CoveredSource& source : sources) {
    fmt::format_to(out, "TN:\nSF:{}\n", one_line(source.file));
    size_t called = 0, executed = 0, branches = 0, taken = 0;
    for (const auto& [name, function] : source.functions)
      fmt::format_to(out, "FN:{},{}\n", function.first, one_line(name));
    for (const auto& [name, function] : source.functions) {
      fmt::format_to(out, "FNDA:{},{}\n", function.second, one_line(name));
      called += function.second > 0;
    }
    fmt::format_to(out, "FNF:{}\nFNH:{}\n", source.functions.size(), called);
    for (const auto& [line, of_line] : source.branches)
      for (size_t i = 0; i < of_line.size(); ++i) {
        const CoveredBranch& one = of_line[i];
        fmt::format_to(out, "BRDA:{0},{1},0,{2}\nBRDA:{0},{1},1,{3}\n", line, i, times(one, one.jumped),
                       times(one, one.passed));
        branches += 2;
        taken += (one.jumped > 0) + (one.passed > 0);
      }
    fmt::format_to(out, "BRF:{}\nBRH:{}\n", branches, taken);
    for (const auto& [line, executions] : source.lines) {
      fmt::format_to(out, "DA:{},{}\n", line, executions);
      executed += executions > 0;
    }
    fmt::format_to(out, "LF:{}\nLH:{}\nend_of_record\n", source.lines.size(), executed);
  }
  return text;
}

}  // namespace icount
