#include "icount/report/report_gate.h"

#include "icount/base/error.h"

namespace icount {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& found) {
  throw Error(ErrorKind::kMalformed,
              name + ": not what `icount gate --json FILE` writes (schema icount-gate 1): " + found);
}

/// A text of an object; empty where there is none.
std::string text_of(const Json& object, const char* key, const std::string& name) {
  const auto at = object.find(key);
  if (at == object.end()) return {};
  if (!at->is_string()) refuse(name, std::string(key) + " is not text");
  return at->get<std::string>();
}

Json finding_of(const Json& finding, const std::string& name) {
  if (!finding.is_object()) refuse(name, "a finding is not an object");
  Json kept = Json::object();
  for (const char* key : {"kind", "severity", "benchmark", "text"})
    if (const std::string text = text_of(finding, key, name); !text.empty()) kept[key] = text;
  if (!kept.contains("text")) refuse(name, "a finding has no text");
  return kept;
}

}  // namespace

Json parse_report_gate(std::string_view text, const std::string& name) {
  const Json json = parse_json(text, name);
  if (!json.is_object() || !json.contains("schema") || !json["schema"].is_object() ||
      text_of(json["schema"], "name", name) != "icount-gate" || json["schema"].value("version", Json()) != Json(1))
    refuse(name, "its schema is another");
  Json gate = Json::object();
  for (const char* key : {"verdict", "against"}) gate[key] = text_of(json, key, name);
  for (const char* key : {"compared", "changed"}) {
    if (!json.contains(key) || !json[key].is_number_unsigned()) refuse(name, std::string(key) + " is not a count");
    gate[key] = json[key];
  }
  if (!json.contains("findings") || !json["findings"].is_array()) refuse(name, "it has no findings");
  gate["findings"] = Json::array();
  for (const Json& finding : json["findings"]) gate["findings"].push_back(finding_of(finding, name));
  return gate;
}

}  // namespace icount
