#include "icount/timer/within.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "icount/base/command_line.h"
#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/callgraph/graph_sum.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/callgrind/code_reader.h"
#include "icount/callgrind/cost_graph_builder.h"

namespace icount {
namespace {

/// `text` as a whole, where * stands for any text and ? for one character.
bool matches(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0, star = std::string_view::npos, tried = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      tried = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++tried;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

/// Names of the functions that are called, and of all others, each once.
struct RunNames {
  FunctionNames called, others;
};

RunNames names_of(const CallgrindRun& run) {
  RunNames names;
  for (const ProcessProfile& process : run.processes)
    for (const Profile& profile : process.programs) {
      std::vector<bool> is_called(profile.functions.size());
      for (const ProfilePart& part : profile.parts)
        for (const Edge& edge : part.edges) is_called[edge.callee] = true;
      for (FunctionIndex f = 0; f < is_called.size(); ++f)
        (is_called[f] ? names.called : names.others).emplace(profile.strings.view(profile.functions[f].name));
    }
  return names;
}

/// Up to three names that hold the text, for who misspelt one; empty: none.
std::string similar_names(const FunctionNames& names, std::string_view text) {
  std::string list;
  int found = 0;
  for (const std::string& name : names)
    if (name.find(text) != std::string::npos && ++found <= 3) list += (found == 1 ? "" : ", ") + name;
  return found > 3 ? list + ", ..." : list;
}

struct Range {
  int64_t least = 0, most = 0;
  bool holds(int64_t value) const { return least <= value && value <= most; }
  std::string text() const {
    return least == most ? with_thousands(least) : fmt::format("{} to {}", with_thousands(least), with_thousands(most));
  }
};

/// The calls of some functions in one program that are not made inside of another one's.
class OutermostCalls {
 public:
  OutermostCalls(const Profile& profile, const FunctionNames& functions) : graph_(make_cost_graph(Profile(profile))) {
    complete_inclusive(graph_);
    const size_t count = graph_.functions.size();
    callees_.resize(count);
    chosen_.resize(count);
    entered_.resize(count);
    for (const Edge& edge : graph_.edges) {
      callees_[edge.caller].push_back(edge.callee);
      entered_[edge.callee] = true;
    }
    std::vector<FunctionIndex> chosen, outer;
    for (FunctionIndex f = 0; f < count; ++f)
      if ((chosen_[f] = functions.contains(graph_.name(f)))) chosen.push_back(f);
    inside_.resize(count);
    reach(chosen, inside_, [](FunctionIndex) { return true; });
    for (FunctionIndex f = 0; f < count; ++f)
      if (!inside_[f]) outer.push_back(f);
    outside_ = inside_;
    outside_.flip();
    reach(outer, outside_, [&](FunctionIndex f) { return !chosen_[f]; });
  }

  int64_t total() const { return graph_.totals.at(0); }

  /// How often each function was entered while it was not active, by name.
  std::map<std::string, Range> entries() const {
    std::map<std::string, Range> entries;
    for (const Edge& edge : graph_.edges) {
      if (!chosen_[edge.callee]) continue;
      Range& range = entries[std::string(graph_.name(edge.callee))];
      if (!inside_[edge.caller]) range.least += edge.calls;
      range.most += edge.calls;
    }
    return entries;
  }

  /// What runs between their begins and their ends. Where a chosen function leads to who calls one, some calls may not
  /// be outermost; signal handlers and other threads may run at any time, in a call or not.
  Range cost() const {
    Range range;
    for (size_t e = 0; e < graph_.edges.size(); ++e) {
      const Edge& edge = graph_.edges[e];
      if (!chosen_[edge.callee] || chosen_[edge.caller] || !outside_[edge.caller]) continue;
      if (!inside_[edge.caller]) range.least += graph_.inclusive_of(e, 0);
      range.most += graph_.inclusive_of(e, 0);
    }
    for (FunctionIndex f = 0; f < graph_.functions.size(); ++f) {
      if (entered_[f] || (leads_to_main(f) && !chosen_[f])) continue;
      int64_t cost = graph_.self_of(f, 0);
      for (size_t e = 0; e < graph_.edges.size(); ++e)
        if (graph_.edges[e].caller == f) cost += graph_.inclusive_of(e, 0);
      range.most += cost;
    }
    return range;
  }

 private:
  bool leads_to_main(FunctionIndex f) const {
    std::vector<bool> reached(graph_.functions.size());
    reached[f] = true;
    reach({f}, reached, [](FunctionIndex) { return true; });
    for (FunctionIndex g = 0; g < reached.size(); ++g)
      if (reached[g] && graph_.name(g) == "(below main)") return true;
    return false;
  }

  /// Adds what `todo` calls, and so on from those functions that `goes_on` names.
  template <typename GoesOn>
  void reach(std::vector<FunctionIndex> todo, std::vector<bool>& reached, GoesOn goes_on) const {
    while (!todo.empty()) {
      const FunctionIndex from = todo.back();
      todo.pop_back();
      if (!goes_on(from)) continue;
      for (const FunctionIndex to : callees_[from])
        if (!reached[to]) {
          reached[to] = true;
          todo.push_back(to);
        }
    }
  }

  CostGraph graph_;
  std::vector<std::vector<FunctionIndex>> callees_;
  std::vector<bool> chosen_;   ///< by function
  std::vector<bool> entered_;  ///< something calls it
  std::vector<bool> inside_;   ///< a chosen function leads there
  std::vector<bool> outside_;  ///< a way leads there that passes no chosen function
};

/// How often a dump was written before each function.
std::map<std::string, int64_t> begins_of(const Profile& profile, const FunctionNames& functions) {
  std::map<std::string, int64_t> begins;
  for (const ProfilePart& part : profile.parts)
    if (const std::string_view name = begun_function(part, functions); !name.empty()) ++begins[std::string(name)];
  return begins;
}

/// What of the profile ran within `functions`.
int64_t cost_within(Profile profile, const FunctionNames& functions) {
  keep_within(profile, functions, 0);
  int64_t cost = 0;
  for (const ProfilePart& part : profile.parts) cost += part.totals.at(0);
  return cost;
}

[[noreturn]] void fail(const std::vector<std::string>& argv, std::string_view what) {
  throw Error(ErrorKind::kTool,
              fmt::format("cannot count {} within functions: {}; a region (icount/region.h) names a part in the source",
                          shell_quote(argv), what));
}

/// The program of a run without dumps that this one is; nullptr where the runs differ, or in a copy, whose begin may be
/// inside of a call.
const Profile* find_twin(const CallgrindRun& whole, const CallgrindRun& cut, size_t process, size_t program) {
  if (cut.processes[process].is_copy || whole.processes.size() != cut.processes.size()) return nullptr;
  const std::vector<Profile>& programs = whole.processes[process].programs;
  return programs.size() == cut.processes[process].programs.size() ? &programs[program] : nullptr;
}

}  // namespace

FunctionNames functions_meant(std::string_view words, const FunctionNames& names) {
  FunctionNames literally, by_pattern;
  for (const std::string& name : names) {
    const std::string_view base = canonical_name(name);
    for (const std::string& form : {name, std::string(base), name_without_parameters(base), plain_name(base)}) {
      if (words == form) literally.insert(name);
      if (matches(words, form)) by_pattern.insert(name);
    }
  }
  return literally.empty() ? by_pattern : literally;
}

FunctionNames find_functions(const std::vector<std::string>& patterns, const std::vector<std::string>& argv,
                             const CallgrindRun& run, const std::function<FunctionNames()>& find_uncalled) {
  const auto [names, others] = names_of(run);
  FunctionNames found;
  for (const std::string& pattern : patterns) {
    FunctionNames meant = functions_meant(pattern, names);
    if (!meant.empty()) {
      found.merge(meant);
      continue;
    }
    FunctionNames uncalled = functions_meant(pattern, others);
    if (uncalled.empty() && find_uncalled) uncalled = functions_meant(pattern, find_uncalled());
    if (!uncalled.empty())
      fail(argv,
           fmt::format("{} is entered by a return or a computed jump, as fibers and retpolines do, and by no call",
                       *uncalled.begin()));
    const std::string similar = similar_names(names, pattern);
    throw Error(ErrorKind::kTool,
                fmt::format("cannot count {}: it calls no function {} (was it inlined?); --within takes names as the "
                            "profile has them, with * and ?{}",
                            shell_quote(argv), pattern, similar.empty() ? "" : "; it calls " + similar));
  }
  return found;
}

void check_calls_within(const FunctionNames& functions, const std::vector<std::string>& argv, const CallgrindRun& whole,
                        const CallgrindRun& cut) {
  for (size_t p = 0; p < cut.processes.size(); ++p)
    for (size_t i = 0; i < cut.processes[p].programs.size(); ++i) {
      const Profile& profile = cut.processes[p].programs[i];
      const OutermostCalls calls(profile, functions);
      std::map<std::string, int64_t> begins = begins_of(profile, functions);
      for (const auto& [name, entries] : calls.entries())
        if (!entries.holds(begins[name]))
          fail(argv, fmt::format("{} begins of {} were recorded, it was called {} times", with_thousands(begins[name]),
                                 name, entries.text()));
      const Profile* const twin = find_twin(whole, cut, p, i);
      if (twin == nullptr) continue;
      const int64_t cost = cost_within(profile, functions);
      const OutermostCalls plain(*twin, functions);
      Range expected = plain.cost();
      const int64_t moved = std::abs(plain.total() - calls.total());
      expected.least -= moved;
      expected.most += moved;
      for (const Range& range : {calls.cost(), expected})
        if (!range.holds(cost))
          fail(argv, fmt::format("{} Ir ran between the recorded begins and ends, and the calls cost {} Ir{}",
                                 with_thousands(cost), range.text(),
                                 profile.parts.at(0).thread > 0 ? " in all threads; leave out --per-thread" : ""));
    }
}

void keep_calls_within(const FunctionNames& functions, CallgrindRun& run) {
  std::vector<std::vector<int64_t>> depths;  // at the begin of each process's programs
  for (const ProcessProfile& process : run.processes) {
    std::vector<int64_t>& own = depths.emplace_back(process.programs.size(), 0);
    if (!process.is_copy || own.empty() || process.programs[0].parts.empty()) continue;
    const auto parent = static_cast<size_t>(process.parent);
    if (process.copied_from >= run.processes[parent].programs.size()) continue;
    own[0] = depth_at(run.processes[parent].programs[process.copied_from], functions,
                      process.programs[0].parts[0].first_block, depths[parent][process.copied_from]);
  }
  for (size_t p = 0; p < run.processes.size(); ++p) {
    std::vector<Profile>& programs = run.processes[p].programs;
    for (size_t i = 0; i < programs.size(); ++i) keep_within(programs[i], functions, depths[p][i]);
    std::erase_if(programs, [](const Profile& profile) { return profile.parts.empty(); });
  }
}

namespace {

struct Gathered {
  int64_t entries = 0;
  std::vector<CostGraph> graphs;
};

class RegionFinder {
 public:
  RegionFinder(const CallgrindRun& run, CodeNamer& namer) : run_(run), namer_(namer) {}

