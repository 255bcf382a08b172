#include "icount/cli/gate_options.h"

#include <fmt/format.h>

#include <utility>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/console/shared_options.h"
#include "icount/suite/limits_table.h"

namespace icount {
namespace {

constexpr OptionSpec kOwnOptions[] = {
    {"", "", "what to compare with"},
    {"expected", "FILE", "accepted values (default: the suite file's name with .expected, when it is there)"},
    {"no-expected", "", "ignore accepted values, compare with the base"},
    {"baseline", "FILE", "base: a saved result"},
    {"base-ref", "COMMIT",
     "base: that commit, built and measured in a git worktree (with accepted values: only when there is a change to "
     "explain)"},
    {"build", "CMD",
     "with --base-ref: shell command run first in the worktree's top folder; a result it writes to $ICOUNT_OUT is the "
     "base"},
    {"suite-from", "COMMIT",
     "with --base-ref: measure the base by the suite as this commit has it, as with HEAD by the one of today"},
    {"against", "STORE[:NAME]",
     "base: the newest run of a history with that name, branch or commit (default: of the commit checked out, or of "
     "its nearest measured ancestor); its earlier runs are used for creep"},
    {"", "", "what to allow"},
    {"limit", "LIMIT",
     "1%, 100, 1%+100 (both must be exceeded) or none, for all; or fields as in [limits]: 'percent = 1, benchmark = "
     "\"Math\"'",
     true},
    {"suite", "FILE",
     "for a RESULT: the suite whose [limits] count (default: the one it was measured with; none: no suite)"},
    {"allow", "new|vanished|growth|compiler|cores",
     "accept a benchmark without a base, one that is gone, or one that grows faster, with a note; compare with "
     "accepted values of another "
     "compiler or other flags; with counts of a program that saw another number of cores",
     true},
    {"", "", "output"},
    {"markdown", "FILE", "write it as a comment for a pull request"},
    {"html", "FILE", "write the report of head and base (`icount report`) with the verdict; nothing is measured again"},
    {"junit", "FILE", "write it as JUnit XML"},
    {"hostname", "NAME", "the machine's name in JUnit (default: ICOUNT_HOSTNAME, else HOSTNAME, else localhost)"},
    {"json", "FILE", "write it as JSON (docs/json.md)"},
    {"sarif", "FILE", "write it as SARIF"},
    {"annotations", "", "also print GitHub workflow commands"},
    kPathsOption,
    {"out,o", "FILE", "keep the results of the SUITE here"},
    {"", "",
     "which benchmarks (--filter and --language of a RESULT, too), how a SUITE is measured (`icount suite run`)"},
};

void read_limits(const ParsedOptions& parsed, GateOptions& options) {
  options.limits = read_limit_options(parsed);
  for (const std::string& list : parsed.texts("allow"))
    for (const std::string_view kind : split(list, ',')) options.allowed.emplace_back(kind);
  for (const std::string& kind : options.allowed)
    if (kind != "new" && kind != "vanished" && kind != "growth" && kind != "compiler" && kind != "cores")
      parsed.problem(fmt::format("--allow {}: new, vanished, growth, compiler or cores can be allowed", kind));
}

}  // namespace

std::vector<std::string> read_limit_options(const ParsedOptions& parsed) {
  std::vector<std::string> limits = parsed.texts("limit");
  for (const std::string& limit : limits) {
    try {
      parse_limit_option(limit);
    } catch (const Error& error) {
      parsed.problem(error.what());
    }
  }
  return limits;
}

std::span<const OptionSpec> gate_option_table() {
  static const std::vector<OptionSpec> table = [] {
    std::vector<OptionSpec> all(std::begin(kOwnOptions), std::end(kOwnOptions));
    for (const OptionSpec& row : suite_measuring_options())
      if (!row.name.empty()) all.push_back(row);
    return all;
  }();
  return table;
}

GateOptions read_gate_options(const ParsedOptions& parsed) {
  GateOptions options;
  if (!parsed.arguments().empty()) options.subject = parsed.arguments()[0];
  options.expected = parsed.text("expected");
  options.suite = parsed.text("suite");
  options.no_expected = parsed.has("no-expected");
  options.base = {parsed.text("baseline"), parsed.text("base-ref"), parsed.text("build"), parsed.text("against"),
                  parsed.text("suite-from")};
  parsed.excludes("expected", "no-expected");
  parsed.excludes("baseline", "base-ref");
  parsed.excludes("baseline", "against");
  parsed.excludes("base-ref", "against");
  if (!options.base.build.empty() && options.base.reference.empty())
    parsed.problem("--build needs the commit that it is for, --base-ref");
  if (!options.base.suite_from.empty() && options.base.reference.empty())
    parsed.problem("--suite-from needs the commit that it is for, --base-ref");
  read_limits(parsed, options);
  for (const auto& [name, target] :
       {std::pair("markdown", &options.markdown), std::pair("html", &options.html), std::pair("junit", &options.junit),
        std::pair("json", &options.json), std::pair("sarif", &options.sarif), std::pair("out", &options.out)}) {
    *target = parsed.text(name);
    if (const auto reason = why_not_writable(*target))
      parsed.problem(fmt::format("--{} {}: {}", name, *target, *reason));
  }
  options.hostname = parsed.text("hostname");
  options.annotations = parsed.has("annotations");
  options.measuring = read_suite_measuring_options(parsed);
  for (const OptionSpec& row : suite_measuring_options())
    if (!row.name.empty() && parsed.has(row.name)) options.measuring_given.emplace_back(row.name);
  parsed.check();
  return options;
}

}  // namespace icount
