#include "icount/cli/serve/http_server.h"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>

#include "icount/base/error.h"

namespace icount {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;

// A browser opens connections before it needs them; those must not stay forever.
constexpr auto kIdleTime = std::chrono::seconds(30);
constexpr auto kBetweenQuestions = std::chrono::milliseconds(250);

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decode(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      if (i + 2 >= text.size() || hex_digit(text[i + 1]) < 0 || hex_digit(text[i + 2]) < 0) return std::nullopt;
      out += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    }
  }
  return out;
}

HttpAnswer plain(int status, std::string text) { return {status, "text/plain; charset=utf-8", std::move(text) + "\n"}; }

/// One connection: a request, its answer, the end. Lives as long as something of it is under way.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, const HttpServer::Handler& handler) : stream_(std::move(socket)), handler_(handler) {}

  void start() {
    stream_.expires_after(kIdleTime);
    http::async_read(stream_, buffer_, request_, [self = shared_from_this()](beast::error_code error, size_t) {
      if (error == http::error::end_of_stream || error == beast::error::timeout) return;
      self->reply(error ? plain(400, "malformed request: " + error.message()) : self->answer());
    });
  }

 private:
  HttpAnswer answer() const {
    if (request_.method() != http::verb::get && request_.method() != http::verb::head)
      return plain(405, "only GET is answered: nothing can be changed here");
    const auto host = request_[http::field::host];
    if (!is_loopback_host({host.data(), host.size()}))
      return plain(
          403,
          "only requests to 127.0.0.1 or localhost are answered: another name in the address may be another site's");
    const auto raw = request_.target();
    const std::optional<HttpTarget> target = parse_http_target({raw.data(), raw.size()});
    if (!target) return plain(400, "the address cannot be read");
    try {
      return handler_(*target);
    } catch (const std::exception& error) {
      return plain(500, reason_of(error));
    }
  }

  void reply(HttpAnswer answer) {
    response_.result(static_cast<unsigned>(answer.status));
    response_.version(11);
    response_.keep_alive(false);
    response_.set(http::field::content_type, answer.content_type);
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    if (answer.status == 405) response_.set(http::field::allow, "GET, HEAD");
    const size_t length = answer.body.size();
    if (request_.method() != http::verb::head) response_.body() = std::move(answer.body);
    response_.content_length(length);
    stream_.expires_after(kIdleTime);
    http::async_write(stream_, response_, [self = shared_from_this()](beast::error_code, size_t) {
      beast::error_code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  beast::tcp_stream stream_;
  const HttpServer::Handler& handler_;
  beast::flat_buffer buffer_{16384};
  http::request<http::empty_body> request_;
  http::response<http::string_body> response_;
};

}  // namespace

std::optional<HttpTarget> parse_http_target(std::string_view target) {
  if (target.empty() || target[0] != '/') return std::nullopt;
  const size_t question = target.find('?');
  const auto path = decode(target.substr(0, question));
  if (!path) return std::nullopt;
  HttpTarget out{*path, {}};
  std::string_view rest = question == std::string_view::npos ? "" : target.substr(question + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const size_t equals = pair.find('=');
    const auto name = decode(pair.substr(0, equals));
    const auto value = decode(equals == std::string_view::npos ? "" : pair.substr(equals + 1));
    if (!name || !value) return std::nullopt;
    out.query.try_emplace(*name, *value);
  }
  return out;
}

std::string escape_for_query(std::string_view text) {
  std::string out;
  for (char c : text) {
    const bool plain_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                              std::string_view("-._~").find(c) != std::string_view::npos;
    if (plain_letter)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

bool is_loopback_host(std::string_view host) {
  const size_t colon = host.rfind(':');
  const std::string_view name = host.substr(0, colon);
  return name == "127.0.0.1" || name == "localhost";
}

struct HttpServer::Implementation {
  asio::io_context io;
  tcp::acceptor acceptor{io};
  Handler handler;

  void accept() {
    acceptor.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (!error) std::make_shared<Session>(std::move(socket), handler)->start();
      accept();
    });
  }
};

HttpServer::HttpServer(uint16_t port, Handler handler) : implementation_(std::make_unique<Implementation>()) {
  implementation_->handler = std::move(handler);
  tcp::acceptor& acceptor = implementation_->acceptor;
  try {
    const tcp::endpoint place(asio::ip::address_v4::loopback(), port);
    acceptor.open(place.protocol());
    acceptor.set_option(tcp::acceptor::reuse_address(true));
    acceptor.bind(place);
    acceptor.listen();
  } catch (const boost::system::system_error& error) {
    throw Error(ErrorKind::kIo,
                fmt::format("cannot listen on 127.0.0.1:{}: {}; choose another --port, or leave it out for a free one",
                            port, error.code().message()));
  }
  implementation_->accept();
}

HttpServer::~HttpServer() = default;

uint16_t HttpServer::port() const { return implementation_->acceptor.local_endpoint().port(); }

void HttpServer::run(const std::function<bool()>& cancelled) {
  while (!cancelled()) implementation_->io.run_for(kBetweenQuestions);
}

}  // namespace icount
