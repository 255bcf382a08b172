#include "icount/objects/inlined_functions.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <utility>

#include "icount/harness/elf_file.h"
#include "icount/objects/known_names.h"

namespace icount {
namespace {

// Damaged information may lead in circles; what exceeds these has no names.
constexpr size_t kMostEntries = 20'000'000, kMostAssignments = 100'000'000;
constexpr int kDeepest = 200;

/// An open Dwarf with its file; empty where there is none.
class DwarfFile {
 public:
  explicit DwarfFile(const std::filesystem::path& path) {
    elf_version(EV_CURRENT);
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ >= 0) dwarf_ = dwarf_begin(file_, DWARF_C_READ);
  }
  DwarfFile(const DwarfFile&) = delete;
  DwarfFile& operator=(const DwarfFile&) = delete;
  ~DwarfFile() {
    if (dwarf_) dwarf_end(dwarf_);
    if (file_ >= 0) ::close(file_);
  }
  Dwarf* get() const { return dwarf_; }

 private:
  int file_ = -1;
  Dwarf* dwarf_ = nullptr;
};

std::string text_of(Dwarf_Die* entry, unsigned attribute) {
  Dwarf_Attribute found;
  const char* text = nullptr;
  if (dwarf_attr_integrate(entry, attribute, &found)) text = dwarf_formstring(&found);
  return text ? text : "";
}

std::string name_of(Dwarf_Die* entry) {
  for (const unsigned attribute : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name})
    if (const std::string symbol = text_of(entry, attribute); !symbol.empty()) return demangle(symbol);
  return text_of(entry, DW_AT_name);
}

/// As Valgrind has it: below the folder that was compiled in, also where that is relative itself.
std::string full_name(const std::string& file, const std::string& folder) {
  return file.starts_with('/') || folder.empty() ? file : folder + "/" + file;
}

/// File and line of a row of the line table; empty where it has none.
std::optional<std::pair<std::string, uint64_t>> place_of(Dwarf_Line* line, const std::string& folder) {
  int number = 0;
  if (!line || dwarf_lineno(line, &number) != 0 || number <= 0) return std::nullopt;
  const char* const file = dwarf_linesrc(line, nullptr, nullptr);
  if (!file) return std::nullopt;
  return std::pair(full_name(file, folder), static_cast<uint64_t>(number));
}

/// Of the file that the attribute names, DW_AT_decl_file or DW_AT_call_file. dwarf_decl_file (libdw 0.188) knows no
/// file number 0, which DWARF 5 has and which clang writes for the source it was given.
std::string file_of(Dwarf_Die* entry, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word number = 0;
  if (!dwarf_attr_integrate(entry, attribute, &found) || dwarf_formudata(&found, &number) != 0) return "";
  Dwarf_Half version = 0;
  Dwarf_Die unit;
  if (dwarf_cu_info(found.cu, &version, nullptr, &unit, nullptr, nullptr, nullptr, nullptr) != 0) return "";
  if (number == 0 && version < 5) return "";
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  if (dwarf_getsrcfiles(&unit, &files, &count) != 0 || number >= count) return "";
  const char* const file = dwarf_filesrc(files, number, nullptr, nullptr);
  return file ? file : "";
}

class NameReader {
 public:
  NameReader(Dwarf* dwarf, std::span<const uint64_t> addresses, DebugDetail detail, KnownNames& known)
      : dwarf_(dwarf), addresses_(addresses), detail_(detail), known_(known) {
    for (const uint64_t address : addresses) rows_.push_back({.address = address, .detail = detail});
  }

  /// By address; nullopt: the information is damaged.
  std::optional<std::vector<KnownAddress>> read() {
    Dwarf_CU* unit = nullptr;
    Dwarf_Die top, split;
    uint8_t kind = 0;
    while (fits_ && dwarf_get_units(dwarf_, unit, &unit, nullptr, &kind, &top, &split) == 0) {
      if (!read_lines(&top)) continue;
      const bool is_split = kind == DW_UT_skeleton, has_rest = is_split && dwarf_tag(&split) == DW_TAG_compile_unit;
      is_whole_ = is_whole_ && is_split == has_rest;
      if (detail_ == DebugDetail::kLinesAndInlined) walk_unit(has_rest ? &split : &top, 0);
    }
    if (!fits_) return std::nullopt;
    return std::move(rows_);
  }

  /// Whether no other file is missing, which may come later.
  bool is_whole() const {
    const char* name = nullptr;
    const void* id = nullptr;
    return is_whole_ && (dwelf_dwarf_gnu_debugaltlink(dwarf_, &name, &id) <= 0 || dwarf_getalt(dwarf_));
  }

