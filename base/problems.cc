#include "icount/base/problems.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/error.h"

namespace icount {

std::string to_text(const Place& place) {
  if (place.file.empty() || place.line <= 0) return place.file;
  if (place.column <= 0) return fmt::format("{}:{}", place.file, place.line);
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

void Problems::add(const Place& place, std::string_view text) { lines_.push_back({place, std::string(text)}); }

std::vector<std::string> Problems::lines() const {
  // Checks run kind by kind; a reader goes through the file from top to bottom. Files stay in the order they were met.
  std::vector<std::string_view> files;
  for (const Line& line : lines_) {
    if (std::find(files.begin(), files.end(), line.place.file) == files.end()) files.push_back(line.place.file);
  }
  auto rank = [&](const Line& line) { return std::find(files.begin(), files.end(), line.place.file) - files.begin(); };
  std::vector<const Line*> order;
  for (const Line& line : lines_) order.push_back(&line);
  std::stable_sort(order.begin(), order.end(), [&](const Line* a, const Line* b) {
    if (rank(*a) != rank(*b)) return rank(*a) < rank(*b);
    if (a->place.line != b->place.line) return a->place.line < b->place.line;
    return a->place.column < b->place.column;
  });
  std::vector<std::string> texts;
  for (const Line* line : order) {
    std::string place = to_text(line->place);
    std::string text = place.empty() ? line->text : place + ": " + line->text;
    if (texts.empty() || texts.back() != text) texts.push_back(std::move(text));
  }
  return texts;
}

void Problems::throw_if_any(std::string_view what) const {
  if (lines_.empty()) return;
  std::vector<std::string> texts = lines();
  if (texts.size() == 1) throw Error(ErrorKind::kMalformed, texts.front());
  throw Error(ErrorKind::kMalformed, fmt::format("{} problems in {}:\n{}", texts.size(), what, fmt::join(texts, "\n")));
}

}  // namespace icount
