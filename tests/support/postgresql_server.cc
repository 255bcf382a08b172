#include "support/postgresql_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "icount/base/error.h"
#include "icount/store/database.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// The folder of the newest server's programs; empty without one.
fs::path programs() {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", ignored))
    if (fs::exists(entry.path() / "bin" / "initdb")) found.push_back(entry.path() / "bin");
  return found.empty() ? fs::path() : *std::max_element(found.begin(), found.end());
}

/// The server refuses to run as root; Debian's package brings a user for it.
const passwd* server_user() { return ::geteuid() == 0 ? ::getpwnam("postgres") : nullptr; }

pid_t start_process(const std::vector<std::string>& argv, const fs::path& log) {
  const passwd* user = server_user();
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  if (user && (::setgroups(0, nullptr) != 0 || ::setgid(user->pw_gid) != 0 || ::setuid(user->pw_uid) != 0))
    ::_exit(126);
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);  // after the change of user, which clears it
  const int fd = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::dup2(fd, 1);
  ::dup2(fd, 2);
  std::vector<char*> arguments;
  for (const std::string& word : argv) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  if (::chdir("/") != 0) ::_exit(126);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

int free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ::bind(fd, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(fd);
  return ntohs(address.sin_port);
}

}  // namespace

std::string PostgresqlServer::missing() {
  if (programs().empty()) return "no PostgreSQL server on this machine (apt-get install postgresql)";
  if (::geteuid() == 0 && !server_user()) return "PostgreSQL does not run as root, and there is no user 'postgres'";
  return "";
}

PostgresqlServer& PostgresqlServer::shared() {
  static PostgresqlServer server;
  return server;
}

PostgresqlServer::PostgresqlServer() : dir_("icount-pg") {
  if (const passwd* user = server_user())
    if (::chown(dir_.path().c_str(), user->pw_uid, user->pw_gid) != 0)
      throw std::runtime_error("chown of the server's folder failed");
  const pid_t initdb = start_process({(programs() / "initdb").string(), "-D", (dir_.path() / "data").string(), "-A",
                                      "trust", "-U", "icount", "-E", "UTF8", "--locale=C", "--no-sync"},
                                     dir_.path() / "initdb.log");
  int status = -1;
  ::waitpid(initdb, &status, 0);
  if (status != 0) throw std::runtime_error("initdb failed");
  start();
}

void PostgresqlServer::start() {
  port_ = free_port();
  pid_ = start_process(
      {(programs() / "postgres").string(), "-D", (dir_.path() / "data").string(), "-p", std::to_string(port_), "-k",
       dir_.path().string(), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "shared_buffers=16MB"},
      dir_.path() / "server.log");
  for (int tries = 0; tries < 300; ++tries) {
    try {
      Database(parse_store_url(url("postgres", port_)), {});
      return;
    } catch (const Error&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  throw std::runtime_error("the PostgreSQL server did not start");
}

PostgresqlServer::~PostgresqlServer() {
  ::kill(pid_, SIGINT);  // "fast" shutdown
  ::waitpid(pid_, nullptr, 0);
}

std::string PostgresqlServer::url(const std::string& database, int port) const {
  return "postgresql://icount@127.0.0.1:" + std::to_string(port) + "/" + database;
}

std::string PostgresqlServer::new_database() {
  const std::string name = "history_" + std::to_string(++databases_);
  Database(parse_store_url(url("postgres", port_)), {}).execute("CREATE DATABASE " + name);
  return url(name, port_);
}

std::string PostgresqlServer::dead_url() const { return url("postgres", free_port()); }

}  // namespace icount
