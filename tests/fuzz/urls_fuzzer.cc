// libFuzzer target of the addresses of stores: whatever a login or a parameter is made of, the password in it gets into
// no message and no name. Any other bytes are an address or an Error.
#include <array>
#include <string>

#include "fuzz/recipe.h"
#include "fuzz/refusing.h"
#include "fuzz/tokens.h"
#include "icount/base/check.h"
#include "icount/store/store_url.h"

namespace {

using namespace icount;

constexpr auto kSchemes =
    std::to_array<std::string_view>({"postgresql://", "postgres://", "POSTGRESQL://", "posgresql://", "postgresql:/",
                                     "postgresql:", "sqlite:postgresql://", "mysql://", "https://", "postgresql;//"});
constexpr auto kWords = std::to_array<std::string_view>(
    {"u",      "host", "db", "/", "?",        "#", "&", "%40", "%", ":5432", ",", "[::1]", "=", "sslmode=require",
     "user=u", "\\",   " ",  "'", "\xc3\xa9", "*"});
constexpr auto kSecretKeys = std::to_array<std::string_view>(
    {"password=", "sslpassword=", "PASSWORD=", "pass%77ord=", "passfile=", "sslkey=", "options="});
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Recipe recipe(as_text(data, size));
  const uint8_t kind = recipe.next() % 3;
  if (kind == 0) {
    accepted([&] { return parse_store_url(as_text(data, size).substr(size > 0 ? 1 : 0)); });
    return 0;
  }
  const std::string url = kind == 1 ? login(recipe) : parameter(recipe);
  ICOUNT_CHECK(shown(url).find(kSecret) == std::string::npos, "a password is shown");
  return 0;
}
