#include "icount/counter/object_code.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>

#include "icount/base/error.h"
#include "icount/harness/build_id.h"
#include "icount/harness/elf_symbols.h"
#include "icount/objects/inlined_functions.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

std::string_view without_version(std::string_view name) { return name.substr(0, name.find('@')); }

void add_code_symbols(const ElfSymbols& elf, std::vector<CodeSymbol>& symbols) {
  for (const ElfSymbol& symbol : elf.symbols)
    if ((symbol.is_function || symbol.is_chooser) && symbol.is_defined && symbol.size > 0 &&
        symbol.address + symbol.size > symbol.address)
      symbols.push_back({symbol.address, symbol.address + symbol.size, symbol.name});
}

bool is_before(const CodeSymbol& a, const CodeSymbol& b) {
  if (a.begin != b.begin) return a.begin < b.begin;
  if (a.end != b.end) return a.end < b.end;
  return is_preferred_name(a.name, b.name);
}

}  // namespace

bool is_preferred_name(std::string_view a, std::string_view b) {
  const size_t length_a = without_version(a).size(), length_b = without_version(b).size();
  if ((length_a == 0) != (length_b == 0)) return length_a != 0;
  if (length_a != length_b) return length_a < length_b;
  const bool has_a = length_a != a.size(), has_b = length_b != b.size();
  return has_a != has_b ? has_a : a < b;
}

std::string valgrind_name(std::string_view symbol) {
  constexpr std::array<std::string_view, 6> kBelowMain = {
      "__libc_start_main", "__libc_start_call_main",   "generic_start_main", "_start",
      "__start",           "generic_start_main.isra.0"};
  if (std::find(kBelowMain.begin(), kBelowMain.end(), symbol) != kBelowMain.end()) return "(below main)";
  return demangle(symbol);
}

std::vector<CodeSymbol> make_code_symbols(std::vector<CodeSymbol> symbols) {
  for (bool changed = true; changed;) {
    std::sort(symbols.begin(), symbols.end(), is_before);
    symbols.erase(
        std::unique(symbols.begin(), symbols.end(),
                    [](const CodeSymbol& a, const CodeSymbol& b) { return a.begin == b.begin && a.end == b.end; }),
        symbols.end());
    changed = false;
    for (size_t i = 0; i + 1 < symbols.size(); ++i) {
      CodeSymbol &one = symbols[i], &next = symbols[i + 1];
      if (one.end <= next.begin) continue;
      if (one.begin < next.begin) {
        one.end = next.begin;
      } else {
        next.begin = one.end;
        changed = true;
      }
    }
  }
  return symbols;
}

struct ObjectCode::Files {
  std::vector<ElfSymbols> elf;
  std::optional<DebugInformation> debug;
  // Asked before: parts of one run, and its repeats, share most of their code.
  std::unordered_map<uint64_t, CodeLine> lines;
  std::vector<std::string> names{"???"};
  std::unordered_map<std::string, uint32_t> numbers;  // of names
};

ObjectCode::ObjectCode(const fs::path& path, std::string_view build_id) : files_(std::make_unique<Files>()) {
  files_->debug.emplace(path);
  try {
    if (load_build_id(path) != build_id) return;
    for (const fs::path& file : {path, separate_debug_file(build_id)}) {
      std::error_code error;
      if (!file.empty() && fs::exists(file, error)) files_->elf.push_back(load_elf_symbols(file));
    }
  } catch (const Error&) {
    // Damaged or gone since: what was read so far is what is known.
  }
  is_at_hand_ = !files_->elf.empty();
  std::vector<CodeSymbol> symbols;
  for (const ElfSymbols& elf : files_->elf) add_code_symbols(elf, symbols);
  symbols_ = make_code_symbols(std::move(symbols));
}

ObjectCode::~ObjectCode() = default;
ObjectCode::ObjectCode(ObjectCode&&) noexcept = default;
ObjectCode& ObjectCode::operator=(ObjectCode&&) noexcept = default;

const CodeSymbol* ObjectCode::find(uint64_t address) const {
  auto at = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                             [](uint64_t wanted, const CodeSymbol& symbol) { return wanted < symbol.begin; });
  if (at == symbols_.begin()) return nullptr;
  --at;
  return address < at->end ? &*at : nullptr;
}

CodeLines ObjectCode::load_lines(std::span<const uint64_t> addresses) const {
  Files& files = *files_;
  std::vector<uint64_t> unasked;
  if (is_at_hand_)
    std::copy_if(addresses.begin(), addresses.end(), std::back_inserter(unasked),
                 [&](uint64_t address) { return !files.lines.contains(address); });
  if (!unasked.empty()) {
    const auto names = files.debug->find(unasked, DebugDetail::kLines);
    std::vector<uint32_t> numbers;
    for (const std::string& name : names ? names->files : std::vector<std::string>()) {
      const auto [at, fresh] = files.numbers.try_emplace(name, static_cast<uint32_t>(files.names.size()));
      if (fresh) files.names.push_back(name);
      numbers.push_back(at->second);
    }
    for (size_t i = 0; i < unasked.size(); ++i) {
      CodeLine& line = files.lines[unasked[i]];
      if (names && names->lines[i].line > 0) line = {numbers[names->lines[i].file], names->lines[i].line};
    }
  }
  CodeLines result{.lines = {}, .files = &files.names};
  for (const uint64_t address : addresses) {
    const auto known = files.lines.find(address);
    result.lines.push_back(known == files.lines.end() ? CodeLine() : known->second);
  }
  return result;
}

}  // namespace icount
