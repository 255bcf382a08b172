#include "icount/harness/elf_file.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/hash.h"
#include "icount/base/process.h"
#include "icount/base/text.h"

// libiberty's; its own header declares functions of the C library as well, otherwise than this has them.
extern "C" int rust_demangle_callback(const char* symbol, int options, void (*append)(const char*, size_t, void*),
                                      void* to);

namespace icount {
namespace {

/// A T at `offset`; nullopt where the file ends before.
template <typename T>
std::optional<T> read_at(std::string_view bytes, uint64_t offset) {
  T value;
  if (offset > bytes.size() || bytes.size() - offset < sizeof value) return std::nullopt;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// The header of a 64-bit ELF file.
std::optional<Elf64_Ehdr> elf_header(std::string_view bytes) {
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  const bool is_elf = header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0;
  return is_elf && header->e_ident[EI_CLASS] == ELFCLASS64 ? header : std::nullopt;
}

/// The program headers of a 64-bit ELF file; nullopt when it is none, or is cut off before their end.
std::optional<std::vector<Elf64_Phdr>> parse_elf_segments(std::string_view bytes) {
  const auto header = elf_header(bytes);
  if (!header) return std::nullopt;
  std::vector<Elf64_Phdr> segments;
  for (size_t i = 0; i < header->e_phnum; ++i) {
    const auto segment = read_at<Elf64_Phdr>(bytes, header->e_phoff + i * header->e_phentsize);
    if (!segment) return std::nullopt;
    segments.push_back(*segment);
  }
  return segments;
}

/// What lies in the file of a segment; nullopt when the file is cut off before its end.
std::optional<std::string_view> segment_content(std::string_view bytes, const Elf64_Phdr& segment) {
  if (segment.p_offset > bytes.size() || bytes.size() - segment.p_offset < segment.p_filesz) return std::nullopt;
  return bytes.substr(segment.p_offset, segment.p_filesz);
}

}  // namespace

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

namespace {

/// PT_INTERP of a 64-bit ELF program; empty for a static one.
std::string interpreter_of(std::string_view bytes, NeededLibraries& answer) {
  if (bytes.starts_with("#!")) {
    answer.unknown = "it is a script";
    return {};
  }
  const auto segments = parse_elf_segments(bytes);
  if (!segments) {
    answer.unknown = "it is not a 64-bit ELF program";
    return {};
  }
  const auto named = std::find_if(segments->begin(), segments->end(),
                                  [](const Elf64_Phdr& segment) { return segment.p_type == PT_INTERP; });
  if (named == segments->end()) return {};
  const auto text = segment_content(bytes, *named);
  if (!text) answer.unknown = "its file is cut off";
  return text ? std::string(text->substr(0, text->find('\0'))) : std::string();
}

/// "\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x...)" and "\t/lib64/ld-linux-x86-64.so.2 (0x...)"; the kernel's
/// own object has no path.
void take_line(std::string_view line, NeededLibraries& answer) {
  constexpr std::string_view kArrow = " => ";
  const size_t arrow = line.find(kArrow);
  std::string_view path = arrow == std::string_view::npos ? line : line.substr(arrow + kArrow.size());
  while (path.starts_with('\t') || path.starts_with(' ')) path.remove_prefix(1);
  if (path.starts_with("not found")) {
    std::string_view name = line.substr(0, arrow);
    while (name.starts_with('\t') || name.starts_with(' ')) name.remove_prefix(1);
    answer.unknown = fmt::format("the loader does not find its library {}", name);
  }
  if (const size_t address = path.rfind(" (0x"); address != std::string_view::npos) path = path.substr(0, address);
  if (path.starts_with('/')) answer.libraries.emplace_back(path);
}

}  // namespace

NeededLibraries load_needed_libraries(const std::filesystem::path& program, const Environment& environment) {
  NeededLibraries answer;
  std::string interpreter;
  try {
    interpreter = interpreter_of(map_file(program).view(), answer);
  } catch (const Error& error) {
    answer.unknown = error.what();
  }
  if (!answer.unknown.empty() || interpreter.empty()) return answer;
  ProcessSpec spec;
  spec.argv = {interpreter, "--list", std::filesystem::absolute(program).string()};
  spec.environment = environment.block();
  const ProcessOutcome outcome = run_process(spec);
  if (!outcome.ok()) {
    answer.unknown = fmt::format("its loader {} does not list its libraries ({})", interpreter, describe_end(outcome));
    return answer;
  }
  for (const std::string_view line : split_lines(outcome.output)) take_line(line, answer);
  return answer;
}

bool is_valgrinds(const std::filesystem::path& library) {
  return library.filename().string().starts_with("vgpreload_");
}

namespace {

/// A view of an ELF file that never reads outside of it.
class ElfView {
 public:
  ElfView(std::string_view bytes, const std::filesystem::path& path) : bytes_(bytes), path_(path) {
    const auto header = elf_header(bytes);
    if (!header || header->e_ident[EI_DATA] != ELFDATA2LSB)
      throw Error(ErrorKind::kMalformed, path.string() + ": not a 64-bit ELF executable");
    header_ = *header;
    if (header_.e_shentsize != sizeof(Elf64_Shdr) && header_.e_shnum > 0) fail("its section headers are damaged");
  }

