#include "icount/harness/elf_file.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/hash.h"
#include "icount/base/process.h"
#include "icount/base/text.h"

namespace icount {
namespace {

/// Reads a T at `offset`; false when the file ends before.
template <typename T>
bool read_at(std::string_view bytes, uint64_t offset, T& value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof value) return false;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return true;
}

}  // namespace

std::optional<std::vector<Elf64_Phdr>> parse_elf_segments(std::string_view bytes) {
  Elf64_Ehdr header;
  if (!read_at(bytes, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64)
    return std::nullopt;
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  for (size_t i = 0; i < segments.size(); ++i)
    if (!read_at(bytes, header.e_phoff + i * header.e_phentsize, segments[i])) return std::nullopt;
  return segments;
}

std::optional<std::string_view> segment_content(std::string_view bytes, const Elf64_Phdr& segment) {
  if (segment.p_offset > bytes.size() || bytes.size() - segment.p_offset < segment.p_filesz) return std::nullopt;
  return bytes.substr(segment.p_offset, segment.p_filesz);
}

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

}  // namespace icount

// libiberty's; its own header declares functions of the C library as well, otherwise than this has them.
extern "C" int rust_demangle_callback(const char* symbol, int options, void (*append)(const char*, size_t, void*),
                                      void* to);

namespace icount {
namespace {

/// A view of an ELF file that never reads outside of it.
class ElfView {
 public:
  ElfView(std::string_view bytes, const std::filesystem::path& path) : bytes_(bytes), path_(path) {
    const bool is_elf = bytes.size() >= sizeof(Elf64_Ehdr) && bytes.starts_with(ELFMAG) &&
                        bytes[EI_CLASS] == ELFCLASS64 && bytes[EI_DATA] == ELFDATA2LSB;
    if (!is_elf) throw Error(ErrorKind::kMalformed, path.string() + ": not a 64-bit ELF executable");
    header_ = read<Elf64_Ehdr>(0);
    if (header_.e_shentsize != sizeof(Elf64_Shdr) && header_.e_shnum > 0) fail("its section headers are damaged");
  }

  template <typename T>
  T read(uint64_t at) const {
    T value;
    if (at > bytes_.size() || bytes_.size() - at < sizeof(T)) fail("it is cut off");
    std::memcpy(&value, bytes_.data() + at, sizeof(T));
    return value;
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

}  // namespace icount
