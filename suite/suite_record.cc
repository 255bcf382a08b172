#include "icount/suite/suite_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/harness/timer_args.h"

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

std::string record_text(const SuiteRecord& record) {
  Json json = {{"key", record.key}, {"position", record.position}, {"unix_time", record.unix_time}};
  if (!record.file.empty()) json["file"] = record.file;
  if (record.code != SuiteRecord().code) json["code"] = to_json(record.code);
  return dump_json(json, -1);
}

SuiteRecord parse_record(const std::string& extra) {
  SuiteRecord record;
  if (extra.empty()) return record;
  Json json = parse_json(extra, "extra of a result");
  if (!json.is_object() || !json.contains("key") || !json["key"].is_string()) return record;
  record.key = json["key"];
  auto integer = [&](const char* name) {
    return json.contains(name) && json[name].is_number_integer() ? json[name].get<int64_t>() : 0;
  };
  record.position = integer("position");
  record.unix_time = integer("unix_time");
  if (json.contains("file") && json["file"].is_string()) record.file = json["file"];
  if (json.contains("code")) record.code = parse_code_identity(json["code"]);
  return record;
}

void sort_by_position(std::vector<Result>& results) {
  std::vector<std::pair<int64_t, size_t>> order;
  for (size_t i = 0; i < results.size(); ++i) {
    SuiteRecord record = parse_record(results[i].extra);
    order.emplace_back(record.key.empty() ? std::numeric_limits<int64_t>::max() : record.position, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<Result> sorted;
  sorted.reserve(results.size());
  for (const auto& [position, i] : order) sorted.push_back(std::move(results[i]));
  results = std::move(sorted);
}

std::string to_text(const SuiteIdentity& identity) {
  return fmt::format("{}, version {}, {} benchmarks, md5 {}", identity.name, identity.version, identity.benchmarks,
                     identity.md5);
}

SuiteIdentity parse_suite_identity(const std::string& text) {
  constexpr std::string_view kVersion = ", version ", kBenchmarks = " benchmarks", kMd5 = ", md5 ";
  size_t version = text.rfind(kVersion), md5 = text.rfind(kMd5);
  if (version == std::string::npos || md5 == std::string::npos || md5 < version) return {};
  std::string_view middle = std::string_view(text).substr(version + kVersion.size(), md5 - version - kVersion.size());
  size_t comma = middle.find(", ");
  if (comma == std::string_view::npos || !middle.ends_with(kBenchmarks)) return {};
  auto number = parse_int64(middle.substr(0, comma));
  auto count = parse_int64(middle.substr(comma + 2, middle.size() - comma - 2 - kBenchmarks.size()));
  if (!number || !count || *count < 0) return {};
  return {text.substr(0, version), *number, static_cast<size_t>(*count), text.substr(md5 + kMd5.size())};
}

namespace {

bool is_statement(const Result& result) {
  for (const Language language : {Language::kCpp, Language::kTorchScript, Language::kPython})
    if (result.task.language == to_text(language)) return true;
  return false;
}

}  // namespace

Fingerprint run_facts(const Result& result, Fingerprint facts) {
  constexpr std::array<std::string_view, 7> kOwn = {"number",  "environment",  "within",     "processes",
                                                    "GODEBUG", kUncountedFact, kRequestsFact};
  const bool is_ours = is_statement(result);
  std::erase_if(facts.facts, [&](const Fact& fact) {
    if (is_ours) return fact.name == kUnitFact;
    return fact.fact_class == FactClass::kNameOnly || std::find(kOwn.begin(), kOwn.end(), fact.name) != kOwn.end();
  });
  return facts;
}

}  // namespace icount