  template <typename T>
  T read(uint64_t at) const {
    const auto value = read_at<T>(bytes_, at);
    if (!value) fail("it is cut off");
    return *value;
  }

  size_t section_count() const { return header_.e_shnum; }
  Elf64_Shdr section(size_t index) const {
    if (index >= header_.e_shnum) fail("it names a section that it does not have");
    return read<Elf64_Shdr>(header_.e_shoff + index * sizeof(Elf64_Shdr));
  }
  bool has_loader() const {
    for (size_t i = 0; i < header_.e_phnum; ++i)
      if (read<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr)).p_type == PT_INTERP) return true;
    return header_.e_phnum == 0;
  }
  std::string_view text(const Elf64_Shdr& strings, uint32_t at) const {
    if (strings.sh_offset > bytes_.size() || bytes_.size() - strings.sh_offset < strings.sh_size ||
        at >= strings.sh_size)
      fail("a symbol has no name");
    const std::string_view rest = bytes_.substr(strings.sh_offset + at, strings.sh_size - at);
    return rest.substr(0, rest.find('\0'));
  }
  [[noreturn]] void fail(std::string_view what) const {
    throw Error(ErrorKind::kMalformed, path_.string() + ": damaged ELF file: " + std::string(what));
  }

 private:
  std::string_view bytes_;
  const std::filesystem::path& path_;
  Elf64_Ehdr header_{};
};

void add_symbols(const ElfView& elf, const Elf64_Shdr& table, std::vector<ElfSymbol>& symbols) {
  const Elf64_Shdr strings = elf.section(table.sh_link);
  for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
    const auto symbol = elf.read<Elf64_Sym>(table.sh_offset + at);
    if (symbol.st_name == 0) continue;
    const auto type = ELF64_ST_TYPE(symbol.st_info);
    const bool is_defined = symbol.st_shndx != SHN_UNDEF;
    symbols.push_back({elf.text(strings, symbol.st_name), is_defined ? symbol.st_value : 0, symbol.st_size,
                       type == STT_FUNC, type == STT_GNU_IFUNC, is_defined});
  }
}

// No program has longer names. One that refers to itself twice doubles.
constexpr size_t kLongestName = 100'000;
struct TooLong {};

/// Called by libiberty, through which the exception goes: its code holds nothing then.
void append_name(const char* text, size_t size, void* name) {
  auto& whole = *static_cast<std::string*>(name);
  if (size > kLongestName - whole.size()) throw TooLong();
  whole.append(text, size);
}

/// Without hashes, as Valgrind has it, in either mangling; nullopt for other symbols.
std::optional<std::string> demangle_rust(const std::string& symbol) {
  std::string name;
  try {
    if (rust_demangle_callback(symbol.c_str(), 0, append_name, &name) != 0) return name;
  } catch (const TooLong&) {
  }
  return std::nullopt;
}

}  // namespace

ElfSymbols load_elf_symbols(const std::filesystem::path& path) {
  ElfSymbols result;
  result.bytes = map_file(path);
  const ElfView elf(result.bytes.view(), path);
  result.is_static = !elf.has_loader();
  for (const uint32_t kind : {uint32_t{SHT_DYNSYM}, uint32_t{SHT_SYMTAB}})
    for (size_t i = 0; i < elf.section_count(); ++i) {
      const Elf64_Shdr section = elf.section(i);
      if (section.sh_type != kind) continue;
      if (kind == SHT_SYMTAB) result.is_stripped = false;
      add_symbols(elf, section, result.symbols);
    }
  return result;
}

std::string demangle(std::string_view symbol) {
  const std::string name(symbol);
  if (auto rust = demangle_rust(name)) return *std::move(rust);
  if (!symbol.starts_with("_Z")) return name;  // "a" would be read as a type: signed char
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                     std::free);
  return status == 0 && plain ? std::string(plain.get()) : name;
}

namespace {

constexpr size_t kMostOptions = 8;

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
  const auto header = elf_header(bytes);
  if (!header) return {};
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
