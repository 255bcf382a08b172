#include "icount/inputs/load_profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <system_error>

#include "icount/base/error.h"
#include "icount/base/large_pages.h"
#include "icount/base/text.h"
#include "icount/callgrind/call_count_trust.h"
#include "icount/callgrind/code_reader.h"
#include "icount/callgrind/parser.h"
#include "icount/inputs/run_files.h"
#include "icount/objects/name_code.h"
#include "icount/report/gate_report.h"
#include "icount/stacks/stack_contexts.h"

namespace icount {
namespace {

/// Of other tools than Callgrind: what a call costs is at most what its callee, and what that calls, cost.
std::string describe_missing_callees(const CostGraph& graph) {
  constexpr double kNoticed = 1.01;
  const InclusiveCosts costs = make_inclusive_costs(graph);
  int64_t most = 0;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    most = std::max({most, costs.of(f, 0), costs.entering_of(f, 0)});
  const auto total = static_cast<double>(graph.totals[0]);
  if (std::any_of(graph.self.begin(), graph.self.end(), [](int64_t cost) { return cost < 0; })) return {};
  if (total <= 0 || static_cast<double>(most) <= kNoticed * total) return {};
  return fmt::format(
      "an inclusive cost is {:.0f} % of all self cost: functions that were called are missing from the "
      "file (yappi leaves out built-in functions unless it is started with builtins=True)",
      100 * static_cast<double>(most) / total);
}

/// Sums of what calls cost are held at the end of int64. A function that runs for as long is in no honest file.
std::string describe_held_costs(const CostGraph& graph) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const auto largest = [](const std::vector<int64_t>& costs) {
    return costs.empty() ? 0 : std::max<int64_t>(0, *std::max_element(costs.begin(), costs.end()));
  };
  const auto edges = static_cast<int64_t>(graph.edges.size());
  if (edges == 0 || largest(graph.inclusive) < (kMost - largest(graph.totals)) / edges) return {};
  const InclusiveCosts costs = make_inclusive_costs(graph);
  if (largest(costs.cost) < kMost && largest(costs.entering) < kMost) return {};
  return fmt::format("an inclusive cost does not fit into 64 bits and is given as {}: the file is damaged, or made up",
                     with_thousands(kMost));
}

/// The tables of a profile take a third of its size. Larger ones than the heap keeps when they are freed would not be
/// taken from the same place again (cli/main.cc).
void expect_tables(const FileBytes& file) {
  constexpr size_t kLarge = size_t{4} << 20, kMost = size_t{24} << 20;
  if (file.view().size() >= kLarge) prefer_large_pages(std::min(kMost, file.view().size() / 2));
}

LoadedProfile parse_with(std::string_view bytes, std::string_view name, const ParseOptions& options) {
  Profile profile = parse_profile(bytes, name, options);
  LoadedProfile loaded;
  loaded.command = profile.command;
  for (const ProfileWarning& warning : profile.warnings) {
    const std::string times = warning.count > 1 ? fmt::format(" ({} times)", warning.count) : std::string();
    loaded.warnings.push_back(fmt::format("{}:{}: {}{}", name, warning.line, warning.text, times));
  }
  if (std::string said = describe_run_files(name, bytes); !said.empty())
    loaded.warnings.push_back(fmt::format("{}: {}", name, said));
  loaded.small_collection = describe_small_collection(profile);
  if (!loaded.small_collection.empty())
    loaded.warnings.push_back(
        fmt::format("{}: {}: collection was on for almost none of the run; is the work still inside what is measured?",
                    name, loaded.small_collection));
  const bool is_foreign = !profile.creator.starts_with("callgrind-");
  loaded.has_addresses = profile.emitter_rule;
  for (const ProfilePart& part : profile.parts) loaded.has_addresses = loaded.has_addresses && part.has_addresses;
  loaded.has_costly_code = profile.has_costly_code;
  loaded.graph = in_context(name, [&] { return make_cost_graph(std::move(profile)); });
  if (is_foreign)
    if (std::string missing = describe_missing_callees(loaded.graph); !missing.empty())
      loaded.warnings.push_back(fmt::format("{}: {}", name, missing));
  if (std::string held = describe_held_costs(loaded.graph); !held.empty())
    loaded.warnings.push_back(fmt::format("{}: {}", name, held));
  if (auto stacks = take_call_stacks(loaded.graph))
    loaded.stacks = std::make_shared<const CallStacks>(std::move(*stacks));
  if (loaded.stacks) loaded.graph.code = nullptr;  // of contexts
  return loaded;
}

/// A mapped file's memory of what was read.
void give_back(const FileBytes& file, std::string_view piece) {
  const auto begin = static_cast<size_t>(piece.data() - file.view().data());
  file.release_memory(begin, begin + piece.size());
}

}  // namespace

