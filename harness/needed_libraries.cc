#include "icount/harness/needed_libraries.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/text.h"
#include "icount/harness/elf_segments.h"

namespace icount {
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
