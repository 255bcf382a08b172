#include "icount/store/database.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "icount/base/file.h"
#include "icount/base/parallel.h"
#include "icount/base/text.h"
#include "icount/store/byte_stream.h"
#include "icount/store/postgresql_session.h"
#include "icount/store/postgresql_url.h"

namespace icount {

namespace {

// A limit on how long a server may leave us without an answer. Libraries that talk to servers wait for ever where the
// server's machine is up and its program is not; a thread ends the connection then, and the library reports it as lost.

/// Watches the connections that the process makes as a client from the watch's construction to settle().
class AnswerWatch {
 public:
  AnswerWatch();
  ~AnswerWatch();
  AnswerWatch(const AnswerWatch&) = delete;

  /// An answer is waited for, at most so long.
  void begin(std::chrono::milliseconds limit);
  /// It has come, or the call that waited for it failed.
  void end();
  /// The connection stands: sockets that are made later belong to others.
  void settle();
  /// Whether a connection was ended.
  bool gave_up() const;

 private:
  void watch();
  void end_connections();

  std::set<uint64_t> others_;      ///< sockets that were there before, by inode
  std::set<uint64_t> connection_;  ///< after settle()
  bool settled_ = false, waiting_ = false, idle_ = false, leaving_ = false, gave_up_ = false;
  std::chrono::steady_clock::time_point deadline_;
  std::chrono::steady_clock::time_point next_look_;  ///< of the thread, unless it is idle
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};

/// Begins, and ends with the block that it is made in; nothing without a watch.
class WaitedFor {
 public:
  WaitedFor(std::optional<AnswerWatch>& watch, std::chrono::milliseconds limit) : watch_(watch) {
    if (watch_) watch_->begin(limit);
  }
  ~WaitedFor() {
    if (watch_) watch_->end();
  }
  WaitedFor(const WaitedFor&) = delete;

