#include "icount/counter/object_code.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "icount/base/error.h"
#include "icount/harness/elf_file.h"

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

/// Of overlapping symbols each keeps what Valgrind leaves it: of those with one beginning the smallest comes first and
/// the next begins behind it, and one that reaches into another ends before it. By address.
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

struct ObjectCode::Files {
  std::vector<ElfSymbols> elf;
  std::optional<DebugInformation> debug;
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
  auto names = is_at_hand_ ? files_->debug->find(addresses, DebugDetail::kLines) : std::nullopt;
  if (!names) return {.lines = std::vector<AddressLine>(addresses.size()), .files = {"???"}};
  for (AddressLine& line : names->lines) line.file = line.line > 0 ? line.file + 1 : 0;
  names->files.insert(names->files.begin(), "???");
  return {std::move(names->lines), std::move(names->files)};
}

}  // namespace icount
