#include "icount/objects/name_code.h"

#include <algorithm>
#include <future>
#include <memory>
#include <numeric>
#include <system_error>

#include "icount/base/error.h"
#include "icount/callgraph/name_parts.h"

namespace icount {
namespace {

constexpr uint64_t kPage = 4096;
// So many functions at their symbols are no chance; large objects have hundreds of thousands of symbols.
constexpr size_t kEnough = 8;

}  // namespace

FunctionsByOffset::FunctionsByOffset(const ElfSymbols& object) : begins_(kPage + 1) {
  const auto is_function = [](const ElfSymbol& symbol) { return symbol.is_function && symbol.is_defined; };
  for (const ElfSymbol& symbol : object.symbols)
    if (is_function(symbol)) ++begins_[symbol.address % kPage + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  functions_.resize(begins_.back());
  std::vector<size_t> next = begins_;
  for (const ElfSymbol& symbol : object.symbols)
    if (is_function(symbol)) functions_[next[symbol.address % kPage]++] = &symbol;
}

std::span<const ElfSymbol* const> FunctionsByOffset::find(uint64_t address) const {
  const size_t offset = address % kPage;
  return std::span(functions_).subspan(begins_[offset], begins_[offset + 1] - begins_[offset]);
}

std::optional<uint64_t> find_load_bias(const CostGraph& graph, const ProfileCode& code, std::string_view object,
                                       const FunctionsByOffset& functions) {
  struct Begin {
    std::string_view name;
    uint64_t address = 0;
  };
  std::vector<Begin> begins;
  std::set<std::string_view> names;
  for (const FunctionCode& one : code.functions) {
    if (graph.object(one.function) != object) continue;
    const std::string_view name = without_level(graph.name(one.function));
    if (name.starts_with("0x")) continue;  // no symbol has it
    names.insert(name);
    std::set<uint64_t> addresses;
    for (const CodeEntry& entry : one.entries) addresses.insert(entry.to);
    if (!one.rows.empty()) addresses.insert(one.rows.front().address);
    for (const uint64_t address : addresses) begins.push_back({name, address});
  }
  std::map<uint64_t, std::set<std::string_view>> votes;  // names of functions
  const auto has_enough = [&](const Begin& begin, const ElfSymbol& symbol) {
    if (symbol.name != begin.name && demangle(symbol.name) != begin.name) return false;
    auto& found = votes[begin.address - symbol.address];
    found.insert(begin.name);
    return found.size() == kEnough;
  };
  // Most profiles have the object's own addresses. What all functions fit, none fits better.
  for (const Begin& begin : begins)
    for (const ElfSymbol* const symbol : functions.find(begin.address))
      if (symbol->address == begin.address && has_enough(begin, *symbol)) return 0;
  if (!names.empty() && votes[0].size() == names.size()) return 0;
  votes.clear();
  for (const Begin& begin : begins)
    for (const ElfSymbol* const symbol : functions.find(begin.address))
      if (has_enough(begin, *symbol)) return begin.address - symbol->address;
  const auto most = std::max_element(votes.begin(), votes.end(),
                                     [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  if (most != votes.end()) return most->first;
  const auto is_inside = [](const Begin& begin, const ElfSymbol& symbol) {
    return begin.address - symbol.address < symbol.size &&
           (symbol.name == begin.name || demangle(symbol.name) == begin.name);
  };
  begins.resize(std::min(begins.size(), kEnough));
  for (const Begin& begin : begins)
    for (const ElfSymbol* const symbol : functions.all())
      if (is_inside(begin, *symbol)) return 0;
  return std::nullopt;
}

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

/// Finds addresses in a sorted list; rows of a function mostly follow one another there.
class PlaceFinder {
 public:
  explicit PlaceFinder(const std::vector<uint64_t>& addresses) : addresses_(addresses) {}
  size_t of(uint64_t address) {
    if (++last_ < addresses_.size() && addresses_[last_] == address) return last_;
    last_ = static_cast<size_t>(std::lower_bound(addresses_.begin(), addresses_.end(), address) - addresses_.begin());
    return last_;
  }

 private:
  const std::vector<uint64_t>& addresses_;
  size_t last_ = 0;
};

void sort_each_once(std::vector<uint64_t>& addresses) {
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
}

}  // namespace

CodeNamer::Known::iterator CodeNamer::known(const std::string& path) {
  const auto [at, fresh] = known_.try_emplace(path);
  if (!fresh) return at;
  try {
    at->second.functions.emplace(at->second.symbols.emplace(load_elf_symbols(path)));
    at->second.identity = load_file_identity(path);
  } catch (const Error&) {
    at->second.symbols.reset();  // a file that is gone, or no object, has no names
  }
  return at;
}

void CodeNamer::find_objects(CodeToName& wanted, ProfileCode& code, std::vector<LoadedObject>& found) {
  const CostGraph& graph = *wanted.graph;
  std::set<std::string> objects;
  for (const FunctionCode& one : code.functions) objects.insert(std::string(graph.object(one.function)));
  for (const std::string& object : objects) {
    if (!object.starts_with('/')) continue;
    std::error_code error;
    const auto changed = fs::last_write_time(object, error);
    if (error || (wanted.recorded && changed > *wanted.recorded)) continue;
    if (!fs::is_regular_file(object, error)) continue;  // a profile may name a pipe
    const auto file = known(object);
    if (!file->second.symbols) continue;
    if (const auto bias = find_load_bias(graph, code, object, *file->second.functions))
      found.push_back({wanted, graph, code, file->first, *bias, wanted.recorded.has_value()});
  }
}

/// What debug information says at the addresses of all of them.
void CodeNamer::load_names(std::span<const LoadedObject> loaded) {
  std::map<std::string_view, std::vector<uint64_t>> addresses_of;
  for (const LoadedObject& one : loaded) {
    std::vector<uint64_t>& addresses = addresses_of[one.object];
    each_row(one.graph, one.code, one.object, one.bias,
             [&](CodeRow&, uint64_t address) { addresses.push_back(address); });
  }
  std::vector<std::pair<KnownObject&, std::future<std::optional<DebugNames>>>> readings;
  for (auto& [object, addresses] : addresses_of) {
    sort_each_once(addresses);
    const auto at = known(std::string(object));
    KnownObject& file = at->second;
    file.addresses = std::move(addresses);
    if (!file.debug) file.debug.emplace(at->first);
    const auto find = [&file = file] { return file.debug->find(file.addresses, DebugDetail::kLinesAndInlined); };
    readings.emplace_back(file, std::async(std::launch::async | std::launch::deferred, find));
  }
  for (auto& [file, names] : readings) file.names = names.get();
}

void CodeNamer::name_object(const LoadedObject& loaded) {
  const auto& [wanted, graph, code, object, bias, may_differ] = loaded;
  const KnownObject& file = known(object)->second;
  // A profile does not say which build it recorded.
  CodeObject found{object, object, may_differ ? std::string() : file.identity, bias, {}, false};
  if (file.names) {
    const DebugNames& names = *file.names;
    PlaceFinder places(file.addresses);
    size_t compared = 0, same = 0;
    each_row(graph, code, object, bias, [&](const CodeRow& row, uint64_t address) {
      const AddressLine& line = names.lines[places.of(address)];
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
    each_row(graph, code, object, bias, [&](CodeRow& row, uint64_t address) {
      const size_t place = places.of(address);
      if (const uint32_t inlined = names.inlined_at[place]) row.inlined = first + inlined;
      if (row.line != 0 || names.lines[place].line == 0) return;
      row.line = names.lines[place].line;  // DWARF that the Valgrind at hand doesn't read
      row.file = files.of(names.files[names.lines[place].file]);
    });
  }
  code.objects.push_back(std::move(found));
  if (may_differ) find_misplaced(loaded);
}

void CodeNamer::find_misplaced(const LoadedObject& loaded) {
  KnownObject& file = known(loaded.object)->second;
  const CodeBytes bytes(loaded.object);
  if (bytes.machine() != EM_X86_64) return;
  if (!file.areas) file.areas.emplace(*file.symbols);
  loaded.wanted.misplaced.merge(
      find_misplaced_code(loaded.graph, loaded.code, {loaded.object, loaded.bias, *file.areas, [&](uint64_t address) {
                                                        return flow_of_instruction(bytes.from(address));
                                                      }}));
}

std::optional<uint64_t> CodeNamer::bias_of(const CostGraph& graph, const std::string& object, const CodeBytes& code) {
  if (code.is_at_fixed_place()) return 0;
  const auto file = known(object);
  if (!file->second.symbols) return std::nullopt;
  if (const auto bias = find_load_bias(graph, *graph.code, object, *file->second.functions)) return bias;
  // Without symbols: Callgrind writes most objects' own addresses.
  for (const FunctionCode& one : graph.code->functions)
    if (graph.object(one.function) == object)
      for (const CodeRow& row : one.rows)
        if (code.from(row.address).empty()) return std::nullopt;
  return 0;
}

std::set<std::string> CodeNamer::place_code(CostGraph& graph) {
  std::set<std::string> names, objects;
  if (!graph.code || placing_ == CodePlacing::kAsListed) return names;
  for (const FunctionCode& one : graph.code->functions) objects.insert(std::string(graph.object(one.function)));
  for (const std::string& object : objects) {
    if (!object.starts_with('/')) continue;
    try {
      KnownObject& file = known(object)->second;
      if (!file.symbols) continue;
      const CodeBytes code(object);
      if (code.machine() != EM_X86_64) continue;
      const auto bias = bias_of(graph, object, code);
      if (!bias) continue;
      if (!file.areas) file.areas.emplace(*file.symbols);
      names.merge(move_misplaced_code(graph, {object, *bias, *file.areas, [&](uint64_t address) {
                                                return flow_of_instruction(code.from(address));
                                              }}));
    } catch (const Error&) {  // a file that is gone, or no object
    }
  }
  return names;
}

void CodeNamer::find_floating_point(const CostGraph& graph, FloatingPoint& found) {
  if (!graph.code) return;
  std::map<std::string, std::vector<const FunctionCode*>> by_object;
  for (const FunctionCode& one : graph.code->functions)
    by_object[std::string(graph.object(one.function))].push_back(&one);
  for (const auto& [object, functions] : by_object) {
    if (!object.starts_with('/')) continue;
    try {
      const CodeBytes code(object);
      if (code.machine() != EM_X86_64) continue;
      const auto bias = bias_of(graph, object, code);
      if (!bias) continue;
      for (const FunctionCode* const one : functions) {
        bool loads_control = false, sets_bit = false;
        for (const CodeRow& row : one->rows) {
          const FloatUse use = float_use_of(code.from(row.address - *bias));
          if (use == FloatUse::kX87) found.extended.emplace(graph.name(one->function));
          loads_control |= use == FloatUse::kControl;
        }
        if (!loads_control) continue;
        for (const CodeRow& row : one->rows)
          sets_bit = sets_bit || sets_flush_bit(disassemble_bytes(code.from(row.address - *bias).substr(0, 15)));
        if (sets_bit) found.flushing.emplace(graph.name(one->function));
      }
    } catch (const Error&) {  // a file that is gone, or no object
    }
  }
}

void CodeNamer::find_fast_math(const std::string& program, FloatingPoint& found) {
  constexpr std::string_view kStart = "set_fast_math";
  KnownObject& object = known(program)->second;
  if (!object.flushes)
    object.flushes =
        object.symbols &&
        std::any_of(object.symbols->symbols.begin(), object.symbols->symbols.end(), [&](const ElfSymbol& symbol) {
          return symbol.name == kStart && symbol.is_function && symbol.is_defined;
        });
  if (*object.flushes) found.flushing.emplace(kStart);
}

void CodeNamer::name(std::span<CodeToName> graphs) {
  std::vector<std::shared_ptr<ProfileCode>> codes;
  std::vector<LoadedObject> loaded;
  for (CodeToName& wanted : graphs) {
    auto& code = codes.emplace_back();
    if (!wanted.graph->code || wanted.graph->code->functions.empty()) continue;
    code = std::make_shared<ProfileCode>(*wanted.graph->code);
    code->inlined.clear();
    code->objects.clear();
    find_objects(wanted, *code, loaded);
  }
  load_names(loaded);
  for (const LoadedObject& one : loaded) name_object(one);
  for (size_t i = 0; i < graphs.size(); ++i)
    if (codes[i]) graphs[i].graph->code = std::make_shared<const ProfileCode>(drop_unused_names(std::move(*codes[i])));
}

}  // namespace icount
