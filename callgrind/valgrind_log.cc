#include "icount/callgrind/valgrind_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "icount/base/text.h"

namespace icount {

namespace {

/// "==12==    at 0x109148: main (avx.c:3)" -> "main (avx.c:3)"; empty for other lines.
std::string function_of_frame(std::string_view line, std::string_view prefix) {
  constexpr std::string_view kAt = "at 0x";
  if (!line.starts_with(prefix)) return {};
  line = trim(line.substr(prefix.size()));
  const size_t colon = line.find(": ");
  if (!line.starts_with(kAt) || colon == std::string_view::npos) return {};
  std::string_view function = trim(line.substr(colon + 2));
  function = function.substr(0, function.find(" (in "));  // an object, where Valgrind knows no line
  return function.starts_with("???") ? std::string() : std::string(function);
}

/// " icount: 0x1148 of /usr/bin/avx", as icount's own tool says it.
bool read_object_place(std::string_view line, UnhandledInstruction& instruction) {
  constexpr std::string_view kSays = " icount: 0x", kOf = " of ";
  const size_t of = line.find(kOf);
  if (!line.starts_with(kSays) || of == std::string_view::npos) return false;
  std::from_chars(line.data() + kSays.size(), line.data() + of, instruction.object_address, 16);
  instruction.object = line.substr(of + kOf.size());
  return true;
}

}  // namespace

std::optional<UnhandledInstruction> find_unhandled_instruction(std::string_view log, int pid) {
  constexpr std::string_view kBytes = "unhandled instruction bytes:";
  constexpr std::string_view kAddress = "Unrecognised instruction at address ";
  std::string_view bytes;  // said without a process id, in the lines before the one that has it
  const std::vector<std::string_view> lines = split_lines(log);
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    if (const size_t at = line.find(kBytes); at != std::string_view::npos)
      bytes = trim(line.substr(at + kBytes.size()));
    const size_t address = line.find(kAddress);
    if (address == std::string_view::npos) continue;
    const std::string_view found = bytes;
    bytes = {};
    const std::string_view prefix = line.substr(0, line.find("== ") + 2);
    if (found.empty() || (pid != 0 && prefix != fmt::format("=={}==", pid))) continue;
    std::string_view where = trim(line.substr(address + kAddress.size()));
    if (where.ends_with('.')) where.remove_suffix(1);
    UnhandledInstruction instruction{
        .bytes = std::string(found), .address = std::string(where), .avx512 = found.starts_with("0x62")};
    if (i + 1 < lines.size()) instruction.where = function_of_frame(lines[i + 1], prefix);
    for (size_t k = i + 1; k < lines.size() && lines[k].starts_with(prefix); ++k)
      if (read_object_place(lines[k].substr(prefix.size()), instruction)) break;
    return instruction;
  }
  return std::nullopt;
}

std::vector<std::string> find_refused_programs(std::string_view log) {
  constexpr std::string_view kRefused = "Can't execute setuid/setgid/setcap executable: ";
  std::vector<std::string> programs;
  for (const std::string_view line : split_lines(log)) {
    const size_t at = line.find(kRefused);
    if (at == std::string_view::npos) continue;
    std::string program(trim(line.substr(at + kRefused.size())));
    if (std::find(programs.begin(), programs.end(), program) == programs.end()) programs.push_back(std::move(program));
  }
  return programs;
}

CountingRequests find_counting_requests(std::string_view log) {
  return {.zeroed = log.find("--   Zeroing costs...") != std::string_view::npos,
          .switched_off = log.find(": instrumentation switched OFF") != std::string_view::npos,
          .uncollected = {}};
}

/// "/lib/x" of `==7== Valgrind:   "/lib/x"`, which the reader of debug information says before it gives up.
std::string find_unreadable_object(std::string_view log) {
  constexpr std::string_view kSays = "== Valgrind:   \"";
  const size_t at = log.rfind(kSays);
  if (at == std::string_view::npos || log.find("corrupted debuginfo file") == std::string_view::npos) return {};
  const std::string_view rest = log.substr(at + kSays.size());
  return std::string(rest.substr(0, rest.find_first_of("\"\n")));
}

namespace {

/// What words of Valgrind's mean for the user; empty where they speak for themselves.
std::string explain(std::string_view reason, std::string_view log) {
  const auto says = [&](std::string_view words) { return reason.find(words) != std::string_view::npos; };
  if (says("allgrind_post_signal)"))
    return "; Callgrind cannot follow a signal handler whose alternate stack lies above the interrupted one, as in Go: "
           "set GODEBUG=asyncpreemptoff=1 for Go programs; where signals come from children, it depends on timing, "
           "and another run may succeed";
  if (says("(push_exec_state)"))
    return "; Callgrind gives up at the tenth signal handler that is left by siglongjmp into the very function that "
           "the signal interrupted: do what may be interrupted in a function of its own, below the one that sigsetjmp "
           "is in";
  if (says("Error: can not open"))
    return "; a process that may not open files (a seccomp sandbox), or changes its user or its root folder, "
           "keeps Valgrind from writing its profile: build or start it without its sandbox";
  if (says("corrupted debuginfo"))
    return fmt::format(
        " ({}): Valgrind does not know all of DWARF 5; compile it with -gdwarf-4 and without -gsplit-dwarf, or count a "
        "copy without debug information (strip -g -o COPY FILE), which has names of functions and no lines",
        find_unreadable_object(log));
  if (says("Max number of threads"))
    return "; --callgrind-option --max-threads=10000 lets a program have more of them at a time";
  return {};
}

}  // namespace

