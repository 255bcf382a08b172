// Events of a fleet of machines are read from lines of text, summed up and written as JSON (pairs_tenth.toml).
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#ifndef LINES
#define LINES 2400
#endif

#define APART __attribute__((noinline))

namespace feed {

enum class Level { debug, info, warning, error };

struct Event {
  int second = 0;
  Level level = Level::info;
  std::string_view machine;
  std::string_view action;
  int latency = 0;
  int bytes = 0;
};

// ---- the log of the program itself -------------------------------------------------------------

/// Keeps the last lines, to be shown when something fails.
class Trace {
 public:
  APART void line(const char* format, ...) __attribute__((format(printf, 2, 3))) {
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(lines_[next_].data(), lines_[next_].size(), format, arguments);
    va_end(arguments);
    next_ = (next_ + 1) % lines_.size();
    ++written_;
  }
  long written() const { return written_; }

 private:
  std::array<std::array<char, 120>, 32> lines_{};
  std::size_t next_ = 0;
  long written_ = 0;
};

// ---- reading -----------------------------------------------------------------------------------

class Fields {
 public:
  explicit Fields(std::string_view line) : rest_(line) {}
  std::string_view next() {
    const std::size_t stop = std::min(rest_.find(' '), rest_.size());
    const std::string_view field = rest_.substr(0, stop);
    rest_.remove_prefix(std::min(stop + 1, rest_.size()));
    return field;
  }

 private:
  std::string_view rest_;
};

#ifdef BAD_THROWN
/// The number in a field; throws where there is none.
APART int number_in(std::string_view field) {
  int value = 0;
  const auto [end, failed] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (failed != std::errc() || end != field.data() + field.size()) throw std::invalid_argument("not a number: " + std::string(field));
  return value;
}
#else
/// The number in a field, if there is one.
APART std::optional<int> number_in(std::string_view field) {
  int value = 0;
  const auto [end, failed] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (failed != std::errc() || end != field.data() + field.size()) return std::nullopt;
  return value;
}
#endif

std::optional<Level> level_in(std::string_view field) {
  if (field == "INFO") return Level::info;
  if (field == "DEBUG") return Level::debug;
  if (field == "WARN") return Level::warning;
  if (field == "ERROR") return Level::error;
  return std::nullopt;
}

/// An event, unless the line is not one.
APART std::optional<Event> event_in(std::string_view line) {
  Fields fields(line);
  Event event;
#ifdef BAD_THROWN
  try {
    event.second = number_in(fields.next());
    const auto level = level_in(fields.next());
    if (!level) return std::nullopt;
    event.level = *level;
    event.machine = fields.next();
    event.action = fields.next();
    event.latency = number_in(fields.next());
    event.bytes = number_in(fields.next());
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
#else
  const auto second = number_in(fields.next());
  const auto level = level_in(fields.next());
  if (!second || !level) return std::nullopt;
  event.second = *second;
  event.level = *level;
  event.machine = fields.next();
  event.action = fields.next();
  const auto latency = number_in(fields.next());
  const auto bytes = number_in(fields.next());
  if (!latency || !bytes) return std::nullopt;
  event.latency = *latency;
  event.bytes = *bytes;
#endif
  return event;
}

// ---- sums --------------------------------------------------------------------------------------

struct Machine {
  long bytes = 0;
  int events = 0, errors = 0;
  std::vector<int> latencies;
};

#ifdef TWO_CHANGES
using Machines = std::unordered_map<std::string_view, Machine>;
#else
using Machines = std::map<std::string_view, Machine>;
#endif

class Summary {
 public:
  APART void add(const Event& event) {
    Machine& machine = machines_[event.machine];
    machine.bytes += event.bytes;
    ++machine.events;
    if (event.level == Level::error) ++machine.errors;
    machine.latencies.push_back(event.latency);
#ifdef LOGGED_EACH
    trace_.line("%d: %.*s did %.*s in %d ms", event.second, static_cast<int>(event.machine.size()), event.machine.data(), static_cast<int>(event.action.size()), event.action.data(), event.latency);
#endif
  }
  Machines& machines() { return machines_; }
  Trace& trace() { return trace_; }

 private:
  Machines machines_;
  Trace trace_;
};

APART int percentile(std::vector<int>& values, int percent) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() * percent / 100];
}

// ---- writing -----------------------------------------------------------------------------------

/// A text in quotes, with what must be escaped.
APART void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

APART void append_member(std::string& out, std::string_view name, long value) {
#ifdef TWO_CHANGES
  out = out + ", \"" + std::string(name) + "\": " + std::to_string(value);
#else
  std::array<char, 24> digits;
  const auto [end, failed] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  static_cast<void>(failed);
  out += ", \"";
  out += name;
  out += "\": ";
  out.append(digits.data(), end);
#endif
}

APART std::string report_of(Summary& summary) {
  std::vector<std::string_view> names;
  for (const auto& [name, machine] : summary.machines()) names.push_back(name);
  std::sort(names.begin(), names.end());
  std::string out = "[";
  for (const std::string_view name : names) {
    Machine& machine = summary.machines()[name];
    out += out.size() > 1 ? ",\n{\"machine\": " : "\n{\"machine\": ";
    append_quoted(out, name);
    append_member(out, "events", machine.events);
    append_member(out, "errors", machine.errors);
    append_member(out, "bytes", machine.bytes);
    append_member(out, "median", percentile(machine.latencies, 50));
    append_member(out, "slowest", percentile(machine.latencies, 95));
    out += '}';
  }
  out += "\n]\n";
  return out;
}

// ---- lines to read -----------------------------------------------------------------------------

std::vector<std::string> lines_of_a_day() {
  static const char* const actions[] = {"upload", "download", "rename", "list", "verify"};
  static const char* const levels[] = {"INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"};
  std::vector<std::string> lines;
  lines.reserve(LINES);
  std::uint32_t state = 17;
  for (int i = 0; i < LINES; ++i) {
    state = state * 1664525u + 1013904223u;
    std::string line = std::to_string(i * 3) + ' ' + levels[(state >> 12) % 6] + " machine-" + std::to_string((state >> 16) % 40) + '/' + "rack" + std::to_string((state >> 8) % 4) + ' ' + actions[(state >> 20) % 5] + ' ';
    line += i % 12 == 5 ? "unknown" : std::to_string((state >> 10) % 900);
    line += ' ' + std::to_string((state >> 6) % 100000);
    lines.push_back(std::move(line));
  }
  return lines;
}

APART std::size_t work_of_a_day() {
  const std::vector<std::string> lines = lines_of_a_day();
  Summary summary;
  int refused = 0;
  for (const std::string& line : lines) {
    if (const auto event = event_in(line)) summary.add(*event);
    else ++refused;
  }
  const std::string report = report_of(summary);
  return report.size() + static_cast<std::size_t>(refused) + static_cast<std::size_t>(summary.trace().written());
}

}  // namespace feed

int main() {
  std::printf("%zu\n", feed::work_of_a_day());
  return 0;
}