LoadedProfile parse_profile_graph(std::string_view bytes, std::string_view name, bool keep_lines) {
  ParseOptions options;
  options.keep_lines = keep_lines;
  return parse_with(bytes, name, options);
}

LoadedProfile parse_profile_graph(const FileBytes& file, std::string_view name, bool keep_lines) {
  expect_tables(file);
  ParseOptions options;
  options.keep_lines = keep_lines;
  options.consumed = [&file](std::string_view piece) { give_back(file, piece); };
  return parse_with(file.view(), name, options);
}

LoadedProfile parse_profile_insides(const FileBytes& file, std::string_view name, KeptCode kept) {
  const double part = kept == KeptCode::kAll ? std::numeric_limits<double>::min() : kCostlyPart;
  expect_tables(file);
  ParseOptions options;
  options.keep_lines = true;
  options.keep_costly_insides = part;
  options.consumed = [&file](std::string_view piece) { give_back(file, piece); };
  LoadedProfile loaded = parse_with(file.view(), name, options);
  if (loaded.has_costly_code) return loaded;
  ProfileCode code = read_inside(
      file, name, loaded, part == 0 ? functions_with_sources(loaded.graph) : costly_functions(loaded.graph, part));
  if (!code.functions.empty()) loaded.graph.code = std::make_shared<const ProfileCode>(std::move(code));
  return loaded;
}

void name_insides(LoadedProfile& profile, const std::filesystem::path& path) {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(path, error);
  if (!profile.graph.code || error) return;
  CodeToName wanted{&profile.graph, written};
  CodeNamer().name(wanted);
  if (const std::string said = describe_misplaced_code(wanted.misplaced); !said.empty())
    profile.warnings.push_back(fmt::format("{}: {}", path.string(), said));
}

ProfileCode read_inside(const FileBytes& file, std::string_view name, const LoadedProfile& profile,
                        std::span<const FunctionIndex> functions) {
  if (!profile.has_addresses || profile.stacks) return {};
  return read_code(file.view(), name, profile.graph, functions,
                   [&file](std::string_view piece) { give_back(file, piece); });
}

size_t find_event(const CostGraph& graph, std::string_view event, std::string_view name) {
  if (event.empty()) return 0;
  if (const auto column = graph.event_index(event)) return *column;
  throw Error(ErrorKind::kUsage,
              fmt::format("{}: no event '{}'; it has {}", name, event, fmt::join(graph.events, ", ")));
}

namespace {

/// "'a', 'b' and 3 more": what a reader can choose from, however many and however long they are.
std::string choices(const std::vector<std::string>& keys) {
  constexpr size_t kMost = 30, kLongest = 300;
  if (keys.empty()) return "none, the file is empty";
  std::vector<std::string> shown;
  for (size_t i = 0; i < keys.size() && i < kMost; ++i)
    shown.push_back(fmt::format("'{}'", shorten_middle(keys[i], kLongest)));
  const std::string more = keys.size() > kMost ? fmt::format(" and {} more", keys.size() - kMost) : "";
  return fmt::format("{}{}", fmt::join(shown, ", "), more);
}

}  // namespace

const Result& pick_result(const ResultFile& file, std::string_view label, const PickPlace& place) {
  std::vector<const Result*> found, found_without_language;
  std::vector<std::string> labels;
  for (const Result& result : file.results) {
    labels.push_back(result_key(result));
    if (label.empty() || result_label(result) == label || labels.back() == label) found.push_back(&result);
    if (without_language(labels.back()) == label) found_without_language.push_back(&result);
  }
  if (found.empty()) found.swap(found_without_language);
  if (found.size() == 1) return *found[0];
  throw Error(ErrorKind::kUsage, fmt::format("{}: {}; --{} takes one of {}", place.file,
                                             found.empty() ? fmt::format("no result '{}'", label)
                                                           : fmt::format("holds {} results", found.size()),
                                             place.option, choices(labels)));
}

}  // namespace icount
