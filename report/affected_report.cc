#include "icount/report/affected_report.h"

#include <fmt/format.h>

#include "icount/base/text.h"

namespace icount {

Document make_affected_document(const Affected& affected) {
  Document out;
  const size_t all = affected.results.size() + affected.left_out.size();
  out.line(affected.all_because.empty()
               ? fmt::format("{} of {} execute what changed", affected.results.size(), counted(all, "result"))
               : fmt::format("all of {} may execute what changed", counted(all, "result")));
  for (const std::string& why : affected.all_because) out.item({why});
  if (affected.all_because.empty() && !affected.results.empty()) {
    out.gap();
    Table table({{"affected", Align::kLeft}, {"", Align::kLeft}});
    for (const AffectedResult& one : affected.results)
      table.add_row({{.text = one.key, .form = Form::kName}, {one.why}});
    out.table(std::move(table));
  }
  if (affected.unreached.empty()) return out;
  out.gap();
  out.title({"changed code that none of them executes"});
  for (const std::string& place : affected.unreached) out.item({place});
  return out;
}

Json affected_to_json(const Affected& affected) {
  Json json;
  json["schema"] = {{"name", "icount-affected"}, {"version", 1}};
  json["affected"] = Json::array();
  for (const AffectedResult& one : affected.results) json["affected"].push_back({{"label", one.key}, {"why", one.why}});
  json["all_because"] = affected.all_because;
  json["left_out"] = affected.left_out;
  json["unreached"] = affected.unreached;
  return json;
}

}  // namespace icount
