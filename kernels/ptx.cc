#include "icount/kernels/ptx.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {
namespace {

/// A line without its comment and blanks, with names that do not depend on the source file's path.
std::string plain_line(std::string_view line) {
  line = trim(line.substr(0, line.find("//")));
  for (const std::string_view left_out : {".loc", ".file", ".version"})
    if (line.starts_with(left_out)) return {};
  std::string plain;
  while (!line.empty()) {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; };
    const auto end = static_cast<size_t>(std::find_if_not(line.begin(), line.end(), is_word) - line.begin());
    plain += end > 0 ? stable_symbol(line.substr(0, end)) : std::string(1, line[0] == '\t' ? ' ' : line[0]);
    line.remove_prefix(std::max<size_t>(end, 1));
  }
  return plain;
}

}  // namespace

Cubin parse_ptx(std::string_view text, std::string name) {
  struct Entry {
    std::string name;
    size_t begin = 0, end = 0;
  };
  std::string code, outside, arch;
  std::vector<Entry> entries;
  int depth = 0;
  bool inside = false;
  for (const std::string_view raw : split_lines(text)) {
    const std::string line = plain_line(raw);
    if (line.empty()) continue;
    if (line.starts_with(".target "))
      arch = line.substr(8, line.find(',') == std::string::npos ? line.npos : line.find(',') - 8);
    const size_t entry = line.find(".entry ");
    if (!inside && entry != std::string::npos) {
      inside = true;
      const std::string_view behind = std::string_view(line).substr(entry + 7);
      entries.push_back({std::string(behind.substr(0, behind.find('('))), code.size(), 0});
    }
    (inside ? code : outside) += line + '\n';
    depth += static_cast<int>(std::count(line.begin(), line.end(), '{') - std::count(line.begin(), line.end(), '}'));
    if (inside && depth == 0 && line.ends_with('}')) {
      entries.back().end = code.size();
      inside = false;
    }
  }
  if (inside) throw Error(ErrorKind::kMalformed, fmt::format("{}: {} has no end", name, entries.back().name));
  Cubin ptx;
  ptx.is_ptx = true;
  ptx.bytes = FileBytes(std::move(code));
  ptx.name = std::move(name);
  ptx.arch = arch + " (PTX)";
  for (const Entry& one : entries) {
    KernelCode& kernel = ptx.functions.emplace_back();
    kernel.name = one.name;
    kernel.code = ptx.bytes.view().substr(one.begin, one.end - one.begin);
    kernel.literals = outside;
  }
  std::sort(ptx.functions.begin(), ptx.functions.end(),
            [](const KernelCode& a, const KernelCode& b) { return a.name < b.name; });
  return ptx;
}

}  // namespace icount
