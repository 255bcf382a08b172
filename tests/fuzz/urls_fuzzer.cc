// libFuzzer target of the addresses of stores: whatever a login or a parameter is made of, the password in it gets into
// no message and no name. Any other bytes are an address or an Error.
#include <string>

#include "fuzz/fuzz_input.h"
#include "icount/base/error.h"
#include "icount/store/store_url.h"

namespace {

using namespace icount;

constexpr auto kSchemes =
    std::to_array<std::string_view>({"postgresql://", "postgres://", "POSTGRESQL://", "posgresql://", "postgresql:/",
                                     "postgresql:", "sqlite:postgresql://", "mysql://", "https://", "postgresql;//",
                                     "psotgresql//", "pg//", "pg:", "jdbc:postgresql:", "", "sqlite:", "//"});
constexpr auto kBefore = std::to_array<std::string_view>(
    {"postgresql://", "postgresql://h/db?", "postgresql://h/db", "", "/", "./", "sqlite:", "host=h ", "h/db?", "u@h/"});
constexpr auto kWords = std::to_array<std::string_view>(
    {"u",      "host", "db", "/", "?",        "#", "&", "%40", "%", ":5432", ",", "[::1]", "=", "sslmode=require",
     "user=u", "\\",   " ",  "'", "\xc3\xa9", "*"});
constexpr auto kSecretKeys = std::to_array<std::string_view>(
    {"password=", "sslpassword=", "PASSWORD=", "pass%77ord=", "passfile=", "sslkey=", "options=", "password:",
     "password&", "password%3D", "sslmode=disable;password=", "user=u password=", "user=u%3A", "user=u:", "a=b&"});
constexpr auto kNames = std::to_array<std::string_view>({"password", "Passwd", "pwd", "my_secret", "TOKEN"});
constexpr auto kGiven = std::to_array<std::string_view>({"=", ":", " = ", "%3D", "%3a", "=%20"});
constexpr std::string_view kSecret = "SECRET";

/// What anybody gets to see of it.
std::string shown(const std::string& url) {
  try {
    return parse_store_url(url).text;
  } catch (const Error& error) {
    return error.what();
  }
}

std::string login(Recipe& recipe) {
  std::string url(kSchemes[recipe.next() % kSchemes.size()]);
  url += "u" + words_of(recipe, kWords, 2) + ":" + words_of(recipe, kWords, 2);
  url.append(kSecret) += words_of(recipe, kWords, 2) + "@host" + words_of(recipe, kWords, 5);
  return url;
}

std::string parameter(Recipe& recipe) {
  std::string url(kSchemes[recipe.next() % 2]);
  url += "host/db?" + words_of(recipe, kWords, 3) + "&";
  return url.append(kSecretKeys[recipe.next() % kSecretKeys.size()]).append(kSecret) + words_of(recipe, kWords, 4);
}

/// A value by its name, anywhere.
std::string named_value(Recipe& recipe) {
  std::string text(kBefore[recipe.next() % kBefore.size()]);
  text += words_of(recipe, kWords, 4);
  text += kNames[recipe.next() % kNames.size()];
  text += kGiven[recipe.next() % kGiven.size()];
  return text.append(kSecret) + words_of(recipe, kWords, 4);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Recipe recipe(as_text(data, size));
  const uint8_t kind = recipe.next() % 4;
  if (kind == 0) {
    accepted([&] { return parse_store_url(as_text(data, size).substr(size > 0 ? 1 : 0)); });
    return 0;
  }
  const std::string url = kind == 1 ? login(recipe) : kind == 2 ? parameter(recipe) : named_value(recipe);
  ICOUNT_CHECK(shown_store(url).find(kSecret) == std::string::npos, "a password is shown");
  ICOUNT_CHECK(shown(url).find(kSecret) == std::string::npos, "a password is shown");
  return 0;
}
