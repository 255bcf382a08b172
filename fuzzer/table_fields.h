// One table of a fuzzer's file with its place: every getter names the field and its line when something is wrong, and
// the first mistake ends the reading. Used by fuzzer/table_file.cc; suite files have a reader that collects all
// mistakes (suite/table_reader.h).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/error.h"
#include "icount/base/toml_value.h"

namespace icount {

/// A view: the table must outlive it. Whatever is wrong is an Error{kMalformed} "FILE:LINE: WHAT: ...".
class TableFields {
 public:
  /// `what` names the table in messages: "[[tensor]]".
  TableFields(const TomlValue& table, std::string what) : table_(table), what_(std::move(what)) {}

  [[noreturn]] void fail(const TomlValue& at, std::string_view text) const;
  [[noreturn]] void fail(std::string_view text) const { fail(table_, text); }
  /// Fails at the first field that is none of these.
  void allow_only(std::initializer_list<std::string_view> known) const;

  /// nullptr when there is none.
  const TomlValue* find(std::string_view key) const;
  const TomlValue& get(std::string_view key) const;

  std::string text(std::string_view key) const { return text(get(key), key); }
  std::string text(const TomlValue& value, std::string_view key) const;
  std::string text_or(std::string_view key, std::string otherwise) const {
    return find(key) ? text(key) : std::move(otherwise);
  }
  int64_t integer(std::string_view key) const;
  std::optional<int64_t> optional_integer(std::string_view key) const {
    return find(key) ? std::optional(integer(key)) : std::nullopt;
  }
  /// False when absent.
  bool flag(std::string_view key) const;
  /// Whole numbers are numbers, too, as long as a double holds them.
  double number(const TomlValue& value, std::string_view key) const;
  const std::vector<TomlValue>& list(std::string_view key) const;
  std::vector<std::string> texts(std::string_view key) const;

  /// Runs `work`; an Error that leaves it gets this table's place.
  template <typename Work>
  auto at_place(Work&& work) const {
    try {
      return work();
    } catch (const Error& error) {
      fail_at_table(error.what());
    }
  }

 private:
  [[noreturn]] void fail_at_table(std::string_view text) const;

  const TomlValue& table_;
  std::string what_;
};

}  // namespace icount
