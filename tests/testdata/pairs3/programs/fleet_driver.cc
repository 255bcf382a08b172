// Reads generated reports of vehicles, keeps them by plate and says what they did; C++20 (pairs_eighth.toml).
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numeric>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

struct Report {
  std::string plate;
  int stop = 0;
  double kilometres = 0;
};

#ifdef FIELDS_COPIED
using Field = std::string;
#else
using Field = std::string_view;
#endif

std::vector<Field> split(std::string_view line, char separator) {
  std::vector<Field> fields;
  while (true) {
    const std::size_t end = line.find(separator);
    fields.emplace_back(line.substr(0, end));
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + 1);
  }
}

bool is_plate(std::string_view text) {
  const std::size_t first = text.find('-'), second = text.rfind('-');
  if (first != 2 || second == first) return false;
  return std::ranges::all_of(text.substr(3, second - 3), [](char c) { return c >= '0' && c <= '9'; }) &&
         std::ranges::all_of(text.substr(second + 1), [](char c) { return c >= 'A' && c <= 'Z'; });
}

Report parse_report(std::string_view line) {
  const std::vector<Field> fields = split(line, ';');
  if (fields.size() != 3 || !is_plate(fields[0])) throw std::runtime_error("a line of the reports: " + std::string(line));
  Report report;
  report.plate = fields[0];
  std::from_chars(fields[1].data(), fields[1].data() + fields[1].size(), report.stop);
  std::from_chars(fields[2].data(), fields[2].data() + fields[2].size(), report.kilometres);
  return report;
}

using Index = std::unordered_map<std::string, std::vector<int>>;

#ifdef WEAK_HASH
struct PlateHash {
  std::size_t operator()(const std::string& plate) const { return static_cast<unsigned char>(plate[0]) * 31u + static_cast<unsigned char>(plate[4]); }
};
using Totals = std::unordered_map<std::string, double, PlateHash>;
#else
using Totals = std::unordered_map<std::string, double>;
#endif

Index index_by_plate(const std::vector<Report>& reports) {
  Index index;
  for (std::size_t i = 0; i < reports.size(); ++i) index[reports[i].plate].push_back(reports[i].stop);
  return index;
}

Totals totals_of(const std::vector<Report>& reports) {
  Totals totals;
  for (const Report& report : reports) totals[report.plate] += report.kilometres;
  return totals;
}

double lookup_total(const Totals& totals, const std::string& plate) {
#ifdef BY_EXCEPTION
  try {
    return totals.at(plate);
  } catch (const std::out_of_range&) {
    return 0;
  }
#else
  const auto found = totals.find(plate);
  return found == totals.end() ? 0 : found->second;
#endif
}

double sum_of_requests(const Totals& totals, const std::vector<Report>& reports) {
  double sum = 0;
  for (const Report& report : reports) {
    sum += lookup_total(totals, report.plate);
    if (report.stop % 8 == 0) sum += lookup_total(totals, "XX-" + report.plate);
  }
  return sum;
}

void append_line(std::string& out, const Report& report) {
#ifdef BY_STREAM
  std::ostringstream line;
  line << report.plate << ' ' << report.stop << '\n';
  out += line.str();
#else
  char number[16];
  const auto end = std::to_chars(number, number + sizeof number, report.stop).ptr;
  out.append(report.plate).append(1, ' ').append(number, end).append(1, '\n');
#endif
}

std::string page_of(const std::vector<Report>& reports) {
  std::string page;
  for (const Report& report : reports) append_line(page, report);
  return page;
}

double median_distance(std::vector<double> distances) {
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
#ifdef ALL_SORTED
  std::sort(distances.begin(), distances.end());
#else
  std::nth_element(distances.begin(), middle, distances.end());
#endif
  return *middle;
}

std::vector<double> distances_of(const std::vector<Report>& reports) {
  std::vector<double> distances;
  for (const Report& report : reports) distances.push_back(report.kilometres);
  return distances;
}

