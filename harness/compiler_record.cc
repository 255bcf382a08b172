#include "icount/harness/compiler_record.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

#include "icount/base/error.h"
#include "icount/base/file.h"

namespace icount {
namespace {

constexpr size_t kMostOptions = 8;

template <typename T>
std::optional<T> read_at(std::string_view bytes, uint64_t offset) {
  T value;
  if (offset > bytes.size() || bytes.size() - offset < sizeof value) return std::nullopt;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string_view content_of(std::string_view bytes, const Elf64_Shdr& section) {
  if (section.sh_offset > bytes.size() || (section.sh_flags & SHF_COMPRESSED) != 0 || section.sh_type == SHT_NOBITS)
    return {};
  return bytes.substr(section.sh_offset, section.sh_size);
}

std::string_view text_at(std::string_view strings, uint64_t offset) {
  if (offset >= strings.size()) return {};
  const std::string_view rest = strings.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

std::string_view find_section(std::string_view bytes, std::string_view name) {
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  const auto section_at = [&](uint64_t i) {
    return read_at<Elf64_Shdr>(bytes, header->e_shoff + i * sizeof(Elf64_Shdr));
  };
  const auto names = section_at(header->e_shstrndx);
  if (!names || header->e_shentsize != sizeof(Elf64_Shdr)) return {};
  for (uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto section = section_at(i);
    if (section && text_at(content_of(bytes, *names), section->sh_name) == name) return content_of(bytes, *section);
  }
  return {};
}

std::set<std::string> all_texts(std::string_view section) {
  std::set<std::string> texts;
  for (size_t at = 0; at < section.size();) {
    const std::string_view text = text_at(section, at);
    if (!text.empty()) texts.emplace(text);
    at += text.size() + 1;
  }
  return texts;
}

/// Strings that begin as DW_AT_producer does, GCC's with its options; not those of what GCC itself adds to a program.
std::set<std::string> producers(std::string_view strings) {
  std::set<std::string> found;
  for (const std::string_view begin : {"GNU C", "clang version "}) {
    for (size_t at = strings.find(begin); at != std::string_view::npos; at = strings.find(begin, at + 1)) {
      const std::string_view text = text_at(strings, at);
      const bool is_own = text.find(" -fbuilding-libgcc") == std::string_view::npos;
      if (is_own && (at == 0 || strings[at - 1] == '\0')) found.emplace(text);
      if (found.size() > kMostOptions) return {};
    }
  }
  return found;
}

/// "go1.19.8" of what stands in .go.buildinfo: a head of 32 bytes, in whose flags 2 says that the version follows as
/// one byte of length and the text (Go's debug/buildinfo). Empty for older ones, which have a pointer there.
std::string_view go_version(std::string_view information) {
  constexpr size_t kFlags = 15, kHead = 32;
  if (information.size() <= kHead || (information[kFlags] & 2) == 0) return {};
  const auto size = static_cast<unsigned char>(information[kHead]);
  const std::string_view version = information.substr(kHead + 1, size);
  return size < 128 && version.size() == size && version.starts_with("go") ? version : std::string_view();
}

bool is_unoptimised(const std::set<std::string>& producers) {
  return !producers.empty() && std::all_of(producers.begin(), producers.end(), [](const std::string& one) {
    const size_t last = one.rfind(" -O");
    return one.starts_with("GNU C") && (last == std::string::npos || one.substr(last, 4) == " -O0");
  });
}

bool lacks_lines(std::string_view file) {
  return !find_section(file, ".symtab").empty() && find_section(file, ".debug_line").empty() &&
         find_section(file, ".gnu_debuglink").empty();
}

}  // namespace

CompilerRecord load_compiler_record(const std::filesystem::path& elf_file) {
  try {
    const FileBytes file = load_file(elf_file);
    std::set<std::string> compilers = all_texts(find_section(file.view(), ".comment"));
    const std::string_view go = find_section(file.view(), ".go.buildinfo");
    if (const std::string_view version = go_version(go); !version.empty()) compilers.emplace(version);
    const std::set<std::string> options = producers(find_section(file.view(), ".debug_str"));
    const bool is_go = go.starts_with("\xff Go buildinf:");
    return {.compilers = fmt::format("{}", fmt::join(compilers, ", ")),
            .options = fmt::format("{}", fmt::join(options, "; ")),
            .is_go = is_go,
            .is_unoptimised = is_unoptimised(options),
            .lacks_lines = !is_go && !compilers.empty() && lacks_lines(file.view())};
  } catch (const Error&) {
    return {};  // what can't be read says nothing
  }
}

}  // namespace icount
