#include "icount/callgrind/parse_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <tuple>

#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {

int64_t ParseReport::line_of(const char* at) const {
  const char* const begin = text_.data();
  const char* const end = begin + text_.size();
  const bool inside = !std::less<>()(at, begin) && std::less<>()(at, end);
  return 1 + std::count(begin, inside ? at : end, '\n');
}

void ParseReport::fail(const char* at, std::string_view what) const {
  throw Error(ErrorKind::kMalformed, fmt::format("{}:{}: {}", name_, line_of(at), what));
}

void ParseReport::warn_times(const char* at, const std::string& cause, int64_t times) {
  ProfileWarning& warning = warnings_[cause];
  if (warning.line == 0) warning = {line_of(at), 0, cause};
  warning.count += times;
}

void ParseReport::count_unknown_line(const char* at, std::string_view line) {
  if (unknown_lines_++ > 0) return;
  first_unknown_ = at;
  first_unknown_text_ = quote(line);
}

std::vector<ProfileWarning> ParseReport::take_warnings() const {
  std::vector<ProfileWarning> all;
  for (const auto& [cause, warning] : warnings_) all.push_back(warning);
  if (unknown_lines_ > 0)
    all.push_back({line_of(first_unknown_), unknown_lines_,
                   fmt::format("{} lines not understood, first: {}", unknown_lines_, first_unknown_text_)});
  std::sort(all.begin(), all.end(), [](const ProfileWarning& a, const ProfileWarning& b) {
    return std::tie(a.line, a.text) < std::tie(b.line, b.text);
  });
  return all;
}

std::string ParseReport::quote(std::string_view bytes, size_t most) {
  const std::string shown = escape_for_terminal(bytes.substr(0, most));
  return bytes.size() > most ? shown + "..." : shown;
}

namespace {

/// More columns than any tool has; bounds what one short line can make us allocate.
constexpr size_t kMostEvents = 256;

struct HeaderLine {
  const char* at;
  std::string_view text;  // behind "key:", without blanks at both ends
  const ParseReport& report;
  Profile& profile;
  ProfilePart& part;

  [[noreturn]] void fail(const std::string& what) const { report.fail(at, what); }
};

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t at = 0; (at = text.find_first_not_of(" \t", at)) != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(" \t", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

/// Leading digits as a number; `missing` when there are none or too many.
int64_t leading_number(std::string_view text, int64_t missing) {
  size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  return parse_int64(text.substr(0, digits)).value_or(missing);
}

void read_version(const HeaderLine& h) {
  h.profile.version = h.text;
  const std::string_view major = h.text.substr(0, h.text.find('.'));
  const bool number = !major.empty() && std::all_of(major.begin(), major.end(), is_digit);
  if (number && leading_number(major, 2) > 1)
    h.fail(fmt::format("format version {} is not supported", ParseReport::quote(h.text)));
}

void read_creator(const HeaderLine& h) { h.profile.creator = h.text; }
void read_command(const HeaderLine& h) { h.profile.command = h.text; }
void read_pid(const HeaderLine& h) { h.profile.pid = leading_number(h.text, 0); }
void read_part(const HeaderLine& h) { h.part.number = leading_number(h.text, 0); }
void read_thread(const HeaderLine& h) { h.part.thread = leading_number(h.text, 0); }
void skip(const HeaderLine&) {}

void read_description(const HeaderLine& h) {
  constexpr std::string_view kTrigger = "Trigger:";
  constexpr std::string_view kTimerange = "Timerange: Basic block ";
  h.part.descriptions.emplace_back(h.text);
  if (h.text.starts_with(kTrigger)) h.part.trigger = trim(h.text.substr(kTrigger.size()));
  if (!h.text.starts_with(kTimerange)) return;
  const std::string_view range = h.text.substr(kTimerange.size());
  const size_t dash = range.find(" - ");
  if (dash == std::string_view::npos) return;
  h.part.first_block = leading_number(range, -1);
  h.part.last_block = leading_number(range.substr(dash + 3), -1);
}

void read_positions(const HeaderLine& h) {
  h.part.has_addresses = h.part.has_blocks = h.part.has_lines = false;
  for (const std::string_view word : split_words(h.text)) {
    if (word == "instr" || word == "addr") {
      h.part.has_addresses = true;
    } else if (word == "bb") {
      h.part.has_blocks = true;
    } else if (word == "line") {
      h.part.has_lines = true;
    } else {
      h.fail(fmt::format("unknown position '{}'", ParseReport::quote(word)));
    }
  }
  if (!h.part.has_addresses && !h.part.has_blocks) h.part.has_lines = true;
}

void read_events(const HeaderLine& h) {
  const auto words = split_words(h.text);
  if (words.empty()) h.fail("events: names no event");
  if (words.size() > kMostEvents) h.fail(fmt::format("{} events, at most {} are supported", words.size(), kMostEvents));
  h.part.events.clear();
  for (const std::string_view word : words) {
    if (std::find(h.part.events.begin(), h.part.events.end(), word) != h.part.events.end())
      h.fail(fmt::format("event '{}' appears twice", ParseReport::quote(word)));
    h.part.events.emplace_back(word);
  }
}

struct HeaderKey {
  std::string_view key;
  void (*read)(const HeaderLine&);
};

constexpr HeaderKey kHeaderKeys[] = {
    {"version:", read_version},
    {"creator:", read_creator},
    {"pid:", read_pid},
    {"cmd:", read_command},
    {"part:", read_part},
    {"thread:", read_thread},
    {"desc:", read_description},
    {"event:", skip},
    {"events:", read_events},
    {"positions:", read_positions},
    {"arch:", skip},
};

const HeaderKey* find_key(std::string_view line) {
  for (const HeaderKey& entry : kHeaderKeys)
    if (line.starts_with(entry.key)) return &entry;
  return nullptr;
}

}  // namespace

bool is_header_line(std::string_view line) { return find_key(line) != nullptr; }

bool read_header_line(std::string_view line, const ParseReport& report, Profile& profile, ProfilePart& part) {
  const HeaderKey* entry = find_key(line);
  if (!entry) return false;
  entry->read({line.data(), trim(line.substr(entry->key.size())), report, profile, part});
  return true;
}

std::vector<int64_t> read_sums(std::string_view numbers, const ParseReport& report, size_t events) {
  std::vector<int64_t> sums(events, 0);
  const auto words = split_words(numbers);
  if (words.size() > events) report.fail(numbers.data(), fmt::format("{} costs for {} events", words.size(), events));
  for (size_t e = 0; e < words.size(); ++e) {
    if (words[e] == ".") continue;
    const bool negative = words[e].starts_with('-');
    const std::string token = std::string(words[e].substr(negative ? 1 : 0)) + "\n";
    const char* p = token.data();
    uint64_t number = 0;
    const Scan scan = scan_number(p, number);
    if (scan == Scan::kTooLarge)
      report.fail(numbers.data(), fmt::format("number too large: '{}'", ParseReport::quote(words[e])));
    if (scan == Scan::kNone)
      report.fail(numbers.data(), fmt::format("not a number: '{}'", ParseReport::quote(words[e])));
    const auto held =
        static_cast<int64_t>(std::min(number, static_cast<uint64_t>(std::numeric_limits<int64_t>::max())));
    sums[e] = negative ? -held : held;
  }
  return sums;
}

}  // namespace icount
