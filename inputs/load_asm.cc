#include "icount/inputs/load_asm.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgrind/code_reader.h"
#include "icount/explain/inside/opened_function.h"
#include "icount/harness/elf_file.h"
#include "icount/inputs/listing_sources.h"
#include "icount/objects/disassembly.h"
#include "icount/objects/name_code.h"

namespace icount {
namespace {

/// The folded functions that `functions` are pieces of, by self cost, the most first.
std::vector<uint32_t> chosen_functions(const FoldedGraph& folded, std::span<const FunctionIndex> functions) {
  std::vector<uint32_t> chosen;
  for (const FunctionIndex f : functions)
    if (std::find(chosen.begin(), chosen.end(), folded.folded_of[f]) == chosen.end())
      chosen.push_back(folded.folded_of[f]);
  const auto self = [&](uint32_t function) { return folded.functions[function].self; };
  std::stable_sort(chosen.begin(), chosen.end(), [&](uint32_t a, uint32_t b) { return self(a) > self(b); });
  return chosen;
}

/// Why a result, which says it of others, says nothing about the inside of this folded function; empty where it does.
std::string why_not_kept(const FoldedGraph& folded, const ProfileCode& code, uint32_t function) {
  for (const FunctionCode& one : code.functions)
    if (folded.folded_of[one.function] == function) return {};
  const FoldedFunction& of = folded.functions[function];
  const int64_t total = folded.graph->totals[folded.event];
  if (static_cast<double>(of.self) < kCostlyPart * static_cast<double>(total))
    return fmt::format(
        "results keep what happens inside functions that have at least a ten-thousandth of the cost; its self cost is "
        "{} of {}",
        with_thousands(of.self), with_thousands(total));
  return "the result does not keep what happens inside it: not all of its self cost was recorded with its addresses";
}

std::vector<ShownShape> shapes_of(const CostGraph& graph, const ProfileCode& code, size_t event,
                                  std::span<const FunctionIndex> functions, const std::string& unknown, bool saved) {
  const FoldedGraph folded = fold_graph(graph, event, false);
  std::vector<ShownShape> shapes;
  for (const uint32_t function : chosen_functions(folded, functions)) {
    const FoldedFunction& of = folded.functions[function];
    ShownShape shown{.name = std::string(of.name),
                     .file = std::string(of.file),
                     .object = std::string(of.object),
                     .event = graph.events[event],
                     .self = of.self,
                     .shape = make_shape(flow_of_function(folded, code, function)),
                     .files = code.files};
    if (code.functions.empty()) {
      shown.shape.closed = unknown;
    } else if (std::string why = saved ? why_not_kept(folded, code, function) : std::string(); !why.empty()) {
      shown.shape.closed = std::move(why);
    }
    for (uint32_t loop = 0; loop < shown.shape.loops.size(); ++loop)
      shown.loops.push_back(loop_place(shown.shape, loop, code, shown.file));
    shapes.push_back(std::move(shown));
  }
  return shapes;
}

/// Why a profile says nothing about the inside of any function.
std::string why_no_insides(const LoadedProfile& profile) {
  if (profile.stacks) return "the profile has contexts (--separate-callers)";
  return std::string(profile.has_addresses ? "the profile has no jumps" : "the profile has no addresses") +
         "; profile with --dump-instr=yes --collect-jumps=yes";
}

}  // namespace

std::vector<ShownShape> load_shapes(const FileBytes& file, std::string_view name, const LoadedProfile& profile,
                                    size_t event, std::span<const FunctionIndex> functions) {
  return shapes_of(profile.graph, read_inside(file, name, profile, functions), event, functions,
                   why_no_insides(profile), false);
}

std::vector<ShownShape> make_shapes(const CostGraph& graph, size_t event, std::span<const FunctionIndex> functions) {
  return shapes_of(graph, graph.code ? *graph.code : ProfileCode(), event, functions, kSavedWithoutInsides, true);
}

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

namespace {

namespace fs = std::filesystem;

/// Why the object of a profile says nothing of it.
std::string why_left_out(const std::string& path, fs::file_time_type recorded) {
  std::error_code error;
  if (!path.starts_with('/')) return "its code is in no object file";
  const auto changed = fs::last_write_time(path, error);
  if (error) return fmt::format("{}: {}", path, error.message());
  if (!fs::is_regular_file(path, error)) return path + " is not a file";
  if (changed > recorded) return path + " was changed after the profile was written: it may be another build";
  return path + " does not fit the profile: no function lies at its symbol, or other lines are at its addresses";
}

class AsmMaker {
 public:
  AsmMaker(const CostGraph& graph, size_t event, std::optional<fs::file_time_type> recorded)
      : graph_(graph), event_(event), recorded_(recorded), folded_(fold_graph(graph, event, false)) {}

