// Reads the fields of one TOML table into C++ values and says everything that is wrong with them: wrong types, missing
// fields, fields that nobody knows (with the known name they resemble). Used by suite/definition_file.cc.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/decimal.h"
#include "icount/base/toml_value.h"

namespace icount {

/// Reads one table; each getter marks its field as known, finish() reports the others.
class TableReader {
 public:
  /// `what` names the table in messages: "[[stmts]]".
  TableReader(const TomlValue& table, std::string what, Problems& problems);

  const Place& place() const { return table_.place; }
  /// The field, or nullptr when it is absent.
  const TomlValue* find(std::string_view key);
  /// The field when it has this kind; a problem and nullptr when it has another.
  const TomlValue* find(std::string_view key, TomlValue::Kind kind);

  std::string text(std::string_view key);
  std::string required_text(std::string_view key);
  bool flag(std::string_view key, bool otherwise = false);
  std::optional<int64_t> integer(std::string_view key, int64_t at_least,
                                 int64_t at_most = std::numeric_limits<int64_t>::max());
  /// Seconds or the like: a whole or a broken number above 0.
  std::optional<double> positive_number(std::string_view key);
  /// Any finite number, whole or broken.
  std::optional<double> number(std::string_view key);
  /// number() as it was written, up to fifteen digits.
  std::optional<Decimal> decimal(std::string_view key);
  /// A string or an array of strings.
  std::vector<std::string> texts(std::string_view key);
  /// A whole number or an array of them; `otherwise` when absent.
  std::vector<int> integers(std::string_view key, std::vector<int> otherwise);
  /// The tables of an array of tables ([[key]]); a lone table counts as one.
  std::vector<const TomlValue*> tables(std::string_view key);

  void problem(const Place& place, std::string_view text) { problems_.add(place, text); }
  /// Reports every field that no getter asked for.
  void finish();

 private:
  void wrong_kind(const TomlField& field, std::string_view wanted);
  const TomlField* find_field(std::string_view key);

  const TomlValue& table_;
  std::string what_;
  Problems& problems_;
  std::vector<std::string> known_;
};

}  // namespace icount
