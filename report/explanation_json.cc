#include "icount/report/explanation_json.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "icount/explain/cause_facts.h"
#include "icount/mine/cause_parts.h"
#include "icount/report/cause_sentence.h"
#include "icount/report/listing_document.h"
#include "icount/report/mine_json.h"

namespace icount {
namespace {

// The figures of a cause's sentence as JSON: what report/cause_sentence.h puts into words. docs/json.md says what the
// fields are.

using namespace fact;

/// The kind of a fact and its figures.
using Told = std::pair<std::string_view, Json>;

Json of(const SelfFigures& x) {
  Json json = {{"cost", x.cost}, {"calls", x.calls}};
  json["per"] = x.in_total ? "total" : x.of_cycle ? "call from outside" : "call";
  if (x.of_common_calls) json["of_calls"] = x.all_calls;
  if (x.are_other_calls) json["is_remainder"] = true;
  return json;
}

std::string_view of(AllocatorEntry entry) {
  return entry == AllocatorEntry::kNone ? "" : entry == AllocatorEntry::kAllocates ? "allocates" : "frees";
}

Json of(const LoopName& x) {
  Json json = {{"name", x.loop}, {"inlined", x.inlined}, {"function", x.function}};
  if (!x.instead_of.empty()) json["instead_of"] = {{"name", x.instead_of}, {"inlined", x.instead_of_inlined}};
  return json;
}

Json of(const Doer& x) {
  using Kind = Doer::Kind;
  switch (x.kind) {
    case Kind::kFunction:
      return {{"is", "function"}, {"function", x.function}};
    case Kind::kRun:
      return {{"is", "run"}};
    case Kind::kIteration:
      return {{"is", "iteration"}, {"loop", of(x.loop)}};
    case Kind::kLoop:
      return {{"is", "entry"}, {"loop", of(x.loop)}};
    case Kind::kLastTest:
      return {{"is", "last-test"}, {"loop", of(x.loop)}};
    case Kind::kCode:
      break;
  }
  return {{"is", "code"}, {"place", x.place}, {"function", x.function}};
}

Json of(const Target& x) { return {{"place", x.place}, {"line", x.line}, {"is_loop", x.is_loop}}; }

std::string_view of(Turn turn) { return turn == Turn::kRun ? "run" : "iteration"; }
std::string_view per(bool in_total) { return in_total ? "total" : "call"; }

Told told(const std::monostate&) { return {}; }
Told told(const SelfCost& x) {
  Json json = {{"function", x.function}, {"figures", of(x.figures)}};
  if (x.lines_run != 0) json["lines_likely_run_times"] = x.lines_run;
  return {"self-cost", std::move(json)};
}
Told told(const MemberCost& x) {
  return {"member-cost",
          {{"function", x.function}, {"per", x.in_total ? "total" : "call from outside"}, {"cost", x.cost}}};
}
Told told(const TotalCost& x) { return {"total-cost", {{"function", x.function}, {"was", x.was}, {"cost", x.cost}}}; }
Told told(const OwnAllocations& x) {
  return {x.frees ? "own-frees" : "own-allocations", {{"function", x.function}, {"all", x.all}, {"calls", x.calls}}};
}
Told told(const Calls& x) {
  Json json = {{"caller", x.caller}, {"callee", x.callee}, {"calls", x.calls}, {"callers", x.callers}};
  if (x.of_itself)
    json["for_each_outer"] = x.for_each_outer;
  else if (!x.in_total)
    json.update({{"per_call", x.per_call}, {"common", x.common}});
  if (x.price[0] != 0 || x.price[1] != 0) json["price"] = x.price;
  if (x.entry != AllocatorEntry::kNone) json["does"] = of(x.entry);
  if (!x.mostly_caller.empty()) json["mostly_caller"] = x.mostly_caller;
  if (!x.mostly_callee.empty()) json["mostly_callee"] = x.mostly_callee;
  return {x.of_itself ? "recursion" : "calls", std::move(json)};
}
Told told(const fact::CallsOnBehalf& x) {
  return {"calls-on-behalf", {{"by", x.by}, {"through", told(x.through).second}}};
}
Told told(const Entries& x) { return {"entries", {{"function", x.function}, {"entries", x.entries}}}; }
Told told(const Renamed& x) {
  Json json = {{"names", x.names}, {"objects", x.objects}, {"evidence", x.evidence}};
  json["by"] = x.by == RenamedBy::kEvidence ? "evidence" : x.by == RenamedBy::kDispatch ? "dispatch" : "object";
  if (x.costs_otherwise) json["figures"] = of(x.figures);
  return {"renamed", std::move(json)};
}
Told told(const Inlined& x) {
  return {x.into_caller ? "inlined" : "not-inlined",
          {{"caller", x.caller},
           {"callee", x.callee},
           {"callee_is_known", x.callee_is_known},
           {"more_callees", x.more_callees},
           {"loop", x.loop},
           {"rest", x.rest},
           {"own", x.own},
           {"calls", x.calls},
           {"count", x.count}}};
}
Told told(const SharedInlining& x) {
  return {x.into_callers ? "inlined" : "not-inlined",
          {{"callee", x.callee},
           {"callers", x.callers},
           {"more_callers", x.more_callers},
           {"own", x.own},
           {"calls", x.calls},
           {"count", x.count}}};
}
Told told(const fact::CallsSaved& x) {
  return {"calls-of-inlining",
          {{"caller", x.caller},
           {"callee", x.callee},
           {"into", x.into},
           {"into_caller", x.into_caller},
           {"calls", x.calls}}};
}
Told told(const SavedCallsApart& x) { return {"told-apart", {{"caller", x.caller}, {"callee", x.callee}}}; }
Told told(const AllocatorReplaced& x) { return {"allocator", {{"libraries", x.libraries}}}; }
Told told(const ContainerReplaced& x) {
  return {"container", {{"containers", x.containers}, {"user", x.user}, {"more_users", x.more_users}}};
}
Told told(const DeeperRecursion& x) {
  return {"deeper-recursion",
          {{"functions", {x.first, x.second}},
           {"others", x.others},
           {"for_each_outer", x.for_each_outer},
           {"calls", x.calls},
           {"caller", x.caller},
           {"callee", x.callee}}};
}
Told told(const LongerWork& x) { return {"work", {{"function", x.function}, {"factor", x.factor}}}; }
Told told(const LongerLoop& x) {
  return {"longer-loop", {{"function", x.function}, {"cost", x.cost}, {"callees", x.callees}}};
}
Told told(const GrownRecursion& x) {
  Json json = {{"function", x.function}, {"calls", x.calls}};
  if (!x.has_other_changes) json["cost"] = x.cost;
  return {"recursion", std::move(json)};
}
Told told(const GrownCycle& x) { return {"cycle", {{"function", x.function}}}; }
Told told(const SharedCallee& x) {
  return {x.gained ? "callee-gained" : "callee-lost",
          {{"function", x.function},
           {"instead_of", x.instead_of},
           {"most", x.most},
           {"callers", x.callers},
           {"calls", x.gained ? Counts{x.others, x.calls} : Counts{x.calls, x.others}}}};
}
Told told(const ReplacedCall& x) {
  return {"replaced-call", {{"caller", x.caller}, {"callees", x.callees}, {"calls", x.calls}, {"price", x.price}}};
}
std::string_view of(BuildGuess guess) {
  switch (guess) {
    case BuildGuess::kAssertions:
      return "assertions";
    case BuildGuess::kStackProtection:
      return "stack-protection";
    case BuildGuess::kNoOptimisation:
      return "no-optimisation";
    case BuildGuess::kNone:
      break;
  }
  return "";
}

Told told(const fact::Rebuilt& x) {
  Json json = {{"object", x.object}, {"producers", x.producers}, {"functions", x.common}, {"changed", x.changed}};
  json["alone"] = x.alone;
  if (x.guess != BuildGuess::kNone) json["guess"] = {{"of", of(x.guess)}, {"in_head", x.guess_in_head}};
  return {"rebuilt", std::move(json)};
}
Told told(const fact::LinkTime& x) {
  return {"link-time", {{"object", x.object}, {"in_head", x.in_head}, {"functions", x.functions}}};
}
Told told(const CostPlace& x) {
  return {"place",
          {{"function", x.function},
           {"calls", x.calls},
           {"inclusive", x.inclusive},
           {"callees", x.callees},
           {"elsewhere", x.elsewhere},
           {"in_every_part", x.in_every_part}}};
}
Told told(const Group&) { return {"group", Json::object()}; }
Told told(const Process& x) { return {"process", {{"key", x.key}, {"in_head", x.in_head}}}; }
Told told(const Rest&) { return {"rest", Json::object()}; }
Told told(const Said&) { return {}; }
Told told(const AlikeCalls&) { return {"alike-calls", Json::object()}; }
Told told(const OneSidedCalls&) { return {"one-sided-calls", Json::object()}; }
Told told(const SmallerCauses& x) { return {"smaller-causes", {{"place", x.place}}}; }
Told told(const TurnCost& x) {
  return {"turn-cost", {{"per", of(x.turn)}, {"loop", of(x.loop)}, {"cost", x.cost}, {"times", x.times}}};
}
Told told(const CodeCost& x) {
  return {"code-cost", {{"place", x.place}, {"function", x.function}, {"cost", x.cost}, {"times", x.times}}};
}
Told told(const BodyCost& x) {
  return {"body-cost",
          {{"function", x.function},
           {"per", per(x.in_total)},
           {"outside_loops", x.has_loops},
           {"cost", x.cost},
           {"calls", x.calls}}};
}
Told told(const PartCost& x) {
  Json json = {{"function", x.function}, {"inlined", x.inlined}, {"call_line", x.call_line}};
  json["per"] = x.is_body ? per(x.in_total) : of(x.turn);
  if (!x.is_body) json["loop"] = of(x.loop);
  json["cost"] = x.cost;
  json["times"] = x.times;
  return {"part-cost", std::move(json)};
}
Told told(const LastTest& x) { return {"last-test", {{"loop", of(x.loop)}, {"cost", x.cost}, {"entries", x.entries}}}; }
Told told(const Reshaped& x) {
  return {
      "reshaped",
      {{"loop", of(x.loop)}, {"cost", x.cost}, {"entries", x.entries}, {"iterations", x.iterations}, {"own", x.own}}};
}
Told told(const ReachedCode& x) {
  return {"reached-code", {{"place", x.place}, {"function", x.function}, {"per", per(x.in_total)}, {"times", x.times}}};
}
Told told(const Iterations& x) {
  return {x.dispatches ? "dispatches" : "iterations",
          {{"loop", of(x.loop)}, {"per_entry", x.per_entry}, {"entries", x.entries}}};
}
Told told(const InsideCalls& x) {
  Json json = {{"by", of(x.doer)}, {"callee", x.callee}, {"calls", x.calls}, {"rate", x.rate}};
  if (x.entry != AllocatorEntry::kNone) json["does"] = of(x.entry);
  return {"calls-inside", std::move(json)};
}
Told told(const LoopEntry& x) {
  return {"loop-entries",
          {{"by", of(x.doer)},
           {"loop", x.loop},
           {"inlined", x.inlined},
           {"inlined_line", x.inlined_line},
           {"entries", x.entries},
           {"rate", x.rate}}};
}
Told told(const LeftTo& x) { return {"left-to", {{"loop", of(x.loop)}, {"target", of(x.target)}, {"rate", x.rate}}}; }
Told told(const Branch& x) {
  return {"branch",
          {{"place", x.place},
           {"function", x.function},
           {"loop", x.loop},
           {"target", of(x.target)},
           {"rate", x.rate},
           {"times", x.times}}};
}
Told told(const Begins& x) { return {"begins", {{"by", of(x.doer)}, {"target", of(x.target)}, {"rate", x.rate}}}; }
Told told(const CallsThere& x) { return {"calls-there", {{"callee", x.callee}, {"more", x.more}}}; }
Told told(const SelfCostThere&) { return {"self-cost-there", Json::object()}; }

/// {"is": kind of the sentence, its figures...}: pairs are base's and head's, names stand as in the text. Null where a
/// cause has no facts.
Json cause_facts_to_json(const CauseFacts& facts) {
  auto [kind, figures] = std::visit([](const auto& fact) { return told(fact); }, static_cast<const AnyFact&>(facts));
  if (kind.empty()) return {};
  Json json = {{"is", kind}};
  json.update(figures);
  return json;
}

/// What only causes inside a function have.
void add_inside(const Cause& cause, Json& json) {
  if (cause.loop)
    json["loop"] = {{"file", cause.loop->file},
                    {"first_line", cause.loop->first_line},
                    {"last_line", cause.loop->last_line},
                    {"address", fmt::format("{:#x}", cause.loop->address)},
                    {"depth", cause.loop->depth}};
  if (cause.entries) json["entries"] = *cause.entries;
  if (cause.iterations) json["iterations"] = *cause.iterations;
  for (const CauseLine& line : cause.lines) {
    Json& row = json["lines"].emplace_back();
    row = {{"file", line.file}, {"line", line.line}, {"base", line.base}, {"head", line.head}};
    if (!line.inlined.empty()) row["inlined"] = line.inlined;
    if (!line.text.empty()) row["text"] = line.text;
  }
  if (cause.inlined)
    json["inlined"] = {{"name", cause.inlined->name}, {"file", cause.inlined->file}, {"line", cause.inlined->line}};
}

/// `mine`: null inside a function.
Json cause_to_json(const Cause& cause, const Mine* mine) {
  Json json;
  json["kind"] = to_text(cause.kind);
  if (!cause.function.empty()) json["function"] = cause.function;
  if (!cause.caller.empty() || !cause.callee.empty()) {
    json["caller"] = cause.caller;
    json["callee"] = cause.callee;
  }
  json["delta"] = cause.delta;
  if (!cause.file.empty()) json["file"] = cause.file;
  if (cause.line != 0) json["line"] = cause.line;
  json["text"] = cause_sentence(cause);
  add_inside(cause, json);
  if (cause.within_noise) json["within_noise"] = true;
  if (mine) add_parts_to_json(*mine, cause, json);
  if (Json facts = cause_facts_to_json(cause.facts); !facts.is_null()) json["facts"] = std::move(facts);
  for (const Cause& member : cause.inside)
    json["inside"].push_back(cause_to_json(member, has_members_of_their_own(cause) ? mine : nullptr));
  return json;
}

Json function_to_json(const FunctionChange& change) {
  Json json;
  json["name"] = change.name;
  json["file"] = change.file;
  json["object"] = change.object;
  if (!change.base_name.empty()) json["base_name"] = change.base_name;
  json["base"] = change.base;
  json["head"] = change.head;
  json["delta"] = change.delta;
  return json;
}

}  // namespace

Json explanation_to_json(const Explanation& explanation, const ExplanationHeading& heading) {
  Json json;
  json["schema"] = {{"name", "icount-diff"}, {"version", 1}};
  json["event"] = explanation.event;
  json["base"] = {{"name", heading.base_name}, {"total", explanation.base_total}};
  json["head"] = {{"name", heading.head_name}, {"total", explanation.head_total}};
  json["delta"] = explanation.delta;
  json["events"] = Json::array();
  for (const EventTotals& totals : heading.events)
    json["events"].push_back({{"event", totals.event}, {"base", totals.base}, {"head", totals.head}});
  json["notes"] = heading.notes;
  if (!heading.chance.empty()) json["notes"].push_back(heading.chance);
  if (!heading.allocations.empty()) json["notes"].push_back(heading.allocations);
  for (const std::string& note : note_sentences(explanation)) json["notes"].push_back(note);
  json["renamed"] = explanation.renamed;
  json["causes"] = Json::array();
  for (const Cause& cause : explanation.causes) json["causes"].push_back(cause_to_json(cause, heading.mine.get()));
  if (heading.mine) add_mine_to_json(*heading.mine, json);
  if (heading.objects) json["objects"] = objects_to_json(*heading.objects);
  for (const CompilerDecision& one : heading.decisions) {
    Json decision = one.loop.empty() ? Json{{"caller", one.caller}, {"callee", one.callee}} : Json{{"loop", one.loop}};
    decision.update({{"delta", one.delta}, {"base", one.said[0]}, {"head", one.said[1]}});
    json["compiler"].push_back(std::move(decision));
  }
  json["functions"] = Json::array();
  for (const FunctionChange& change : explanation.functions) json["functions"].push_back(function_to_json(change));
  for (const FunctionListing& listing : explanation.listings) json["listings"].push_back(listing_to_json(listing));
  json["edges"] = Json::array();
  for (const EdgeChange& edge : explanation.edges)
    json["edges"].push_back({{"caller", edge.caller},
                             {"callee", edge.callee},
                             {"base", edge.base},
                             {"head", edge.head},
                             {"delta", edge.delta}});
  return json;
}

}  // namespace icount
