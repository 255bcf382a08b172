#include "icount/report/mine_json.h"

#include <algorithm>

#include "icount/base/text.h"
#include "icount/report/mine_document.h"

namespace icount {
namespace {

Json range_to_json(const LineRange& range) { return Json::array({range.first, range.count}); }

Json count_to_json(const std::optional<int64_t>& count) { return count ? Json(*count) : Json(nullptr); }

Json proof_to_json(const UnitProof& proof) {
  Json json = {{"alone", count_to_json(proof.alone)}, {"after_others", count_to_json(proof.after_others)}};
  if (!proof.why_not.empty()) json["why_not"] = proof.why_not;
  return json;
}

Json hunk_to_json(const MineHunk& hunk, size_t id) {
  Json json = {{"id", id},
               {"file", hunk.path},
               {"old", range_to_json(hunk.old_lines)},
               {"new", range_to_json(hunk.new_lines)},
               {"what", to_text(hunk.text)}};
  if (hunk.old_path != hunk.path && !hunk.old_path.empty()) json["old_file"] = hunk.old_path;
  if (hunk.text != HunkText::kCode) return json;
  if (!hunk.function.empty()) json["function"] = hunk.function;
  if (!hunk.macro.empty()) json["macro"] = hunk.macro;
  if (!hunk.type.empty()) json["type"] = hunk.type;
  if (!hunk.data.empty()) json["data"] = hunk.data;
  json["lines_with_code"] = hunk.lines_with_code;
  json["lines_executed"] = hunk.lines_executed;
  json["executed"] = hunk.is_executed;
  json["executions"] = {{"base", count_to_json(hunk.executions[0])}, {"head", count_to_json(hunk.executions[1])}};
  if (hunk.source_executions[0] || hunk.source_executions[1])
    json["source_executions"] = {{"base", count_to_json(hunk.source_executions[0])},
                                 {"head", count_to_json(hunk.source_executions[1])}};
  json["unit"] = hunk.unit;
  json["delta"] = hunk.delta;
  return json;
}

constexpr size_t kHunksOnPage = 12, kLinesOnPage = 40, kLongestLine = 400;

Json source_to_json(const MineHunk& hunk) {
  Json sides = Json::array();
  for (const size_t side : {0, 1}) {
    const std::vector<std::string>& lines = hunk.source[side];
    Json shown = Json::array();
    for (size_t i = 0; i < std::min(lines.size(), kLinesOnPage); ++i)
      shown.push_back(lines[i].size() > kLongestLine ? shorten_middle(lines[i], kLongestLine) : lines[i]);
    sides.push_back({{"first", (side == 0 ? hunk.old_lines : hunk.new_lines).first},
                     {"lines", std::move(shown)},
                     {"more", lines.size() - std::min(lines.size(), kLinesOnPage)}});
  }
  return sides;
}

}  // namespace

Json mine_to_page_json(const Mine& mine) {
  const MineParts parts = make_mine_parts(mine);
  Json json = {{"lines", parts.lines},
               {"diff", parts.diff},
               {"control", parts.control},
               {"notes", parts.notes},
               {"rows", Json::array()}};
  for (const MineRow& row : parts.rows) {
    Json& one = json["rows"].emplace_back();
    one = {{"executed", row.executed}, {"text", row.text}, {"inside", row.inside}};
    if (row.delta) one["delta"] = *row.delta;
    if (!row.unit) continue;
    const size_t shown = std::min(row.unit->hunks.size(), kHunksOnPage);
    for (size_t i = 0; i < shown; ++i) {
      const MineHunk& hunk = mine.hunks[row.unit->hunks[i]];
      one["hunks"].push_back({{"file", hunk.path},
                              {"place", hunk_place(hunk)},
                              {"executed", hunk.is_executed},
                              {"sides", source_to_json(hunk)}});
      if (row.unit->tells_hunks_apart || row.unit->hunks.size() == 1) one["hunks"].back()["delta"] = hunk.delta;
    }
    one["more"] = row.unit->hunks.size() - shown;
  }
  return json;
}

void add_mine_to_json(const Mine& mine, Json& json) {
  json["commits"] = {{"base", mine.base_name}, {"head", mine.head_name}, {"uncommitted", mine.has_uncommitted}};
  for (const size_t side : {0, 1})
    json["commits"]["lines"][side == 0 ? "base" : "head"] = {{"executed", mine.fit[side].lines},
                                                             {"misfits", mine.fit[side].misfits}};
  json["hunks"] = Json::array();
  for (size_t i = 0; i < mine.hunks.size(); ++i) json["hunks"].push_back(hunk_to_json(mine.hunks[i], i));
  json["units"] = Json::array();
  for (size_t i = 0; i < mine.units.size(); ++i) {
    const MineUnit& unit = mine.units[i];
    Json how = Json::object();
    for (size_t why = 0; why < kHunkShares; ++why)
      if (unit.shares[why] != 0) how[std::string(to_text(static_cast<HunkShare>(why)))] = unit.shares[why];
    const Json proved = unit.proof ? proof_to_json(*unit.proof) : Json(nullptr);
    json["units"].push_back({{"id", i},
                             {"hunks", unit.hunks},
                             {"delta", unit.delta},
                             {"executed", unit.is_executed},
                             {"how", how},
                             {"proved", proved}});
  }
  if (mine.interaction) json["interaction"] = *mine.interaction;
  if (mine.past)
    json["past"] = {{"commit", mine.past->commit}, {"base", mine.past->base_count}, {"delta", mine.past->delta}};
  if (mine.control) {
    Json& control = json["control"] = {{"lines_equal", mine.control->lines_equal},
                                       {"lines_other", mine.control->lines_other},
                                       {"executions_delta", mine.control->executions_delta},
                                       {"code_delta", mine.control->code_delta},
                                       {"lines", Json::array()}};
    for (const OtherLine& line : mine.control->lines)
      control["lines"].push_back({{"file", line.path},
                                  {"line", line.line},
                                  {"base", line.executions[0]},
                                  {"head", line.executions[1]},
                                  {"delta", line.delta}});
  }
  Json& outside = json["outside"] = {{"delta", mine.outside.delta}};
  for (size_t why = 0; why < kOutsideReasons; ++why)
    outside[std::string(to_text(static_cast<OutsideReason>(why)))] = mine.outside.reasons[why];
  outside["functions"] = Json::array();
  for (const OutsideFunction& one : mine.outside.functions)
    outside["functions"].push_back({{"function", one.function}, {"reason", to_text(one.reason)}, {"delta", one.delta}});
}

Json objects_to_json(const ObjectParts& parts) {
  Json json = {{"equal", parts.equal}, {"pieces", Json::array()}, {"interaction", count_to_json(parts.interaction)}};
  for (const ObjectPiece& piece : parts.pieces) {
    Json& one = json["pieces"].emplace_back() = {{"objects", piece.objects}, {"proved", proof_to_json(piece.proof)}};
    if (!piece.together_for.empty()) one["together_for"] = piece.together_for;
  }
  return json;
}

void add_parts_to_json(const Mine& mine, const Cause& cause, Json& json) {
  for (const CausePart& part : parts_of(mine, cause))
    json["parts"].push_back(
        {{"unit", part.unit == kNoUnit ? Json(nullptr) : Json(part.unit)}, {"how", part.how}, {"delta", part.delta}});
}

}  // namespace icount