int toll_of(int stop) {
  int steps = 0;
  for (unsigned n = static_cast<unsigned>(stop) + 3; n != 1; ++steps) n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}

long tolls_above(const std::vector<Report>& reports, int least) {
#ifdef TRANSFORMED_FIRST
  auto tolls = reports | std::views::transform([](const Report& report) { return toll_of(report.stop); }) | std::views::filter([least](int toll) { return toll >= least; });
  long sum = 0;
  for (int toll : tolls) sum += toll;
#else
  long sum = 0;
  for (const Report& report : reports)
    if (const int toll = toll_of(report.stop); toll >= least) sum += toll;
#endif
  return sum;
}

struct Start { int stop; };
struct Drive { double kilometres; };
struct Rest { int minutes; };

#ifdef VIRTUAL_EVENTS
struct Event {
  virtual ~Event() = default;
  virtual double cost() const = 0;
};
struct StartEvent : Event {
  Start of;
  explicit StartEvent(Start start) : of(start) {}
  double cost() const override { return of.stop * 0.5; }
};
struct DriveEvent : Event {
  Drive of;
  explicit DriveEvent(Drive drive) : of(drive) {}
  double cost() const override { return of.kilometres * 1.25; }
};
struct RestEvent : Event {
  Rest of;
  explicit RestEvent(Rest rest) : of(rest) {}
  double cost() const override { return of.minutes * 0.125; }
};
std::vector<std::unique_ptr<Event>> events_of(const std::vector<Report>& reports) {
  std::vector<std::unique_ptr<Event>> events;
  for (const Report& report : reports) {
    events.push_back(std::make_unique<StartEvent>(Start{report.stop}));
    events.push_back(std::make_unique<DriveEvent>(Drive{report.kilometres}));
    events.push_back(std::make_unique<RestEvent>(Rest{report.stop % 45}));
  }
  return events;
}
double cost_of(const std::vector<std::unique_ptr<Event>>& events) {
  double sum = 0;
  for (const auto& event : events) sum += event->cost();
  return sum;
}
#else
using Event = std::variant<Start, Drive, Rest>;
struct Cost {
  double operator()(const Start& start) const { return start.stop * 0.5; }
  double operator()(const Drive& drive) const { return drive.kilometres * 1.25; }
  double operator()(const Rest& rest) const { return rest.minutes * 0.125; }
};
std::vector<Event> events_of(const std::vector<Report>& reports) {
  std::vector<Event> events;
  for (const Report& report : reports) {
    events.push_back(Start{report.stop});
    events.push_back(Drive{report.kilometres});
    events.push_back(Rest{report.stop % 45});
  }
  return events;
}
double cost_of(const std::vector<Event>& events) {
  double sum = 0;
  for (const Event& event : events) sum += std::visit(Cost{}, event);
  return sum;
}
#endif

std::vector<std::string> generated_lines(int count) {
  std::vector<std::string> lines;
  char line[128];
  for (int i = 0; i < count; ++i) {
    std::snprintf(line, sizeof line, "%c%c-%06d-REGIONALSERVICE;%d;%d.%02d", 'A' + i % 3, 'B' + i % 5, i * 37 % 900, i * 13 % 700, i * 7 % 300, i % 100);
    lines.push_back(line);
  }
  return lines;
}

#ifndef LINES
#define LINES 2500
#endif

int main() {
  std::vector<Report> reports;
  for (const std::string& line : generated_lines(LINES)) reports.push_back(parse_report(line));
  const Index index = index_by_plate(reports);
  std::size_t longest = 0;
  for (const auto& [plate, stops] : index) longest = std::max(longest, stops.size());
  const Totals totals = totals_of(reports);
  const double requests = sum_of_requests(totals, reports), median = median_distance(distances_of(reports)), cost = cost_of(events_of(reports));
  std::printf("%zu %.2f %.2f %.2f %ld %zu\n", longest, requests, median, cost, tolls_above(reports, 60), page_of(reports).size());
}
