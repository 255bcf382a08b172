// The rows of a query as typed tuples: the types of the columns, and of the parameters, stand where the query is
// written. Over store/database.h's Statement.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "icount/store/database.h"

namespace icount {

/// Statement's letter for a column or parameter of type T; a column that may be NULL is an optional.
template <typename T>
constexpr char column_letter() {
  if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, std::optional<int64_t>>) return 'i';
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>>) return 'r';
  if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::optional<std::string>>) return 't';
  return '?';
}

/// Call next() until the end, or SQLite keeps its lock.
template <typename... Columns>
class Rows {
 public:
  using Row = std::tuple<Columns...>;

  /// Runs the query. `parameters` are int64_t, double or std::string, in the order of their :names.
  template <typename... Parameters>
  Rows(Database& database, std::string_view sql, const Parameters&... parameters)
      : statement_(database, sql, std::string{column_letter<Parameters>()...},
                   std::string{column_letter<Columns>()...}) {
    static_assert(((column_letter<Columns>() != '?') && ...) && ((column_letter<Parameters>() != '?') && ...));
    [[maybe_unused]] size_t place = 0;
    (statement_.set(place++, parameters), ...);
    statement_.run();
  }

  /// nullopt at the end.
  std::optional<Row> next() {
    if (!statement_.next()) return std::nullopt;
    return read(std::index_sequence_for<Columns...>());
  }

 private:
  template <size_t... I>
  Row read(std::index_sequence<I...> /*places*/) const {
    return Row(column<Columns>(I)...);
  }

  template <typename T>
  T column(size_t place) const {
    if constexpr (std::is_same_v<T, int64_t>)
      return statement_.integer(place);
    else if constexpr (std::is_same_v<T, double>)
      return statement_.real(place);
    else if constexpr (std::is_same_v<T, std::string>)
      return statement_.text(place);
    else
      return statement_.is_null(place) ? std::nullopt : T(column<typename T::value_type>(place));
  }

  Statement statement_;
};

}  // namespace icount
