#include "icount/store/postgresql_url.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/base/text_encodings.h"

namespace icount {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kNumerals = "0123456789";

/// The rest is hidden: which of its characters are the password's can't be told.
[[noreturn]] void refuse_url(std::string_view why) {
  throw Error(
      ErrorKind::kUsage,
      fmt::format("store postgresql://***: {}; in a URL each of the characters @ : / ? # % & ; = and a blank of a "
                  "name or password is written %40, %3A, %2F, %3F, %23, %25, %26, %3B, %3D, %20",
                  why));
}

bool consists_of(std::string_view text, std::initializer_list<std::string_view> sets) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return std::any_of(sets.begin(), sets.end(), [&](std::string_view set) { return set.find(c) != set.npos; });
  });
}

/// Says nothing beyond itself: a name, a number.
bool is_plain(std::string_view text) { return consists_of(text, {kLetters, kNumerals, "._-"}); }

/// nullopt for what is not percent-encoded, holds a character that means something in a URL (other than those of
/// `more`), or an encoded zero byte, which libpq refuses and quotes.
std::optional<std::string> decode(std::string_view text, std::string_view more = {}) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool beyond_ascii = static_cast<unsigned char>(text[i]) >= 0x80;
    if (beyond_ascii || consists_of(text.substr(i, 1), {kLetters, kNumerals, "._-+~$!*'(),", more})) {
      decoded += text[i];
      continue;
    }
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_value(text[i + 2]) : -1;
    if (low < 0 || high + low == 0) return std::nullopt;
    decoded += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return decoded;
}

/// One address while it is read, from left to right.
class UrlReader {
 public:
  explicit UrlReader(std::string_view scheme) { url_.shown = scheme; }
  /// `before`: the URL up to its parameters.
  PostgresqlUrl take(std::string_view before) {
    url_.connection = fmt::format("{}{}", before, for_libpq_);
    return std::move(url_);
  }

  void login(std::string_view text) {
    const size_t colon = std::min(text.find(':'), text.size());
    const auto user = decode(text.substr(0, colon));
    const auto password = decode(text.substr(std::min(colon + 1, text.size())), "&;=");
    if (!user || !password) refuse_url("its user or password holds characters with a meaning in URLs");
    url_.shown += show_or_hide(text.substr(0, colon), *user, is_plain(text.substr(0, colon)));
    if (colon < text.size()) url_.shown += ":" + show_or_hide(text.substr(colon + 1), *password, false);
    url_.shown += '@';
  }

  void servers(std::string_view text) {
    std::string separator;
    for (const std::string_view server : split(text, ',')) {
      url_.shown += std::exchange(separator, ",");
      const size_t bracket = server.starts_with('[') ? server.find(']') : 0;
      if (bracket == std::string_view::npos) refuse_url("a [ of its server has no ]");
      const size_t colon = std::min(server.find(':', bracket), server.size());
      host(server.substr(0, colon));
      const std::string_view port = server.substr(std::min(colon + 1, server.size()));
      if (!consists_of(port, {kNumerals}) || port.size() > 5) refuse_url("its port is not a number");
      url_.shown += server.substr(colon);
    }
  }

  void database(std::string_view text) {
    const auto decoded = decode(text);
    if (!decoded)
      refuse_url("the name of its database holds characters with a meaning in URLs (parameters begin with a ?)");
    url_.shown += "/" + show_or_hide(text, *decoded, is_plain(text));
  }

  void parameters(std::string_view text) {
    char separator = '?', libpq_separator = '?';
    for (const std::string_view parameter : split(text, '&')) {
      const size_t equals = parameter.find('=');
      if (equals == 0 || equals == std::string_view::npos) refuse_url("a parameter of it is not KEY=VALUE");
      const auto key = decode(parameter.substr(0, equals));
      const auto value = decode(parameter.substr(equals + 1), "/:@[]");
      if (!key || !value) refuse_url("a parameter of it holds characters with a meaning in URLs");
      url_.shown += std::exchange(separator, '&');
      named(parameter.substr(0, equals), *key, parameter.substr(equals + 1), *value);
      if (*key == kAnswerLimitKey)
        limit_answers(*value);
      else
        (for_libpq_ += std::exchange(libpq_separator, '&')) += parameter;
    }
  }

 private:
  void limit_answers(const std::string& value) {
    constexpr int64_t kLongest = std::chrono::seconds(std::chrono::hours(24)).count();
    const int64_t seconds = parse_int64(value).value_or(0);
    if (url_.answer_limit || seconds < 1 || seconds > kLongest)
      throw Error(ErrorKind::kUsage,
                  fmt::format("store postgresql://***: its {} {}; it says how many seconds a server may take for one "
                              "statement, such as {}=600",
                              kAnswerLimitKey,
                              url_.answer_limit ? "is given twice"
                                                : fmt::format("is not a whole number from 1 to {}", kLongest),
                              kAnswerLimitKey));
    url_.answer_limit = std::chrono::seconds(seconds);
  }

