// Answers GET requests of browsers on this machine: one thread, one answer after the other, nothing but reading. HTTP
// itself is Boost.Beast's. Used by `icount serve`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace icount {

/// "/report?base=1&head=2" taken apart; texts are decoded. Of a name that is there twice, the first counts.
struct HttpTarget {
  std::string path;
  std::map<std::string, std::string, std::less<>> query;
};

/// nullopt for what is no such target: no slash in front, a broken %XX.
std::optional<HttpTarget> parse_http_target(std::string_view target);

/// `text` as a part of a query: everything but letters, digits and -._~ as %XX.
std::string escape_for_query(std::string_view text);

struct HttpAnswer {
  int status = 200;
  std::string content_type = "text/html; charset=utf-8";
  std::string body;
};

/// Whether a Host field names this machine's loopback. A page of elsewhere whose name was bound to 127.0.0.1 has
/// another one, and must not read what is served here.
bool is_loopback_host(std::string_view host);

class HttpServer {
 public:
  using Handler = std::function<HttpAnswer(const HttpTarget&)>;

  /// Listens on 127.0.0.1; port 0 takes a free one. Error{kIo} when the port is taken. An exception of the handler is
  /// answered by 500 and its text.
  HttpServer(uint16_t port, Handler handler);
  ~HttpServer();

  uint16_t port() const;
  /// Answers until `cancelled` says true; it is asked four times a second. What is no GET or HEAD is answered by 405.
  void run(const std::function<bool()>& cancelled);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace icount
