#include "icount/report/explanation_json.h"

#include <fmt/format.h>

#include "icount/mine/cause_parts.h"
#include "icount/report/cause_facts_json.h"
#include "icount/report/cause_sentence.h"
#include "icount/report/listing_document.h"
#include "icount/report/mine_json.h"

namespace icount {
namespace {

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
  if (!heading.allocations.empty()) json["notes"].push_back(heading.allocations);
  for (const std::string& note : note_sentences(explanation)) json["notes"].push_back(note);
  json["renamed"] = explanation.renamed;
  json["causes"] = Json::array();
  for (const Cause& cause : explanation.causes) json["causes"].push_back(cause_to_json(cause, heading.mine.get()));
  if (heading.mine) add_mine_to_json(*heading.mine, json);
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
