#include "icount/report/report_data.h"

#include <algorithm>

#include "icount/base/text.h"
#include "icount/report/short_name.h"

namespace icount {
namespace {

size_t share(size_t whole, size_t benchmarks, size_t least, size_t most) {
  return std::clamp(whole / std::max<size_t>(benchmarks, 1), least, most);
}

}  // namespace

ReportLimits report_limits(size_t benchmarks) {
  return {
      .causes = share(4'000, benchmarks, 8, 200),
      .functions = share(30'000, benchmarks, 20, 30'000),
      .edges = share(30'000, benchmarks, 20, 30'000),
      .frames = share(120'000, benchmarks, 60, 30'000),
      .lines = share(10'000, benchmarks, 10, 2'000),
      .opened = share(100, benchmarks, 1, 16),
      .source_lines = share(6'000, benchmarks, 12, 150),
  };
}

uint32_t ReportStrings::add(std::string_view text) {
  std::string kept = text.size() > kLongestName ? shorten_middle(text, kLongestName) : std::string(text);
  const auto [found, fresh] = number_of_.try_emplace(std::move(kept), static_cast<uint32_t>(strings_.size()));
  if (fresh) strings_.push_back(found->first);
  return found->second;
}

uint32_t ReportStrings::add_function(std::string_view name, std::string_view file, std::string_view object) {
  const FunctionIds ids = {add(name), add(file), add(object)};
  std::string key(reinterpret_cast<const char*>(&ids), sizeof ids);
  const auto [found, fresh] = function_of_.try_emplace(std::move(key), static_cast<uint32_t>(functions_.size()));
  if (fresh) functions_.push_back(ids);
  return found->second;
}

Json ReportStrings::strings_json() const {
  constexpr size_t kShortWidth = 44;
  std::vector<uint32_t> names;
  for (const FunctionIds& ids : functions_) names.push_back(ids.name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<std::string> texts;
  for (uint32_t name : names) texts.push_back(strings_[name]);
  const ShortNames short_names(texts, kShortWidth);
  Json shorts = Json::object();
  for (uint32_t name : names)
    if (const std::string& form = short_names.of(strings_[name]); form != strings_[name])
      shorts[std::to_string(name)] = form;
  return {{"all", strings_}, {"short", std::move(shorts)}};
}

Json ReportStrings::functions_json() const {
  Json name = Json::array(), file = Json::array(), object = Json::array();
  for (const FunctionIds& ids : functions_) {
    name.push_back(ids.name);
    file.push_back(ids.file);
    object.push_back(ids.object);
  }
  return {{"name", std::move(name)}, {"file", std::move(file)}, {"object", std::move(object)}};
}

}  // namespace icount
