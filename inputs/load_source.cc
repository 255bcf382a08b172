#include "icount/inputs/load_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "icount/base/checked.h"
#include "icount/base/text.h"
#include "icount/explain/inside/opened_function.h"
#include "icount/inputs/listing_sources.h"
#include "icount/inputs/load_shape.h"

namespace icount {
namespace {

constexpr size_t kHead = 1;  // the side of a listing

void add_lines(const CodeFlow& flow, const std::vector<std::string>& files, FunctionListing& listing) {
  std::map<std::pair<uint32_t, uint64_t>, ListedLine> lines;
  int64_t without_line = 0;
  for (const Instruction& one : flow.instructions) {
    if (one.line == 0) {
      without_line = saturating_add(without_line, one.self);
      continue;
    }
    ListedLine& line = lines[{one.file, one.line}];
    line.executions = std::max(line.executions, one.executions);
    line.self = saturating_add(line.self, one.self);
  }
  for (auto& [place, line] : lines) {
    line.place = {files[place.first], place.second};
    listing.lines[kHead].push_back(std::move(line));
  }
  if (lines.empty())
    listing.closed = "its object has no line numbers; build with -g";
  else if (without_line != 0)
    listing.source_notes.push_back(fmt::format("{} of its self cost has no line", with_thousands(without_line)));
}

std::vector<ShownSource> sources_of(const CostGraph& graph, const ProfileCode& code, size_t event,
                                    std::span<const FunctionIndex> functions, const std::string& name,
                                    const std::string& unknown, bool is_saved) {
  const FoldedGraph folded = fold_graph(graph, event, false);
  std::vector<ShownSource> all;
  std::vector<FunctionListing> listings;
  for (const uint32_t function : chosen_functions(folded, functions)) {
    const FoldedFunction& of = folded.functions[function];
    all.push_back({.name = std::string(of.name),
                   .file = std::string(of.file),
                   .object = std::string(of.object),
                   .event = graph.events[event],
                   .self = of.self,
                   .listing = {}});
    FunctionListing& listing = listings.emplace_back(FunctionListing{.function = all.back().name});
    const CodeFlow flow = flow_of_function(folded, code, function);
    listing.closed = code.functions.empty() ? unknown : is_saved ? why_not_kept(folded, code, function) : "";
    if (listing.closed.empty()) listing.closed = flow.closed;
    if (listing.closed.empty()) add_lines(flow, code.files, listing);
  }
  load_listing_sources(listings, {"", name});
  for (size_t i = 0; i < all.size(); ++i) all[i].listing = std::move(listings[i]);
  return all;
}

}  // namespace

std::vector<ShownSource> load_source(const FileBytes& file, std::string_view name, const LoadedProfile& profile,
                                     size_t event, std::span<const FunctionIndex> functions) {
  LoadedProfile named = profile;
  named.graph.code = std::make_shared<const ProfileCode>(read_inside(file, name, profile, functions));
  name_insides(named, std::string(name));  // lines that Valgrind could not read
  return sources_of(named.graph, *named.graph.code, event, functions, std::string(name), why_no_insides(profile),
                    false);
}

std::vector<ShownSource> make_source(const std::string& name, const CostGraph& graph, size_t event,
                                     std::span<const FunctionIndex> functions) {
  return sources_of(graph, graph.code ? *graph.code : ProfileCode(), event, functions, name, kSavedWithoutInsides,
                    true);
}

}  // namespace icount
