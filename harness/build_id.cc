#include "icount/harness/build_id.h"

#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <system_error>

#include "icount/base/descriptor.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/file_reading.h"
#include "icount/base/hash.h"
#include "icount/harness/elf_segments.h"

namespace icount {
namespace {

/// The build id among the notes of one segment; empty when there is none.
std::string find_build_id(std::string_view notes) {
  Elf64_Nhdr note;
  for (uint64_t at = 0; at <= notes.size() && notes.size() - at >= sizeof note;) {
    std::memcpy(&note, notes.data() + at, sizeof note);
    const uint64_t name = at + sizeof note;
    const uint64_t content = name + ((note.n_namesz + 3ull) & ~3ull);
    if (content > notes.size() || notes.size() - content < note.n_descsz) return {};
    if (note.n_type == NT_GNU_BUILD_ID && notes.substr(name, 4) == std::string_view("GNU\0", 4)) {
      std::string hex;
      for (const char c : notes.substr(content, note.n_descsz))
        hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
      return hex;
    }
    at = content + ((note.n_descsz + 3ull) & ~3ull);
  }
  return {};
}

/// Profiles, suites and the cache name these files: a pipe among them must not make us wait.
FileBytes map_named_file(const std::filesystem::path& path) {
  const Descriptor checked(open_regular_file(path));
  return map_file(path);
}

FileBytes load_named_file(const std::filesystem::path& path) {
  const Descriptor checked(open_regular_file(path));
  return load_file(path);
}

}  // namespace

std::string load_build_id(const std::filesystem::path& elf_file) {
  try {
    const FileBytes file = load_named_file(elf_file);
    const std::string_view bytes = file.view();
    const auto segments = parse_elf_segments(bytes);
    for (const Elf64_Phdr& segment : segments.value_or(std::vector<Elf64_Phdr>())) {
      if (segment.p_type != PT_NOTE || segment.p_offset > bytes.size()) continue;
      std::string id = find_build_id(bytes.substr(segment.p_offset, segment.p_filesz));
      if (!id.empty()) return id;
    }
  } catch (const Error&) {
    // a file that can't be read has no identity
  }
  return {};
}

std::filesystem::path separate_debug_file(std::string_view build_id) {
  if (build_id.size() < 3) return {};
  return std::filesystem::path("/usr/lib/debug/.build-id") / build_id.substr(0, 2) /
         (std::string(build_id.substr(2)) + ".debug");
}

std::string load_file_identity(const std::filesystem::path& file) {
  std::string id = load_build_id(file);
  if (!id.empty()) return id;
  try {
    return "hash-" + content_hash(load_named_file(file).view());
  } catch (const Error&) {
    return {};
  }
}

std::string load_content_identity(const std::filesystem::path& file) {
  constexpr uintmax_t kLarge = uintmax_t{64} << 20;
  std::error_code error;
  const uintmax_t size = std::filesystem::file_size(file, error);
  if (!error && size > kLarge)
    if (std::string id = load_build_id(file); !id.empty()) return id;
  try {
    return "hash-" + content_hash(map_named_file(file).view());
  } catch (const Error&) {
    return {};
  }
}

}  // namespace icount