 private:
  using Range = std::pair<size_t, size_t>;  // of addresses_

  /// Wanted addresses that an entry's code has, a range for each of its parts that has any.
  std::vector<Range> ranges_of(Dwarf_Die* entry) {
    std::vector<Range> ranges;
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(entry, at, &base, &begin, &end)) > 0;) {
      if (!count_entry()) break;
      if (begin >= end) continue;
      const auto first = std::lower_bound(addresses_.begin(), addresses_.end(), begin);
      const auto last = std::lower_bound(first, addresses_.end(), end);
      if (first != last)
        ranges.emplace_back(static_cast<size_t>(first - addresses_.begin()),
                            static_cast<size_t>(last - addresses_.begin()));
    }
    return ranges;
  }

  /// Returns whether the unit has any of the addresses.
  bool read_lines(Dwarf_Die* unit) {
    const std::vector<Range> ranges = ranges_of(unit);
    if (ranges.empty()) return false;
    const std::string folder = text_of(unit, DW_AT_comp_dir);
    const uint32_t producer = 1 + known_.producers.of(text_of(unit, DW_AT_producer));
    for (const auto& [first, end] : ranges)
      for (size_t i = first; i < end && count_assignment(); ++i) {
        rows_[i].producer = producer;
        const auto place = place_of(dwarf_getsrc_die(unit, addresses_[i]), folder);
        if (!place) continue;
        rows_[i].file = known_.files.of(place->first);
        rows_[i].line = place->second;
      }
    return true;
  }

  void walk_unit(Dwarf_Die* around, int depth) {
    Dwarf_Die entry;
    if (depth > kDeepest || dwarf_child(around, &entry) != 0) return;
    do {
      if (!count_entry()) return;
      const int tag = dwarf_tag(&entry);
      if (tag == DW_TAG_subprogram) {
        if (!ranges_of(&entry).empty()) walk_code(&entry, 0, depth);
      } else if (tag == DW_TAG_namespace || tag == DW_TAG_module) {
        walk_unit(&entry, depth + 1);
      }
    } while (dwarf_siblingof(&entry, &entry) == 0);
  }

  void walk_code(Dwarf_Die* around, uint32_t outer, int depth) {
    Dwarf_Die entry;
    if (depth > kDeepest || dwarf_child(around, &entry) != 0) return;
    do {
      if (!count_entry()) return;
      switch (dwarf_tag(&entry)) {
        case DW_TAG_inlined_subroutine: {
          const std::vector<Range> ranges = ranges_of(&entry);
          if (ranges.empty()) break;
          const uint32_t number = number_of(&entry, outer, ranges.front().first);
          for (const auto& [first, end] : ranges)
            for (size_t i = first; i < end && count_assignment(); ++i) rows_[i].inlined = number;
          walk_code(&entry, number, depth + 1);
          break;
        }
        case DW_TAG_lexical_block:
        case DW_TAG_try_block:
        case DW_TAG_catch_block:
          walk_code(&entry, outer, depth + 1);
          break;
        case DW_TAG_subprogram:
          if (!ranges_of(&entry).empty()) walk_code(&entry, 0, depth + 1);
          break;
        default:
          break;
      }
    } while (dwarf_siblingof(&entry, &entry) == 0);
  }

  /// Of a member that the compiler made: gcc gives its declaration no file. `first`: an address that it has.
  std::string file_of_code(Dwarf_Die* entry, size_t first) const {
    Dwarf_Die inner;
    if (dwarf_child(entry, &inner) == 0) do {
        if (dwarf_tag(&inner) != DW_TAG_inlined_subroutine) continue;
        if (std::string file = file_of(&inner, DW_AT_call_file); !file.empty()) return file;
      } while (dwarf_siblingof(&inner, &inner) == 0);
    return rows_[first].line == 0 ? std::string() : known_.files.all[rows_[first].file];
  }

  uint32_t number_of(Dwarf_Die* entry, uint32_t outer, size_t first) {
    InlinedFunction one{.name = name_of(entry), .file = file_of(entry, DW_AT_decl_file), .outer = outer};
    if (one.file.empty()) one.file = file_of_code(entry, first);
    if (one.name.empty()) return outer;
    int line = 0;
    if (dwarf_decl_line(entry, &line) == 0 && line > 0) one.line = static_cast<uint64_t>(line);
    Dwarf_Attribute call;
    Dwarf_Word call_line = 0;
    if (dwarf_attr(entry, DW_AT_call_line, &call) && dwarf_formudata(&call, &call_line) == 0) one.call_line = call_line;
    return 1 + known_.inlined.of(one);
  }

  bool count_entry() { return fits_ = fits_ && ++entries_ <= kMostEntries; }
  bool count_assignment() { return fits_ = fits_ && ++assignments_ <= kMostAssignments; }

  Dwarf* dwarf_;
  std::span<const uint64_t> addresses_;
  DebugDetail detail_;
  KnownNames& known_;
  std::vector<KnownAddress> rows_;  // by address
  size_t entries_ = 0, assignments_ = 0;
  bool fits_ = true, is_whole_ = true;
};

