// SQLite and PostgreSQL as one: open, statements with typed parameters and columns, transactions, and every failure as
// an Error in icount's words. The only files that see SOCI are this one's .cc, postgresql_session.cc and
// database_failure.cc; store/history.h is built on it.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "icount/base/error.h"
#include "icount/store/store_url.h"

namespace icount {

struct DatabaseOptions {
  bool create = false;                                               ///< make a missing SQLite file and its folder
  int lock_wait_s = 30;                                              ///< for another process's write
  std::chrono::milliseconds answer_wait = std::chrono::seconds(60);  ///< for one statement, unless the URL has a limit
};

/// An open connection. Error{kIo} for what can't be opened, read or written, is locked or full, Error{kMalformed} for
/// damage; each begins with the store's name, and quotes nothing of a URL that its text hides.
class Database {
 public:
  Database(const StoreUrl& url, const DatabaseOptions& options);
  ~Database();
  Database(const Database&) = delete;

  const StoreUrl& url() const { return url_; }
  int lock_wait_s() const { return lock_wait_s_; }
  bool postgresql() const { return url_.postgresql; }
  /// One statement without parameters or rows.
  void execute(std::string_view sql);
  /// First column of the first row; nullopt for no row or NULL.
  std::optional<int64_t> integer(std::string_view sql);
  /// "PATH: WHAT" as an Error.
  [[noreturn]] void fail(ErrorKind kind, std::string_view what) const;

  struct Session;
  Session& session() { return *session_; }

 private:
  void connect();
  void open_file();

  StoreUrl url_;
  int lock_wait_s_;
  std::unique_ptr<Session> session_;
};

/// A prepared statement. `parameters` and `columns` have one letter each: i whole number, r real, t text, b bytes.
/// Parameters are :names in the order of their first and only occurrence; bytes are written BYTES(:name).
class Statement {
 public:
  Statement(Database& database, std::string_view sql, std::string_view parameters, std::string_view columns = {});
  ~Statement();
  Statement(Statement&&) noexcept;

  Statement& set(size_t parameter, int64_t value);
  Statement& set(size_t parameter, double value);
  Statement& set(size_t parameter, std::string_view value);
  Statement& set_null(size_t parameter);
  Statement& set(size_t parameter, const std::optional<int64_t>& value) {
    return value ? set(parameter, *value) : set_null(parameter);
  }

  /// Runs it; rows, if any, come with next().
  void run();
  /// The next row; false at the end. Read to the end, or SQLite keeps its lock.
  bool next();

  bool is_null(size_t column) const;
  int64_t integer(size_t column) const;
  double real(size_t column) const;
  /// Text or bytes.
  const std::string& text(size_t column) const;
  std::optional<int64_t> optional_integer(size_t column) const {
    return is_null(column) ? std::nullopt : std::optional(integer(column));
  }

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// From here to commit() everything or nothing; the destructor takes back what was not committed. One at a time; one
/// that reads inside another is a part of it.
class Transaction {
 public:
  enum class Kind { kRead, kWrite };
  /// kWrite waits for other writers (DatabaseOptions::lock_wait_s), then keeps them out.
  Transaction(Database& database, Kind kind);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  void commit();

 private:
  void wait_for_writers();

  Database& database_;
  bool open_ = true;
};

}  // namespace icount