  std::vector<ShownAssembly> make(std::span<const FunctionIndex> functions, const std::string& unknown) {
    std::vector<ShownAssembly> all;
    for (const uint32_t function : chosen_functions(folded_, functions)) {
      const FoldedFunction& of = folded_.functions[function];
      ShownAssembly shown{.name = std::string(of.name),
                          .file = std::string(of.file),
                          .object = std::string(of.object),
                          .event = graph_.events[event_],
                          .self = of.self};
      if (!graph_.code || graph_.code->functions.empty())
        shown.closed = unknown;
      else
        fill(function, shown);
      all.push_back(std::move(shown));
    }
    return all;
  }

 private:
  void fill(uint32_t function, ShownAssembly& shown) const {
    const CodeFlow flow = flow_of_function(folded_, *graph_.code, function);
    if (!flow.closed.empty()) {
      const std::string why = recorded_ ? std::string() : why_not_kept(folded_, *graph_.code, function);
      shown.closed = why.empty() ? flow.closed : why;
      return;
    }
    const CodeObject* const object = find_object(*graph_.code, shown.object);
    if (shown.closed = why_unknown(object, shown.object); !shown.closed.empty()) return;
    std::map<uint64_t, const Instruction*> executed;
    std::vector<uint64_t> addresses;
    for (const Instruction& one : flow.instructions) {
      addresses.push_back(one.address - object->load_bias);
      executed[addresses.back()] = &one;
    }
    try {
      for (MachineInstruction& one : disassemble(object->path, addresses)) {
        ShownInstruction& row = shown.instructions.emplace_back();
        row.address = one.address;
        row.text = std::move(one.text);
        if (one.wanted) add_figures(*executed.at(one.address), row);
      }
    } catch (const Error& error) {
      shown.closed = error.what();
    }
  }

  void add_figures(const Instruction& one, ShownInstruction& row) const {
    row.executions = one.executions;
    row.self = one.self;
    row.line = one.line;
    if (one.line != 0) row.file = base_of_path(graph_.code->files[one.file]);
    if (one.inlined != 0) row.inlined = graph_.code->inlined[one.inlined - 1].name;
  }

  std::string why_unknown(const CodeObject* object, const std::string& name) const {
    if (!object)
      return recorded_ ? why_left_out(name, *recorded_)
                       : fmt::format(
                             "the result does not say which build of {} it counted: it has no symbols of these "
                             "functions, or the result was saved by an earlier icount",
                             name);
    if (recorded_) return {};
    std::error_code error;
    if (!fs::exists(object->path, error)) return fmt::format("{}: No such file or directory", object->path);
    if (!fs::is_regular_file(object->path, error)) return object->path + " is not a file";
    const std::string identity = load_file_identity(object->path);
    if (identity == object->identity) return {};
    return fmt::format("{} is another build: its build id is {}, that of the one counted {}", object->path, identity,
                       object->identity);
  }

  const CostGraph& graph_;
  size_t event_;
  std::optional<fs::file_time_type> recorded_;  ///< when a profile was written; empty for a result
  FoldedGraph folded_;
};

}  // namespace

std::vector<ShownAssembly> load_asm(const FileBytes& file, std::string_view name, const LoadedProfile& profile,
                                    size_t event, std::span<const FunctionIndex> functions) {
  CostGraph graph = profile.graph;
  // Where an object lay is told by all functions that it has.
  std::vector<FunctionIndex> costly = costly_functions(graph, kCostlyPart);
  costly.insert(costly.end(), functions.begin(), functions.end());
  graph.code = std::make_shared<const ProfileCode>(read_inside(file, name, profile, costly));
  std::error_code error;
  auto recorded = fs::last_write_time(fs::path(name), error);
  if (error) recorded = fs::file_time_type::max();
  CodeToName wanted{&graph, recorded};
  CodeNamer().name(wanted);
  return AsmMaker(graph, event, recorded).make(functions, why_no_insides(profile));
}

std::vector<ShownAssembly> make_asm(const CostGraph& graph, size_t event, std::span<const FunctionIndex> functions) {
  return AsmMaker(graph, event, std::nullopt).make(functions, kSavedWithoutInsides);
}

}  // namespace icount
