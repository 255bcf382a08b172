#include "icount/objects/name_code.h"

#include <algorithm>
#include <memory>
#include <set>
#include <system_error>

#include "icount/base/error.h"
#include "icount/callgraph/name_parts.h"
#include "icount/harness/build_id.h"
#include "icount/objects/load_bias.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

// Of the lines that both know, so many are the same in the build that was recorded.
constexpr double kSameLines = 0.5;

/// Numbers of files, new ones behind those that are there.
class FileNumbers {
 public:
  explicit FileNumbers(std::vector<std::string>& files) : files_(files) {
    for (uint32_t i = 0; i < files.size(); ++i) numbers_.emplace(files[i], i);
  }
  uint32_t of(std::string_view file) {
    const auto [at, fresh] = numbers_.try_emplace(std::string(file), static_cast<uint32_t>(files_.size()));
    if (fresh) files_.emplace_back(file);
    return at->second;
  }

 private:
  std::vector<std::string>& files_;
  std::map<std::string, uint32_t> numbers_;
};

/// Every row of an object's functions, with its address in the object.
template <typename Tell>
void each_row(const CostGraph& graph, ProfileCode& code, std::string_view object, uint64_t bias, Tell tell) {
  for (FunctionCode& one : code.functions)
    if (graph.object(one.function) == object)
      for (CodeRow& row : one.rows) tell(row, row.address - bias);
}

size_t place_of(const std::vector<uint64_t>& addresses, uint64_t address) {
  return static_cast<size_t>(std::lower_bound(addresses.begin(), addresses.end(), address) - addresses.begin());
}

}  // namespace

CodeNamer::KnownObject& CodeNamer::known(const std::string& path) {
  const auto [at, fresh] = known_.try_emplace(path);
  if (!fresh) return at->second;
  try {
    at->second.symbols = load_elf_symbols(path);
    at->second.identity = load_file_identity(path);
  } catch (const Error&) {
    at->second.symbols.reset();  // a file that is gone, or no object, has no names
  }
  return at->second;
}

void CodeNamer::name_object(const CostGraph& graph, ProfileCode& code, const std::string& object, bool may_differ) {
  KnownObject& file = known(object);
  if (!file.symbols) return;
  const std::optional<uint64_t> bias = find_load_bias(graph, code, object, *file.symbols);
  if (!bias) return;
  std::vector<uint64_t> addresses;
  each_row(graph, code, object, *bias, [&](CodeRow&, uint64_t address) { addresses.push_back(address); });
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  if (file.addresses != addresses) {
    file.names = load_debug_names(object, addresses);
    file.addresses = std::move(addresses);
  }
  CodeObject found{object, object, file.identity, *bias, {}, false};
  if (file.names) {
    const DebugNames& names = *file.names;
    size_t compared = 0, same = 0;
    each_row(graph, code, object, *bias, [&](const CodeRow& row, uint64_t address) {
      const AddressLine& line = names.lines[place_of(file.addresses, address)];
      if (row.line == 0 || line.line == 0) return;
      ++compared;
      same += row.line == line.line;
    });
    if (may_differ && static_cast<double>(same) < kSameLines * static_cast<double>(compared)) return;
    found.producer = names.producer;
    found.has_names = true;
    FileNumbers files(code.files);
    const auto first = static_cast<uint32_t>(code.inlined.size());
    for (const InlinedFunction& one : names.inlined)
      code.inlined.push_back({one.name, one.file.empty() ? files.of("???") : files.of(one.file), one.line,
                              one.call_line, one.outer == 0 ? 0 : first + one.outer});
    each_row(graph, code, object, *bias, [&](CodeRow& row, uint64_t address) {
      const size_t place = place_of(file.addresses, address);
      if (const uint32_t inlined = names.inlined_at[place]) row.inlined = first + inlined;
      if (row.line != 0 || names.lines[place].line == 0) return;
      row.line = names.lines[place].line;  // DWARF that the Valgrind at hand doesn't read
      row.file = files.of(names.files[names.lines[place].file]);
    });
  }
  code.objects.push_back(std::move(found));
}

void CodeNamer::name(CostGraph& graph, std::optional<fs::file_time_type> recorded) {
  if (!graph.code || graph.code->functions.empty()) return;
  auto code = std::make_shared<ProfileCode>(*graph.code);
  code->inlined.clear();
  code->objects.clear();
  std::set<std::string> objects;
  for (const FunctionCode& one : code->functions) objects.insert(std::string(graph.object(one.function)));
  for (const std::string& object : objects) {
    if (!object.starts_with('/')) continue;
    std::error_code error;
    const auto changed = fs::last_write_time(object, error);
    if (error || (recorded && changed > *recorded)) continue;
    if (!fs::is_regular_file(object, error)) continue;  // a profile may name a pipe
    name_object(graph, *code, object, recorded.has_value());
  }
  graph.code = std::move(code);
}

}  // namespace icount
