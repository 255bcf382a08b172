#include "icount/suite/code_identity.h"

namespace icount {

Json to_json(const CodeIdentity& identity) {
  if (!identity.unknown.empty()) return {{"unknown", identity.unknown}};
  Json json = {{"parts", identity.parts}};
  if (!identity.files.empty()) json["files"] = identity.files;
  return json;
}

CodeIdentity parse_code_identity(const Json& json) {
  CodeIdentity identity;
  const auto parts = json.is_object() ? json.find("parts") : json.end();
  if (!json.is_object() || parts == json.end() || !parts->is_object()) {
    const bool says = json.is_object() && json.contains("unknown") && json["unknown"].is_string();
    identity.unknown = says ? json["unknown"].get<std::string>() : "the baseline does not say what it was made from";
    return identity;
  }
  for (const auto& [name, hash] : parts->items())
    if (hash.is_string()) identity.parts[name] = hash.get<std::string>();
  if (const auto files = json.find("files"); files != json.end() && files->is_array())
    for (const Json& line : *files)
      if (line.is_string()) identity.files.push_back(line.get<std::string>());
  return identity;
}

std::string changed_part(const CodeIdentity& base, const CodeIdentity& head) {
  for (const auto& [name, hash] : head.parts) {
    const auto found = base.parts.find(name);
    if (found == base.parts.end() || found->second != hash) return name;
  }
  for (const auto& [name, hash] : base.parts)
    if (!head.parts.contains(name)) return name;
  return {};
}

}  // namespace icount
