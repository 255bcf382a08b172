#include "icount/timer/program_regions.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <vector>

#include "icount/callgraph/graph_sum.h"
#include "icount/callgrind/code_reader.h"
#include "icount/callgrind/named_regions.h"

namespace icount {
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
