#include "icount/base/toml_value.h"

#include <toml++/toml.h>

#include <algorithm>
#include <new>

#include "icount/base/text.h"

namespace icount {
namespace {

/// Converts toml++ nodes; holds what every place needs.
class Converter {
 public:
  Converter(std::string_view text, const std::string& name) : lines_(split(text, '\n')), name_(name) {}

  TomlValue convert(const toml::node& node) const {
    TomlValue value;
    value.place = place(node.source());
    if (const auto* table = node.as_table()) {
      convert_table(*table, value);
    } else if (const auto* array = node.as_array()) {
      value.kind = TomlValue::Kind::kArray;
      for (const toml::node& item : *array) value.items.push_back(convert(item));
    } else {
      convert_plain(node, value);
    }
    return value;
  }

 private:
  Place place(const toml::source_region& region) const {
    return {name_, static_cast<int64_t>(region.begin.line), static_cast<int64_t>(region.begin.column)};
  }

  void convert_table(const toml::table& table, TomlValue& value) const {
    value.kind = TomlValue::Kind::kTable;
    for (const auto& [key, node] : table)
      value.fields.push_back({std::string(key.str()), place(key.source()), convert(node)});
    std::stable_sort(value.fields.begin(), value.fields.end(), [](const TomlField& a, const TomlField& b) {
      if (a.place.line != b.place.line) return a.place.line < b.place.line;
      return a.place.column < b.place.column;
    });
  }

  void convert_plain(const toml::node& node, TomlValue& value) const {
    if (const auto* text = node.as_string()) {
      value.kind = TomlValue::Kind::kString;
      value.text = text->get();
      value.text_line = first_text_line(value.place);
    } else if (const auto* integer = node.as_integer()) {
      value.kind = TomlValue::Kind::kInteger;
      value.integer = integer->get();
    } else if (const auto* number = node.as_floating_point()) {
      value.kind = TomlValue::Kind::kNumber;
      value.number = number->get();
    } else if (const auto* boolean = node.as_boolean()) {
      value.kind = TomlValue::Kind::kBool;
      value.boolean = boolean->get();
    }
  }

  /// A literal block ('''...''') has one line per line of the file; a line break right after its quotes is not text.
  int64_t first_text_line(const Place& place) const {
    size_t row = static_cast<size_t>(place.line) - 1;
    if (place.line < 1 || row >= lines_.size()) return 0;
    std::string_view rest = lines_[row].substr(std::min(lines_[row].size(), static_cast<size_t>(place.column) - 1));
    if (!rest.starts_with("'''")) return 0;
    return trim(rest) == "'''" ? place.line + 1 : place.line;
  }

  std::vector<std::string_view> lines_;
  const std::string& name_;
};

/// Walks over TOML without understanding it: where keys are, how many dots they have, how deep tables are in each
/// other. The library goes down every part of a key, and of the tables around it, by recursion: a key of sixty
/// kilobytes ends the stack.
class DeepKeys {
 public:
  explicit DeepKeys(std::string_view text) : text_(text) {}

  /// The first line with more parts, those of the tables around it included, than anybody writes; 0: there is none.
  int64_t find() {
    while (at_ < text_.size() && !broken_) {
      step(text_[at_]);
      if (outer_ + dots_ <= kMostParts) continue;
      const std::string_view before = text_.substr(0, at_ - 1);
      return 1 + std::count(before.begin(), before.end(), '\n');
    }
    return 0;
  }

 private:
  static constexpr size_t kMostParts = 100;

  void step(char c) {
    if (c == '"' || c == '\'') return skip_string(c);
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      return;
    }
    if (c == '{' || c == '[') {
      around_.push_back(dots_);
      outer_ += dots_;
      begin_key();
    } else if (c == '}' || c == ']') {
      if (!around_.empty()) {
        outer_ -= around_.back();
        around_.pop_back();
      }
      begin_key();
    } else if (c == ',' || c == '\n') {
      begin_key();
    } else if (c == '=') {
      in_key_ = false;
    } else if (c == '.' && in_key_) {
      ++dots_;
    }
    ++at_;
  }

  void begin_key() {
    dots_ = 0;
    in_key_ = true;
  }

  /// Goes behind the string that begins here. One without an end is the library's to complain of.
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool has_lines = text_.substr(at_).starts_with(three);
    const size_t width = has_lines ? 3 : 1;
    for (at_ += width; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\\' && quote == '"') {
        ++at_;
      } else if (!has_lines && c == '\n') {
        break;
      } else if (text_.substr(at_).starts_with(std::string_view(three).substr(0, width))) {
        at_ += width;
        for (int more = 0; has_lines && more < 2 && at_ < text_.size() && text_[at_] == quote; ++more) ++at_;
        return;
      }
    }
    broken_ = true;
  }

  std::string_view text_;
  size_t at_ = 0, dots_ = 0, outer_ = 0;
  std::vector<size_t> around_;  // dots of the keys whose tables we are in
  bool in_key_ = true, broken_ = false;
};

TomlValue empty_table() {
  TomlValue empty;
  empty.kind = TomlValue::Kind::kTable;
  return empty;
}

}  // namespace

std::string_view to_text(TomlValue::Kind kind) {
  switch (kind) {
    case TomlValue::Kind::kString:
      return "a string";
    case TomlValue::Kind::kInteger:
      return "a whole number";
    case TomlValue::Kind::kNumber:
      return "a number";
    case TomlValue::Kind::kBool:
      return "true or false";
    case TomlValue::Kind::kArray:
      return "an array";
    case TomlValue::Kind::kTable:
      return "a table";
    case TomlValue::Kind::kOther:
      break;
  }
  return "a date or time";
}

TomlValue parse_toml(std::string_view text, const std::string& name, Problems& problems) {
  if (const int64_t line = DeepKeys(text).find(); line > 0) {
    problems.add({name, line, 1}, "a key of more than 100 parts");
    return empty_table();
  }
  try {
    return Converter(text, name).convert(toml::parse(text, name));
  } catch (const toml::parse_error& error) {
    const auto& begin = error.source().begin;
    problems.add({name, static_cast<int64_t>(begin.line), static_cast<int64_t>(begin.column)}, error.description());
  } catch (const std::bad_alloc&) {  // nothing that the text is to blame for
    throw;
  } catch (const std::exception& error) {  // whatever else the library throws
    problems.add({name, 1, 1}, error.what());
  }
  return empty_table();
}

Json to_json(const TomlValue& value) {
  switch (value.kind) {
    case TomlValue::Kind::kString:
      return value.text;
    case TomlValue::Kind::kInteger:
      return value.integer;
    case TomlValue::Kind::kNumber:
      return value.number;
    case TomlValue::Kind::kBool:
      return value.boolean;
    case TomlValue::Kind::kOther:
      return nullptr;
    case TomlValue::Kind::kArray: {
      Json array = Json::array();
      for (const TomlValue& item : value.items) array.push_back(to_json(item));
      return array;
    }
    case TomlValue::Kind::kTable: {
      Json object = Json::object();
      for (const TomlField& field : value.fields) object[field.key] = to_json(field.value);
      return object;
    }
  }
  return nullptr;
}

}  // namespace icount
