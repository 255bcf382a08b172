#include "icount/timer/program_conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/callgrind/run.h"
#include "icount/harness/elf_file.h"
#include "icount/timer/collect_fingerprint.h"

namespace icount {
namespace {

constexpr const char* kGoVariable = "GODEBUG";
constexpr const char* kGoValue = "asyncpreemptoff=1";

/// None of a static program, in which the C library's functions are the program's.
std::vector<std::string> load_own_functions(const std::filesystem::path& program) {
  std::vector<std::string> names;
  try {
    const ElfSymbols symbols = load_elf_symbols(program);
    if (symbols.is_static) return names;
    for (const ElfSymbol& symbol : symbols.symbols)
      if (symbol.is_function && symbol.is_defined && is_leaving_function(symbol.name)) names.emplace_back(symbol.name);
  } catch (const Error&) {  // a script, or a file that will not start
  }
  return names;
}

bool sets_go_variable(const std::vector<std::string>& extra) {
  return std::any_of(extra.begin(), extra.end(),
                     [](const std::string& entry) { return entry.substr(0, entry.find('=')) == kGoVariable; });
}

}  // namespace

Pins program_pins(Pins pins) {
  for (const Pin pin : {Pin::kWorkingDir, Pin::kArgv, Pin::kStack})
    if (pins.holds(pin)) pins.released.push_back(pin);
  return pins;
}

std::string find_sanitizer(const std::string& file) {
  constexpr std::pair<std::string_view, std::string_view> kKnown[] = {{"__asan_init", "-fsanitize=address"},
                                                                      {"__tsan_init", "-fsanitize=thread"},
                                                                      {"__msan_init", "-fsanitize=memory"},
                                                                      {"__hwasan_init", "-fsanitize=hwaddress"},
                                                                      {"__lsan_init", "-fsanitize=leak"}};
  try {
    const FileBytes bytes = map_file(file);
    for (const auto& [symbol, option] : kKnown)
      if (bytes.view().find(symbol) != std::string_view::npos)
        return fmt::format("{} is built with {}, and sanitizers do not work under Valgrind: count a build without it",
                           file, option);
  } catch (const Error&) {  // executable and not readable
  }
  return {};
}

ProgramSurroundings::ProgramSurroundings(const std::string& program, const Pins& pins, const Environment& caller,
                                         const std::vector<std::string>& extra)
    : name_(std::filesystem::path(program).filename()), pins_(pins), pinned_(apply_pins(pins, caller, extra)) {
  CompilerRecord record = load_compiler_record(find_program(program));
  own_functions_ = load_own_functions(find_program(program));
  compilers_ = std::move(record.compilers);
  options_ = std::move(record.options);
  is_unoptimised_ = record.is_unoptimised;
  lacks_lines_ = record.lacks_lines;
  is_go_set_ = record.is_go && pins.holds(Pin::kEnvironment) && !sets_go_variable(extra);
  if (is_go_set_) pinned_.environment.set(kGoVariable, kGoValue);
}

std::vector<std::string> ProgramSurroundings::build_notes() const {
  std::vector<std::string> notes;
  if (is_unoptimised_)
    notes.push_back(
        fmt::format("`{}` was built without optimisation: its count says little of a build with -O2", name_));
  if (lacks_lines_)
    notes.push_back(fmt::format(
        "`{}` was built without debug information: build it with -g for source lines and inlined functions", name_));
  return notes;
}

Fingerprint ProgramSurroundings::make_fingerprint(const Valgrind& valgrind, bool aslr_refused) const {
  Fingerprint facts;
  facts.set("language", "program", FactClass::kRefuse);
  // The loader reads variables whose values name Valgrind's folder: another folder, another count.
  facts.set("valgrind", valgrind.version + (valgrind.is_carried ? ", carried along" : ""), FactClass::kRefuse);
  facts.set("pins", pins_.to_text() + (aslr_refused ? ", but aslr was refused" : ""), FactClass::kRefuse);
  facts.set("libc", load_libc_identity(), FactClass::kNameOnly);
  if (!compilers_.empty()) facts.set("compiler", compilers_, FactClass::kNameOnly);
  if (!options_.empty()) facts.set("flags", options_, FactClass::kNameOnly);
  if (is_go_set_) facts.set(kGoVariable, kGoValue, FactClass::kRefuse);
  return facts;
}

}  // namespace icount
