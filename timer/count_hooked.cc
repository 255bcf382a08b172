#include "icount/timer/count_hooked.h"

#include <fmt/format.h>

#include <map>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/timer/hooked_counting.h"
#include "icount/timer/label_filter.h"

namespace icount {
namespace {

/// Address by the name that people write.
std::map<std::string, uint64_t> find_functions(const BenchSession& session, const ElfSymbols& symbols) {
  std::map<std::string, uint64_t> found;
  for (const ElfSymbol& symbol : symbols.symbols) {
    if (!symbol.is_function || !symbol.is_defined) continue;
    std::string name = demangle(symbol.name);
    // Functions with parameters cannot be called; a C function's symbol does not say whether it has some.
    if (symbol.name.starts_with("_Z")) {
      if (!name.ends_with("()")) continue;
      name.resize(name.size() - 2);
    }
    if (matches_pattern(session.options().functions, name)) found.emplace(name, symbol.address);
  }
  if (found.empty())
    throw Error(ErrorKind::kUsage, fmt::format("no function without parameters in {} matches --case {}",
                                               session.command_text(), session.options().functions));
  const LabelFilter filter(session.options().filter);
  std::erase_if(found, [&](const auto& one) { return !filter.matches(one.first) || !session.is_wanted({one.first}); });
  if (found.empty()) fail_no_match(session);
  return found;
}

}  // namespace

void count_catch2(BenchSession& session, BenchCount& count) { count_hooked(session, catch2_binary(), count); }

BenchLabels list_catch2(BenchSession& session) { return list_hooked(session, catch2_binary()); }

void count_nanobench(BenchSession& session, BenchCount& count) { count_hooked(session, nanobench_binary(), count); }

BenchLabels list_nanobench(BenchSession& session) { return list_hooked(session, nanobench_binary()); }

void count_functions(BenchSession& session, const ElfSymbols& symbols, BenchCount& count) {
  HookedBinary binary;
  BenchLabels labels;
  for (const auto& [name, address] : find_functions(session, symbols)) {
    binary.plan += fmt::format("function {}\n", address);
    labels.push_back({name});
  }
  binary.read_labels = [&](std::string_view) { return labels; };
  binary.remedy = "is it a program with a main function?";
  binary.is_chosen = true;
  count_hooked(session, binary, count);
}

BenchLabels list_functions(BenchSession& session, const ElfSymbols& symbols) {
  BenchLabels labels;
  for (const auto& [name, address] : find_functions(session, symbols)) labels.push_back({name});
  return labels;
}

}  // namespace icount