  std::string show_or_hide(std::string_view written, const std::string& decoded, bool harmless) {
    if (harmless) return std::string(written);
    if (!decoded.empty()) url_.hidden.insert(url_.hidden.end(), {std::string(written), decoded});
    return "***";
  }

  /// A name, a number in brackets, or the folder of a socket, percent-encoded.
  void host(std::string_view text) {
    if (text.starts_with('[')) {
      if (!text.ends_with(']') || !consists_of(text, {"[]:.", kNumerals, "abcdefABCDEF"}))
        refuse_url("the text in [] is not a server's address");
      url_.shown += text;
      return;
    }
    const auto decoded = decode(text);
    if (!decoded) refuse_url("its server's name holds characters with a meaning in URLs");
    const bool is_folder = decoded->starts_with('/') && consists_of(*decoded, {kLetters, kNumerals, "._-/"});
    url_.shown += show_or_hide(text, *decoded, is_folder || is_plain(text));
  }

  /// Of the parameters those are shown whose key is known and whose value is of the kind that the key has.
  void named(std::string_view written_key, const std::string& key, std::string_view written, const std::string& value) {
    static constexpr std::string_view kNames[] = {"user", "dbname", "application_name"};
    static constexpr std::string_view kNumbers[] = {
        "port",          "connect_timeout", "keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count",
        kAnswerLimitKey, "tcp_user_timeout"};
    static constexpr std::string_view kModes[] = {"sslmode", "gssencmode"};
    static constexpr std::string_view kModeNames[] = {"disable", "allow",     "prefer",
                                                      "require", "verify-ca", "verify-full"};
    static constexpr std::string_view kOther[] = {"host",        "hostaddr", "password", "passfile",
                                                  "sslpassword", "sslkey",   "options"};
    const auto is_one_of = [](const auto& names, std::string_view name) {
      return std::find(std::begin(names), std::end(names), name) != std::end(names);
    };
    const bool harmless = (is_one_of(kNames, written_key) && is_plain(written)) ||
                          (is_one_of(kNumbers, written_key) && consists_of(written, {kNumerals, ","})) ||
                          (is_one_of(kModes, written_key) && is_one_of(kModeNames, written)) ||
                          (written_key == "host" && consists_of(written, {kLetters, kNumerals, "._-,/"}) &&
                           (written.starts_with('/') || written.find('/') == std::string_view::npos)) ||
                          (written_key == "hostaddr" && consists_of(written, {kNumerals, "abcdefABCDEF.:,"}));
    const bool is_known = is_one_of(kNames, written_key) || is_one_of(kNumbers, written_key) ||
                          is_one_of(kModes, written_key) || is_one_of(kOther, written_key);
    const std::string shown_key = show_or_hide(written_key, key, is_known),
                      shown = show_or_hide(written, value, harmless);
    url_.shown += is_known ? fmt::format("{}={}", shown_key, shown) : "***";
  }

  PostgresqlUrl url_;
  std::string for_libpq_;  ///< the parameters that are libpq's
};

}  // namespace

bool is_postgresql_url(std::string_view text) {
  return text.starts_with("postgresql://") || text.starts_with("postgres://");
}

PostgresqlUrl parse_postgresql_url(std::string_view url) {
  const size_t start = url.find("://") + 3;
  UrlReader reader(url.substr(0, start));
  std::string_view rest = url.substr(start);
  const size_t question = std::min(rest.find('?'), rest.size());
  const std::string_view parameters = rest.substr(question);
  rest = rest.substr(0, question);
  const size_t slash = std::min(rest.find('/'), rest.size());
  std::string_view authority = rest.substr(0, slash);
  if (parameters.find('@') != std::string_view::npos || rest.find('@', slash) != std::string_view::npos)
    refuse_url("an @ follows its server's name");
  if (const size_t at = authority.find('@'); at != std::string_view::npos) {
    if (authority.find('@', at + 1) != std::string_view::npos) refuse_url("it holds a second @");
    reader.login(authority.substr(0, at));
    authority.remove_prefix(at + 1);
  }
  reader.servers(authority);
  if (slash < rest.size()) reader.database(rest.substr(slash + 1));
  if (!parameters.empty()) reader.parameters(parameters.substr(1));
  return reader.take(url.substr(0, start + question));
}

std::string with_parameter(const std::string& url, std::string_view key, std::string_view value) {
  const size_t question = url.find('?');
  if (question == std::string::npos) return fmt::format("{}?{}={}", url, key, value);
  for (const std::string_view parameter : split(std::string_view(url).substr(question + 1), '&'))
    if (parameter.substr(0, parameter.find('=')) == key) return url;
  return fmt::format("{}&{}={}", url, key, value);
}

bool quotes_hidden(const std::vector<std::string>& hidden, std::string_view words) {
  constexpr size_t kWindow = 8;  // a server shortens names
  for (const std::string& text : hidden) {
    const size_t length = std::min(text.size(), kWindow);
    for (size_t i = 0; i + length <= text.size(); ++i)
      if (words.find(text.substr(i, length)) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace icount
