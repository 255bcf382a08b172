#include "icount/harness/needed_libraries.h"

#include <elf.h>
#include <fmt/format.h>

#include <cstring>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/text.h"

namespace icount {
namespace {

/// PT_INTERP of a 64-bit ELF program; empty for a static one.
std::string interpreter_of(std::string_view bytes, NeededLibraries& answer) {
  Elf64_Ehdr header;
  if (bytes.starts_with("#!")) {
    answer.unknown = "it is a script";
    return {};
  }
  if (bytes.size() < sizeof header || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0 ||
      bytes[EI_CLASS] != ELFCLASS64) {
    answer.unknown = "it is no 64-bit ELF program";
    return {};
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    const uint64_t at = header.e_phoff + static_cast<uint64_t>(i) * header.e_phentsize;
    if (at > bytes.size() || bytes.size() - at < sizeof segment) break;
    std::memcpy(&segment, bytes.data() + at, sizeof segment);
    if (segment.p_type != PT_INTERP) continue;
    if (segment.p_offset > bytes.size() || bytes.size() - segment.p_offset < segment.p_filesz) break;
    const std::string_view text = bytes.substr(segment.p_offset, segment.p_filesz);
    return std::string(text.substr(0, text.find('\0')));
  }
  return {};
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

}  // namespace icount
