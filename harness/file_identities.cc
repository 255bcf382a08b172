#include "icount/harness/file_identities.h"

#include <fmt/format.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/harness/elf_file.h"

namespace icount {

const std::string& FileIdentities::of(const std::filesystem::path& file) {
  const auto [at, is_new] = known_.try_emplace(file);
  if (is_new) at->second = load_content_identity(file);
  return at->second;
}

std::string FileIdentities::line(const std::filesystem::path& file) {
  const std::string& identity = of(file);
  if (identity.empty()) {
    load_regular_file(file);  // says why
    throw Error(ErrorKind::kIo, fmt::format("{} cannot be read", file.string()));
  }
  return identity + " " + file.string();
}

}  // namespace icount