DebugLines read_debug_lines(Dwarf* dwarf) {
  constexpr uint32_t kEnd = ~uint32_t{0};
  DebugLines table;
  std::map<std::string, uint32_t> files;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die top;
  while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &top, nullptr) == 0) {
    Dwarf_Lines* lines = nullptr;
    size_t count = 0;
    if (dwarf_getsrclines(&top, &lines, &count) != 0) continue;
    const std::string folder = text_of(&top, DW_AT_comp_dir);
    for (size_t i = 0; i < count && table.rows.size() < kMostAssignments; ++i) {
      Dwarf_Line* const line = dwarf_onesrcline(lines, i);
      Dwarf_Addr address = 0;
      bool is_end = false;
      if (!line || dwarf_lineaddr(line, &address) != 0 || dwarf_lineendsequence(line, &is_end) != 0) continue;
      DebugLine& row = table.rows.emplace_back(DebugLine{.address = address, .file = is_end ? kEnd : 0});
      const auto place = is_end ? std::nullopt : place_of(line, folder);
      if (!place) continue;
      const auto [at, fresh] = files.try_emplace(place->first, static_cast<uint32_t>(table.files.size()));
      if (fresh) table.files.emplace_back(at->first);
      row.file = at->second;
      row.line = place->second;
    }
  }
  // An end is where the next piece of code may begin.
  std::stable_sort(table.rows.begin(), table.rows.end(), [](const DebugLine& a, const DebugLine& b) {
    return std::pair(a.address, a.file != kEnd) < std::pair(b.address, b.file != kEnd);
  });
  return table;
}

}  // namespace

/// The object's own, then the separate one; opened when they are first asked.
struct DebugInformation::Files {
  explicit Files(const std::filesystem::path& path) : object(path), known(path) {}
  ~Files() { keep(); }

  /// What the files say of addresses of which not enough is known.
  void read(std::vector<uint64_t> unknown, DebugDetail detail) {
    for (const bool is_separate : {false, true}) {
      if (unknown.empty()) break;
      std::optional<DwarfFile>& file = is_separate ? separate : own;
      if (!file) file.emplace(is_separate ? separate_debug_file(load_build_id(object)) : object);
      if (!file->get()) continue;
      NameReader reader(file->get(), unknown, detail, known);
      auto rows = reader.read();
      is_kept = is_kept && rows && reader.is_whole();
      if (!rows) {
        file.emplace("");
        continue;
      }
      unknown.clear();
      for (const KnownAddress& row : *rows)
        if (row.producer == 0) unknown.push_back(row.address);
      known.add(*std::move(rows));
    }
    is_stale = true;
    if (known.size() >= 2 * saved) keep();  // all of them are written: not for each of a thousand tests
  }

  void keep() {
    if (std::exchange(is_stale, false) && is_kept) known.save();
    saved = known.size();
  }

  std::filesystem::path object;
  std::optional<DwarfFile> own, separate;
  KnownNames known;
  size_t saved = 0;
  bool is_loaded = false, is_kept = true, is_stale = false;
};

DebugInformation::DebugInformation(const std::filesystem::path& object) : files_(std::make_unique<Files>(object)) {}
DebugInformation::~DebugInformation() = default;
DebugInformation::DebugInformation(DebugInformation&&) noexcept = default;
DebugInformation& DebugInformation::operator=(DebugInformation&&) noexcept = default;

std::optional<DebugNames> DebugInformation::find(std::span<const uint64_t> addresses, DebugDetail detail) {
  KnownNames& known = files_->known;
  if (!std::exchange(files_->is_loaded, true)) known.load();
  if (auto unknown = known.find_unknown(addresses, detail); !unknown.empty()) files_->read(std::move(unknown), detail);
  return known.find(addresses, detail);
}

std::optional<DebugLines> load_debug_lines(const std::filesystem::path& object) {
  for (const bool separate : {false, true}) {
    const DwarfFile file(separate ? separate_debug_file(load_build_id(object)) : object);
    if (!file.get()) continue;
    if (DebugLines table = read_debug_lines(file.get()); !table.rows.empty()) return table;
  }
  return std::nullopt;
}

}  // namespace icount
