#include "icount/suite/code_identity.h"

namespace icount {

Json to_json(const CodeIdentity& identity) {
  Json json = Json::object();
  if (!identity.parts.empty()) json["parts"] = identity.parts;
  if (!identity.files.empty()) json["files"] = identity.files;
  if (!identity.unknown.empty()) json["unknown"] = identity.unknown;
  return json;
}

CodeIdentity parse_code_identity(const Json& json) {
  CodeIdentity identity;
  const auto parts = json.is_object() ? json.find("parts") : json.end();
  const auto unknown = json.is_object() ? json.find("unknown") : json.end();
  if (parts != json.end() && parts->is_object())
    for (const auto& [name, hash] : parts->items())
      if (hash.is_string()) identity.parts[name] = hash.get<std::string>();
  if (unknown != json.end() && unknown->is_string()) identity.unknown = unknown->get<std::string>();
  if (identity.parts.empty() && identity.unknown.empty()) identity.unknown = kNotRecorded;
  if (const auto files = json.find("files"); files != json.end() && files->is_array())
    for (const Json& line : *files)
      if (line.is_string()) identity.files.push_back(line.get<std::string>());
  return identity;
}

std::string changed_part(const CodeIdentity& base, const CodeIdentity& head) {
  if (base.parts.empty() || head.parts.empty()) return {};
  for (const auto& [name, hash] : head.parts) {
    const auto found = base.parts.find(name);
    if (found == base.parts.end() || found->second != hash) return name;
  }
  for (const auto& [name, hash] : base.parts)
    if (!head.parts.contains(name)) return name;
  return {};
}

}  // namespace icount
