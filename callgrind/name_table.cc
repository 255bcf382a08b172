#include "icount/callgrind/name_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/text.h"

namespace icount {
namespace {

constexpr size_t kLongestExpansion = size_t{1} << 20;
constexpr size_t kSmallestExpansionBudget = size_t{64} << 20;
constexpr size_t kExpansionFactor = 64;
constexpr size_t kDenseIds = size_t{1} << 18;  // ids below this always use the vector: 1 MiB at most
constexpr size_t kDenseIdsPerDefinition = 8;   // Callgrind counts ids in twos
constexpr size_t kMostWarnings = 20;           // ids named one by one

std::string_view kind_word(NameKind kind) {
  switch (kind) {
    case NameKind::kObject:
      return "object";
    case NameKind::kFile:
      return "file";
    case NameKind::kFunction:
      return "function";
  }
  return {};
}

bool all_digits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_digit); }

bool is_id(std::string_view text) {
  return text.size() > 2 && text.front() == '(' && text.back() == ')' && all_digits(text.substr(1, text.size() - 2));
}

}  // namespace

bool is_made_of_ids(std::string_view text) {
  if (!text.starts_with('(') || text.size() > kLongestExpansion || text.find('\'') == std::string_view::npos)
    return false;
  const auto pieces = split(text, '\'');
  return is_id(pieces[0]) && std::all_of(pieces.begin(), pieces.end(),
                                         [](std::string_view piece) { return is_id(piece) || all_digits(piece); });
}

NameTable::NameTable(NameKind kind, StringPool& strings, ParseReport& report, size_t input_bytes)
    : kind_(kind),
      strings_(strings),
      report_(report),
      expansion_budget_(std::max(kSmallestExpansionBudget, kExpansionFactor * input_bytes)) {}

StringId NameTable::read_any(const char*& p, const char* end) {
  const char* const line_end = report_.find_line_end(p, end);
  const char* const first = skip_blanks(p);
  const std::string_view text = line_text(first, line_end);
  p = line_end + 1;
  if (!text.starts_with('(') || text.size() < 3 || !is_digit(text[1])) return strings_.intern(text);
  size_t digits_end = 1;
  while (digits_end < text.size() && is_digit(text[digits_end])) ++digits_end;
  if (digits_end == text.size() || text[digits_end] != ')') return strings_.intern(text);
  std::string_view name = text.substr(digits_end + 1);
  if (!name.empty() && !is_blank(name[0])) return strings_.intern(text);  // "(1)x" is a name of its own
  uint64_t id = 0;
  const std::string digits = std::string(text.substr(1, digits_end - 1)) + "\n";
  const char* at = digits.data();
  if (scan_number(at, id) != Scan::kNumber)
    report_.fail(first, fmt::format("number too large: '{}'", ParseReport::quote(text.substr(1, digits_end - 1))));
  name.remove_prefix(std::min(name.find_first_not_of(" \t"), name.size()));
  if (name.empty()) return look_up(id, first);
  const bool compressed = kind_ == NameKind::kFunction && is_made_of_ids(name);
  const StringId result = compressed ? strings_.intern(expand(name, first)) : strings_.intern(name);
  define(id, result, first);
  if (compressed) expanded_.insert(id);
  return result;
}

StringId NameTable::find(uint64_t id) const {
  if (const StringId name = dense_.find(id); name != kUndefined) return name;
  const auto found = sparse_.find(id);
  return found == sparse_.end() ? kUndefined : found->second;
}

StringId NameTable::look_up(uint64_t id, const char* at) {
  const StringId known = find(id);
  if (known != kUndefined) return known;
  if (ahead_) return add_placeholder(id);
  Sighting& sighting = undefined_[id];
  if (sighting.times++ == 0) {
    sighting.at = at;
    sighting.literal = strings_.intern(fmt::format("({})", id));
  }
  return sighting.literal;
}

void NameTable::define(uint64_t id, StringId name, const char* at) {
  const StringId known = find(id);
  if (known == name) return;
  if (ahead_) {
    ahead_->definitions.push_back({id, name, at});
    ++defined_;
  } else if (known != kUndefined) {
    Sighting& sighting = redefined_[id];
    if (sighting.times++ == 0) sighting.at = at;
    expanded_.erase(id);
  } else {
    ++defined_;
  }
  store(id, name);
}

StringId NameTable::add_placeholder(uint64_t id) {
  const StringId placeholder = strings_.add_unknown();
  ahead_->unknown.push_back({id, placeholder});
  store(id, placeholder);
  return placeholder;
}

void NameTable::store(uint64_t id, StringId name) {
  if ((!sparse_.empty() && sparse_.contains(id)) || id >= std::max(kDenseIds, kDenseIdsPerDefinition * defined_)) {
    sparse_[id] = name;
    return;
  }
  dense_.store(id, name);
}

/// The text of a name that was written as pieces; every id in it is looked up.
std::string NameTable::expand(std::string_view text, const char* at) {
  if (ahead_) report_.fail(at, "a name made of ids, of which some may be named in lines not seen");
  std::string result;
  for (const std::string_view piece : split(text, '\'')) {
    if (!result.empty()) result += '\'';
    const auto id = piece.starts_with('(') ? parse_int64(piece.substr(1, piece.size() - 2)) : std::nullopt;
    // Pieces that were put together themselves stay literal, so that lengths cannot double line by line.
    const bool plain = id && !expanded_.contains(static_cast<uint64_t>(*id));
    result += plain ? strings_.view(look_up(static_cast<uint64_t>(*id), at)) : piece;
    if (result.size() > kLongestExpansion) report_.fail(at, "function name longer than 1 MiB after expanding its ids");
  }
  if (result.size() > expansion_budget_) report_.fail(at, "names with expanded ids are too long in total");
  expansion_budget_ -= result.size();
  return result;
}

void NameTable::report_ids() const {
  report_sightings(undefined_, false);
  report_sightings(redefined_, true);
}

void NameTable::report_sightings(const Sightings& sightings, bool redefined) const {
  std::vector<std::pair<uint64_t, Sighting>> sorted(sightings.begin(), sightings.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < sorted.size(); ++i) {
    const auto& [id, sighting] = sorted[i];
    std::string text = redefined ? fmt::format("{} id ({}) redefined", kind_word(kind_), id)
                       : find(id) == kUndefined
                           ? fmt::format("{} id ({}) is never named", kind_word(kind_), id)
                           : fmt::format("{} id ({}) is used before it is named", kind_word(kind_), id);
    if (i >= kMostWarnings)
      text = fmt::format("more {} ids {}", kind_word(kind_), redefined ? "redefined" : "without a name");
    report_.warn_times(sighting.at, text, sighting.times);
  }
}

}  // namespace icount
