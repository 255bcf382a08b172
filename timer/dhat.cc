#include "icount/timer/dhat.h"

#include <fmt/format.h>

#include <array>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/base/json.h"
#include "icount/stats/result_figures.h"

namespace icount {
namespace {

int64_t integer_of(const Json& point, const char* field, const std::string& name) {
  const Json& value = json_field(point, field, name);
  if (!value.is_number_integer())
    throw Error(ErrorKind::kMalformed, fmt::format("{}: '{}' is not a whole number", name, field));
  return value.get<int64_t>();
}

}  // namespace

MemoryUse parse_dhat(std::string_view text, const std::string& name) {
  const Json json = parse_json(text, name);
  const Json& mode = json_field(json, "mode", name);
  if (mode != "heap") throw Error(ErrorKind::kMalformed, name + ": DHAT's file is not of its mode heap");
  const Json& points = json_field(json, "pps", name);
  if (!points.is_array()) throw Error(ErrorKind::kMalformed, name + ": 'pps' is not a list");
  MemoryUse memory;
  const auto add = [&](int64_t& sum, const Json& point, const char* field) {
    sum = checked_add(sum, integer_of(point, field, name), field);
  };
  for (const Json& point : points) {
    add(memory.bytes, point, "tb");
    add(memory.blocks, point, "tbk");
    add(memory.peak_bytes, point, "gb");
    add(memory.peak_blocks, point, "gbk");
    add(memory.end_bytes, point, "eb");
    add(memory.end_blocks, point, "ebk");
  }
  return memory;
}

std::vector<std::string> make_dhat_command(const std::filesystem::path& valgrind, const std::filesystem::path& out) {
  return {valgrind.string(), "--command-line-only=yes",        "-q", "--vgdb=no",
          "--tool=dhat",     "--dhat-out-file=" + out.string()};
}

void add_memory_figures(const MemoryUse& memory, Result& result) {
  const std::array<int64_t, 5> values = {memory.bytes, memory.blocks, memory.peak_bytes, memory.peak_blocks,
                                         memory.end_bytes};
  for (size_t i = 0; i < kMemoryFigures.size(); ++i)
    result.figures.push_back({std::string(kMemoryFigures[i]), values[i]});
}

}  // namespace icount
