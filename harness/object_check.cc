#include "icount/harness/object_check.h"

#include <fmt/format.h>

#include <system_error>

#include "icount/harness/elf_file.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHash = "hash-";  // of identities of files without a build id

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error);
}

/// "libfoo.so.1" -> "libfoo.so": a library is linked by one name and loaded by another.
std::string unversioned(const fs::path& file) {
  const std::string name = file.filename().string();
  const size_t suffix = name.find(".so");
  return suffix == std::string::npos ? name : name.substr(0, suffix + 3);
}

/// Shared libraries that link flags name: "/x/libfoo.so", and "-lfoo" in the first "-L" folder that has it.
std::vector<fs::path> shared_libraries(const std::vector<std::string>& flags) {
  std::vector<fs::path> folders, libraries;
  for (size_t i = 0; i < flags.size(); ++i)
    if (flags[i].starts_with("-L"))
      folders.push_back(flags[i].size() > 2 ? flags[i].substr(2) : i + 1 < flags.size() ? flags[i + 1] : ".");
  for (const std::string& flag : flags) {
    if (!flag.starts_with('-') && flag.find(".so") != std::string::npos && is_file(flag)) libraries.push_back(flag);
    if (!flag.starts_with("-l")) continue;
    for (const fs::path& folder : folders) {
      const fs::path file = folder / fmt::format("lib{}.so", flag.substr(2));
      if (!is_file(file)) continue;
      libraries.push_back(file);
      break;
    }
  }
  return libraries;
}

std::string describe_id(std::string_view identity) {
  return identity.empty() ? "no build id" : fmt::format("build id {}", identity);
}

}  // namespace

ObjectCheck::ObjectCheck(const Toolchain& toolchain) {
  if (toolchain.torch) torch_folder_ = toolchain.torch->lib_dir;
  for (fs::path& file : shared_libraries(toolchain.link_flags)) linked_.push_back({std::move(file), "--link"});
}

const std::string& ObjectCheck::identity(const fs::path& file) {
  const auto [at, fresh] = identities_.emplace(file, std::string());
  if (fresh) at->second = load_file_identity(file);
  return at->second;
}

bool ObjectCheck::is_asked_for(const LoadedObject& object, const Asked& asked) {
  const std::string& wanted = identity(asked.file);
  if (!object.build_id.empty() || !wanted.starts_with(kHash)) return object.build_id == wanted;
  return is_same_file(object.path, asked.file) || identity(object.path) == wanted;
}

std::string ObjectCheck::find_other(std::span<const LoadedObject> loaded) {
  for (const LoadedObject& object : loaded) {
    const fs::path path = object.path;
    std::vector<Asked> asked;
    if (!torch_folder_.empty() && is_file(torch_folder_ / path.filename()))
      asked.push_back({torch_folder_ / path.filename(), "--torch"});
    for (const Asked& library : linked_)
      if (unversioned(library.file) == unversioned(path)) asked.push_back(library);
    for (const Asked& wanted : asked) {
      if (is_asked_for(object, wanted)) continue;
      return fmt::format(
          "{} was asked for ({}), but the process loaded {} ({}), which LD_LIBRARY_PATH or a library's own search path "
          "names; remove it from LD_LIBRARY_PATH, or ask for it with {}",
          wanted.file.string(), describe_id(identity(wanted.file)), object.path, describe_id(object.build_id),
          wanted.option);
    }
  }
  return {};
}

std::string loaded_build_id(std::span<const LoadedObject> loaded, std::string_view file_name) {
  for (const LoadedObject& object : loaded)
    if (fs::path(object.path).filename() == file_name) return object.build_id;
  return {};
}

}  // namespace icount
