#include "icount/inputs/shown_arguments.h"

#include <string_view>

#include "icount/store/postgresql_url.h"
#include "icount/store/store_url.h"

namespace icount {
namespace {

constexpr std::string_view kStoreOptions[] = {"--store", "--against"};

/// Where in the word `i` an address begins; npos when it holds none.
size_t address_in(const std::vector<std::string>& arguments, size_t i) {
  const std::string& word = arguments[i];
  if (is_postgresql_url(word)) return 0;
  for (const std::string_view option : kStoreOptions) {
    const bool is_value = i > 0 && arguments[i - 1] == option;
    if (!is_value && !word.starts_with(std::string(option) + "=")) continue;
    const size_t at = is_value ? 0 : option.size() + 1;
    // --against takes STORE:NAME, too, and of some commands a statement
    const bool may_be_other = option == "--against" && word.find('@', at) == std::string::npos;
    return may_be_other && !is_postgresql_url(std::string_view(word).substr(at)) ? std::string::npos : at;
  }
  return std::string::npos;
}

}  // namespace

std::vector<std::string> shown_arguments(const std::vector<std::string>& arguments) {
  std::vector<std::string> shown = arguments;
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i)
    if (const size_t at = address_in(arguments, i); at < arguments[i].size())
      shown[i] = arguments[i].substr(0, at) + shown_store(std::string_view(arguments[i]).substr(at));
  return shown;
}

std::string hide_arguments(std::string message, const std::vector<std::string>& arguments) {
  const std::vector<std::string> shown = shown_arguments(arguments);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == shown[i]) continue;
    const size_t at = address_in(arguments, i);
    const std::string address = word.substr(at), harmless = shown[i].substr(at);
    for (size_t found = message.find(address); found != std::string::npos;
         found = message.find(address, found + harmless.size()))
      message.replace(found, address.size(), harmless);
  }
  return message;
}

}  // namespace icount