 private:
  std::optional<AnswerWatch>& watch_;
};

using Clock = std::chrono::steady_clock;

/// A stream to a server: TCP, or a socket with a name. What we have between our own processes has none.
bool is_to_server(int fd) {
  sockaddr_storage peer{};
  socklen_t length = sizeof(peer);
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &length) != 0) return false;
  if (peer.ss_family == AF_UNIX) return length > offsetof(sockaddr_un, sun_path);
  int type = 0;
  socklen_t size = sizeof(type);
  return (peer.ss_family == AF_INET || peer.ss_family == AF_INET6) &&
         ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

/// Inode and descriptor of each.
std::map<uint64_t, int> connected_sockets() {
  std::map<uint64_t, int> sockets;
  for (const std::filesystem::path& entry : folder_entries("/proc/self/fd")) {
    const int fd = static_cast<int>(parse_int64(entry.filename().string()).value_or(-1));
    struct stat about {};
    if (::fstat(fd, &about) == 0 && S_ISSOCK(about.st_mode) && is_to_server(fd)) sockets.emplace(about.st_ino, fd);
  }
  return sockets;
}

AnswerWatch::AnswerWatch() {
  for (const auto& [inode, fd] : connected_sockets()) others_.insert(inode);
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // an interrupt is the other threads' business
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error& error) {
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw Error(ErrorKind::kIo, fmt::format("cannot start the thread that watches the store's server: {}",
                                            errno_text(error.code().value())));
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

AnswerWatch::~AnswerWatch() {
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void AnswerWatch::begin(std::chrono::milliseconds limit) {
  const std::lock_guard lock(mutex_);
  deadline_ = Clock::now() + limit;
  waiting_ = true;
  if (idle_ || deadline_ < next_look_) changed_.notify_one();  // else it looks early enough: statements are many
}

void AnswerWatch::end() {
  const std::lock_guard lock(mutex_);
  waiting_ = false;
}

void AnswerWatch::settle() {
  const std::lock_guard lock(mutex_);
  settled_ = true;
  for (const auto& [inode, fd] : connected_sockets())
    if (!others_.contains(inode)) connection_.insert(inode);
}

bool AnswerWatch::gave_up() const {
  const std::lock_guard lock(mutex_);
  return gave_up_;
}

void AnswerWatch::watch() {
  constexpr std::chrono::milliseconds kAgain(50);  // a library that is still connecting tries its next address
  std::unique_lock lock(mutex_);
  while (!leaving_) {
    if (!waiting_) {
      idle_ = true;
      wait_on(changed_, lock);
      idle_ = false;
    } else if (next_look_ = deadline_; Clock::now() < deadline_) {
      changed_.wait_until(lock, deadline_);
    } else {
      gave_up_ = true;
      ignore_failures([&] { end_connections(); });  // no memory for the list: again in a moment
      changed_.wait_for(lock, kAgain);
    }
  }
}

void AnswerWatch::end_connections() {
  for (const auto& [inode, fd] : connected_sockets())
    if (settled_ ? connection_.contains(inode) : !others_.contains(inode)) ::shutdown(fd, SHUT_RDWR);
}

}  // namespace

struct Database::Session {
  std::chrono::milliseconds answer_limit;
  std::optional<AnswerWatch> watch;  ///< PostgreSQL's; outlives `sql`
  soci::session sql;
  bool in_transaction = false;
};

namespace {

/// Everyone who writes a history into PostgreSQL holds this advisory lock; the number says "icount" in ASCII.
constexpr int64_t kWriterLock = 0x69636f756e74;

/// What the server is asked, for a message: "SELECT".
std::string_view first_word(std::string_view sql) { return sql.substr(0, sql.find(' ')); }

/// The failure that is being handled, which came of asking a server for `asked`, or SQLite.
[[noreturn]] void fail_translated(Database& database, std::string_view asked, std::chrono::milliseconds limit) {
  const DatabaseFailure failure = current_database_failure();
  const auto& watch = database.session().watch;
  if (watch && watch->gave_up())
    database.fail(ErrorKind::kIo,
                  fmt::format("no answer to {} from the server within {:g} s, so the connection was ended; the server "
                              "may be frozen, overloaded or cut off. Check it and try again; `icount store runs` then "
                              "shows whether a run that was being written is there. Where a statement needs longer, "
                              "give the store's URL another limit: {}=SECONDS among its parameters",
                              asked, std::chrono::duration<double>(limit).count(), kAnswerLimitKey));
  database.fail(failure.kind, database.postgresql() ? shown_failure(database.url(), failure) : failure.what);
}

/// Runs `work`, in which a server has to answer within `limit`; whatever SOCI throws leaves as an Error that begins
/// with the store's name.
template <typename Work>
auto translated(Database& database, std::string_view asked, std::chrono::milliseconds limit, Work&& work)
    -> decltype(work()) {
  try {
    const WaitedFor answer(database.session().watch, limit);
    return work();
  } catch (...) {
    fail_translated(database, asked, limit);
  }
}

template <typename Work>
auto translated(Database& database, std::string_view asked, Work&& work) -> decltype(work()) {
  return translated(database, asked, database.session().answer_limit, std::forward<Work>(work));
}

/// A history may be anybody's file: its schema gets to run nothing (triggers, views, functions in an index), and
/// nothing that we run can damage its tables' pages. The backend is asked for its name: a dynamic_cast needs the type
/// information of its class, which SOCI's archive has and its shared library keeps to itself.
void distrust(soci::session& sql) {
  ICOUNT_CHECK(sql.get_backend_name() == "sqlite3", "an SQLite session without SQLite");
  const auto* backend = static_cast<const soci::sqlite3_session_backend*>(sql.get_backend());
  constexpr std::pair<int, int> kOptions[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                              {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                              {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                              {SQLITE_DBCONFIG_ENABLE_VIEW, 0}};
  for (const auto& [option, value] : kOptions) sqlite_api::sqlite3_db_config(backend->conn_, option, value, nullptr);
}

}  // namespace

Database::Database(const StoreUrl& url, const DatabaseOptions& options)
    : url_(url), lock_wait_s_(options.lock_wait_s), session_(std::make_unique<Session>()) {
  session_->answer_limit = options.answer_wait;
  if (url_.answer_limit) session_->answer_limit = *url_.answer_limit;
  if (!url_.postgresql) {
    std::error_code failure;
    if (!std::filesystem::exists(url_.path, failure) && !options.create)
      fail(ErrorKind::kIo, "there is no history; `icount store import` makes one");
    if (std::filesystem::is_directory(url_.path, failure)) fail(ErrorKind::kIo, "is a folder, not a history");
    if (options.create && url_.path.has_parent_path()) {
      const std::filesystem::path folder = url_.path.parent_path();
      const bool is_new = std::filesystem::create_directories(folder, failure);
      if (failure) fail(ErrorKind::kIo, fmt::format("its folder cannot be made: {}", failure.message()));
      if (is_new && folder.filename() == ".icount") save_file(folder / ".gitignore", "*\n");  // no source of the user's
    }
  }
  if (url_.postgresql)
    connect();
  else
    open_file();
}

void Database::connect() {
  session_->watch.emplace();
  translated(*this, "the login", opening_limit(url_.connection, session_->answer_limit),
             [&] { open_postgresql(session_->sql, *this); });
  session_->watch->settle();
  execute("SET client_min_messages TO error");
}

void Database::open_file() {
  translated(*this, {}, [&] {
    session_->sql.open(soci::sqlite3,
                       fmt::format("dbname=\"{}\" timeout={}", url_.path.string(), std::max(lock_wait_s_, 1)));
    distrust(session_->sql);
    execute("PRAGMA cache_size = -32768");
    execute("PRAGMA cell_size_check = ON");
    // The journal's end is synced with its folder: what was said to be in is in.
    execute("PRAGMA synchronous = EXTRA");
  });
}

Database::~Database() = default;

void Database::execute(std::string_view sql) {
  translated(*this, first_word(sql), [&] { session_->sql << std::string(sql); });
}

std::optional<int64_t> Database::integer(std::string_view sql) {
  Statement statement(*this, sql, "", "i");
  statement.run();
  std::optional<int64_t> value;
  while (statement.next())
    if (!value) value = statement.optional_integer(0);
  return value;
}

void Database::fail(ErrorKind kind, std::string_view what) const {
  throw Error(kind, fmt::format("{}: {}", url_.text, what));
}

struct Statement::Implementation {
  /// Room for one parameter or column; SOCI keeps its address.
  struct Slot {
    char kind;
    long long integer = 0;
    double real = 0;
    std::string text;
    soci::indicator state = soci::i_ok;
  };

  Implementation(Database& d, std::string_view sql) : database(d), asked(first_word(sql)), statement(d.session().sql) {}

  // into() and use() are called inside exchange(): what they return refers to temporaries of the call.
  void bind_column(Slot& slot) {
    if (slot.kind == 'i')
      statement.exchange(soci::into(slot.integer, slot.state));
    else if (slot.kind == 'r')
      statement.exchange(soci::into(slot.real, slot.state));
    else
      statement.exchange(soci::into(slot.text, slot.state));
  }
  void bind_parameter(Slot& slot) {
    if (slot.kind == 'i')
      statement.exchange(soci::use(slot.integer, slot.state));
    else if (slot.kind == 'r')
      statement.exchange(soci::use(slot.real, slot.state));
    else
      statement.exchange(soci::use(slot.text, slot.state));
  }

  Database& database;
  std::string asked;  ///< for messages
  soci::statement statement;
  std::deque<Slot> parameters, columns;
};

Statement::Statement(Database& database, std::string_view sql, std::string_view parameters, std::string_view columns)
    : implementation_(std::make_unique<Implementation>(database, sql)) {
  Implementation& it = *implementation_;
  for (const char kind : parameters) it.parameters.push_back({.kind = kind});
  for (const char kind : columns) it.columns.push_back({.kind = kind});
  std::string text(sql);
  for (size_t at; (at = text.find("BYTES(")) != std::string::npos;) {
    const size_t close = text.find(')', at);
    const std::string name = text.substr(at + 6, close - at - 6);
    text.replace(at, close + 1 - at, database.postgresql() ? name : fmt::format("CAST({} AS BLOB)", name));
  }
  translated(database, it.asked, [&] {
    it.statement.alloc();
    it.statement.prepare(text);
    for (auto& slot : it.columns) it.bind_column(slot);
    for (auto& slot : it.parameters) it.bind_parameter(slot);
    it.statement.define_and_bind();
  });
}

Statement::~Statement() {
  if (!implementation_) return;
  const WaitedFor answer(implementation_->database.session().watch, implementation_->database.session().answer_limit);
  implementation_.reset();  // the server is told
}
Statement::Statement(Statement&&) noexcept = default;

Statement& Statement::set(size_t parameter, int64_t value) {
  auto& slot = implementation_->parameters[parameter];
  ICOUNT_CHECK(slot.kind == 'i', "parameter is not a whole number");
  slot.integer = value;
  slot.state = soci::i_ok;
  return *this;
}

Statement& Statement::set(size_t parameter, double value) {
  auto& slot = implementation_->parameters[parameter];
  ICOUNT_CHECK(slot.kind == 'r', "parameter is not a real number");
  slot.real = value;
  slot.state = soci::i_ok;
  return *this;
}

Statement& Statement::set(size_t parameter, std::string_view value) {
  auto& slot = implementation_->parameters[parameter];
  ICOUNT_CHECK(slot.kind == 't' || slot.kind == 'b', "parameter is neither text nor bytes");
  slot.text = slot.kind == 'b' && implementation_->database.postgresql() ? to_hex_bytes(value) : std::string(value);
  slot.state = soci::i_ok;
  return *this;
}

Statement& Statement::set_null(size_t parameter) {
  implementation_->parameters[parameter].state = soci::i_null;
  return *this;
}

void Statement::run() {
  Implementation& it = *implementation_;
  translated(it.database, it.asked, [&] { it.statement.execute(it.columns.empty()); });
}

bool Statement::next() {
  Implementation& it = *implementation_;
  return translated(it.database, it.asked, [&] {
    if (!it.statement.fetch()) return false;
    if (it.database.postgresql())
      for (auto& slot : it.columns)
        if (slot.kind == 'b' && slot.state == soci::i_ok) slot.text = from_hex_bytes(slot.text);
    return true;
  });
}

bool Statement::is_null(size_t column) const { return implementation_->columns[column].state == soci::i_null; }
int64_t Statement::integer(size_t column) const { return implementation_->columns[column].integer; }
double Statement::real(size_t column) const { return implementation_->columns[column].real; }
const std::string& Statement::text(size_t column) const { return implementation_->columns[column].text; }

Transaction::Transaction(Database& database, Kind kind) : database_(database) {
  bool& in_transaction = database.session().in_transaction;
  if (in_transaction) {
    ICOUNT_CHECK(kind == Kind::kRead, "a transaction that writes inside another one");
    open_ = false;
    return;
  }
  if (!database.postgresql()) {
    database.execute(kind == Kind::kWrite ? "BEGIN IMMEDIATE" : "BEGIN");
  } else {
    database.execute(kind == Kind::kWrite ? "BEGIN" : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    if (kind == Kind::kWrite) wait_for_writers();
  }
  in_transaction = true;
}

void Transaction::wait_for_writers() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point deadline = Clock::now() + std::chrono::seconds(database_.lock_wait_s());
  while (database_.integer(fmt::format("SELECT CAST(pg_try_advisory_xact_lock({}) AS INTEGER)", kWriterLock)) != 1) {
    if (Clock::now() >= deadline) {
      database_.execute("ROLLBACK");
      database_.fail(ErrorKind::kIo, "another process is writing it and did not finish in time; try again");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

Transaction::~Transaction() {
  if (!open_) return;
  database_.session().in_transaction = false;
  // Where this fails, the failure that brought us here ended the transaction already, the connection is gone, or there
  // is no memory and the transaction stays open until the connection ends; each takes everything back.
  ignore_failures([&] { database_.execute("ROLLBACK"); });
}

void Transaction::commit() {
  database_.execute("COMMIT");
  database_.session().in_transaction = false;
  open_ = false;
}

}  // namespace icount