std::string find_valgrinds_reason(std::string_view log) {
  for (std::string_view line : split_lines(log)) {
    if (line.starts_with("==")) line.remove_prefix(std::min(line.size(), line.find("== ") + 3));
    line = trim(line);
    for (const std::string_view words :
         {"Unsupported clone() flags", "Valgrind's memory management: out of memory", "Error: can not open",
          "Cannot create log file", "Max number of threads is too low", "corrupted debuginfo file",
          "the 'impossible' happened", "Assertion '"})
      if (line.find(words) != std::string_view::npos) {
        // What Valgrind's own check asks for comes a line later.
        if (words.starts_with("the 'imp") && log.find("Max number of threads") != std::string_view::npos) continue;
        std::string_view said = line.substr(0, line.find(" `"));  // a name in quotes is that of a scratch file
        if (said.ends_with(':') || said.ends_with('.')) said.remove_suffix(1);
        return fmt::format("{}{}", said, explain(said, log));
      }
  }
  return {};
}

std::string describe_stack_overflow(std::string_view log) {
  if (log.find("Stack overflow in thread #1: can't grow stack") == std::string_view::npos) return {};
  constexpr std::string_view kSize = "main thread stack size used in this run was ";
  const size_t at = log.find(kSize);
  const std::string_view rest = at == std::string_view::npos ? "" : log.substr(at + kSize.size());
  const auto bytes = parse_int64(rest.substr(0, rest.find_first_not_of("0123456789")));
  return fmt::format(
      "Valgrind says: stack overflow in the main thread{}; give it more by ulimit -s, or by --callgrind-option "
      "--main-stacksize=BYTES",
      bytes ? fmt::format(", which had {} bytes", with_thousands(*bytes)) : "");
}

std::string describe(const UnhandledInstruction& instruction, std::string_view text) {
  const std::string what = (text.empty() ? instruction.bytes : fmt::format("`{}`", text)) +
                           (instruction.where.empty() ? std::string() : fmt::format(" in {}", instruction.where));
  if (instruction.avx512)
    return fmt::format(
        "the code contains AVX-512 instructions, which Valgrind does not support: {}; compile it with -mno-avx512f or "
        "-march=x86-64-v3",
        what);
  return fmt::format(
      "Valgrind does not support an instruction in the code: {}; compile it for an older processor: -march=x86-64-v3",
      what);
}

namespace {

/// What Valgrind says of memory that is mapped as code and that no file of that name is behind.
constexpr std::string_view kNoFile = "failed to stat64/stat this file";

}  // namespace

bool maps_unlinked_code(std::string_view log) {
  const std::vector<std::string_view> lines = split_lines(log);
  for (size_t i = 1; i < lines.size(); ++i)
    if (lines[i].ends_with(kNoFile) && lines[i - 1].ends_with(" (deleted):")) return true;
  return false;
}

Chance find_chance(std::string_view log) {
  constexpr std::string_view kMark = "icount: chance:";
  constexpr std::pair<std::string_view, std::string_view> kSources[] = {
      {"clock", "the clock"},
      {"random", "random numbers"},
      {"process-id", "its process id"},
      {"threads", "the order of its threads"},
  };
  std::set<std::string_view> words;
  for (const std::string_view line : split_lines(log)) {
    const size_t mark = line.find(kMark);
    if (mark == std::string_view::npos) continue;
    for (const std::string_view word : split(line.substr(mark + kMark.size()), ' ')) words.insert(word);
  }
  Chance chance;
  for (const auto& [word, source] : kSources)
    if (words.contains(word)) chance.sources.emplace_back(source);
  chance.changes_files = words.contains("files");
  return chance;
}

std::string describe_unread_debug_information(std::string_view log) {
  bool is_unread = log.find("unhandled dwarf2 abbrev form code") != std::string_view::npos;
  const std::vector<std::string_view> lines = split_lines(log);
  for (size_t i = 0; i < lines.size(); ++i)
    is_unread |= lines[i].find("When reading debug info from ") != std::string_view::npos &&
                 (i + 1 == lines.size() || !lines[i + 1].ends_with(kNoFile));
  if (!is_unread) return {};
  return "Valgrind could not read all debug information (a DWARF version that it does not know): the counts are right, "
         "source lines are missing; compile with -gdwarf-4 to have them";
}

}  // namespace icount
