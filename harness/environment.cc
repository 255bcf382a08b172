#include "icount/harness/environment.h"

#include <unistd.h>

namespace icount {
namespace {

bool names(const std::string& entry, std::string_view name) {
  return entry.size() > name.size() && entry[name.size()] == '=' &&
         std::string_view(entry).substr(0, name.size()) == name;
}

}  // namespace

std::optional<std::string> Environment::get(std::string_view name) const {
  for (const auto& entry : block_)
    if (names(entry, name)) return entry.substr(name.size() + 1);
  return std::nullopt;
}

void Environment::set(std::string_view name, std::string_view value) {
  const std::string entry = std::string(name) + "=" + std::string(value);
  for (auto& existing : block_)
    if (names(existing, name)) {
      existing = entry;
      return;
    }
  block_.push_back(entry);
}

Environment current_environment() {
  std::vector<std::string> block;
  for (char** entry = environ; entry && *entry; ++entry) block.emplace_back(*entry);
  return Environment(std::move(block));
}

}  // namespace icount