  ProgramRegions find() {
    for (const ProcessProfile& process : run_.processes) {
      std::vector<OpenRegions>& starts = starts_.emplace_back(process.programs.size());
      if (process.is_copy && !process.programs.empty()) starts[0] = start_of_copy(process);
      for (size_t i = 0; i < process.programs.size(); ++i) add(find_named_regions(process.programs[i], starts[i]));
    }
    for (auto& [name, gathered] : gathered_) {
      if (gathered.graphs.empty()) continue;
      std::vector<const CostGraph*> all;
      for (const CostGraph& graph : gathered.graphs) all.push_back(&graph);
      found_.regions.push_back({name, gathered.entries, sum_graphs(all)});
      keep_costly_code(found_.regions.back().graph);
    }
    add_notes();
    return std::move(found_);
  }

 private:
  OpenRegions start_of_copy(const ProcessProfile& process) const {
    const auto parent = static_cast<size_t>(process.parent);
    const std::vector<Profile>& programs = run_.processes[parent].programs;
    if (process.copied_from >= programs.size() || process.programs[0].parts.empty()) return {};
    return open_regions_at(programs[process.copied_from], process.programs[0].parts[0].first_block,
                           starts_[parent][process.copied_from]);
  }

  void add(NamedRegions&& named) {
    std::vector<CodeToName> graphs;
    for (auto& [name, region] : named.regions) {
      namer_.place_code(region.graph);
      graphs.push_back({&region.graph});
    }
    namer_.name(graphs);
    for (auto& [name, region] : named.regions) {
      gathered_[name].entries += region.entries;
      if (!region.graph.events.empty() && region.graph.totals.at(0) != 0)  // 0: not instrumented there
        gathered_[name].graphs.push_back(std::move(region.graph));
    }
    for (const auto& [name, depth] : named.open.depth) left_open_.insert(name);
    found_.inside += named.inside;
    unmatched_ += named.unmatched;
  }

  void add_notes() {
    if (unmatched_ > 0)
      found_.notes.push_back(
          fmt::format("{} end{} of a region had no begin before {}: the names of a begin and its end must be the same",
                      unmatched_, unmatched_ == 1 ? "" : "s", unmatched_ == 1 ? "it" : "them"));
    for (const std::string& name : left_open_)
      found_.notes.push_back(fmt::format("region {} was not ended when a process ended; it is counted to there", name));
  }

  const CallgrindRun& run_;
  CodeNamer& namer_;
  std::vector<std::vector<OpenRegions>> starts_;  // at the begin of each process's programs
  std::map<std::string, Gathered> gathered_;
  std::set<std::string> left_open_;
  int64_t unmatched_ = 0;
  ProgramRegions found_;
};

}  // namespace

ProgramRegions find_program_regions(const CallgrindRun& run, CodeNamer& namer) {
  return RegionFinder(run, namer).find();
}

}  // namespace icount
