// Rows of runs with those of their commits, compared with their seals. Tables of version 1 have none: their rows are
// taken as they are until somebody writes. Used by store/history.cc, store/run_table.cc and store/history_schema.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "icount/store/database.h"
#include "icount/store/history.h"

namespace icount {

// What rows that select runs are compared with: a hash over a run's row, and one over its commit's, written with them.
// A run's identity covers its results; branch, name, times, parents and subject are covered by these.

/// Of everything in RunInfo but its damage, the commit by its hash, and of the run's identity.
std::string run_seal(const RunInfo& run, std::string_view identity);

// The rows of a query as typed tuples: the types of the columns, and of the parameters, stand where the query is
// written. Over store/database.h's Statement.

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

struct RunRow {
  RunInfo info;
  std::string identity;
};

/// All runs, in no order. `sealed`: the tables have seals.
std::vector<RunRow> read_run_rows(Database& database, bool sealed);

/// nullopt when there is no such run.
std::optional<RunRow> read_run_row(Database& database, bool sealed, int64_t run);

/// The id of a commit, added where it is not there; what an earlier import did not know of it is filled in, what it
/// knew stays. Inside a write transaction. Error{kMalformed} when its row is not the one that was stored.
int64_t add_commit_row(Database& database, const CommitInfo& commit);

/// One line for each commit of no run whose row does not fit its seal; those of runs are told with them.
std::vector<std::string> check_commit_rows(Database& database);

/// Seals all rows as they are; inside a write transaction.
void seal_all_rows(Database& database);

}  // namespace icount
