#include "icount/explain/producer_change.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "icount/base/text.h"
#include "icount/callgraph/function_code.h"

namespace icount {
namespace {

constexpr size_t kMostOptions = 6;

std::string_view compiler_of(std::string_view producer) {
  const size_t options = producer.find(" -");
  return trim(producer.substr(0, options));
}

/// Options that say what is written beside the code, and leave that as it is.
bool changes_no_code(std::string_view option) {
  constexpr std::array<std::string_view, 6> kBeside = {
      "-g", "-fdebug-", "-ffile-prefix-map", "-fmacro-prefix-map", "-frandom-seed", "-fdiagnostics-"};
  return std::any_of(kBeside.begin(), kBeside.end(), [&](std::string_view begin) { return option.starts_with(begin); });
}

std::vector<std::string_view> options_of(std::string_view producer) {
  std::vector<std::string_view> options;
  for (const std::string_view word : split(producer, ' '))
    if (word.starts_with('-') && !changes_no_code(word) &&
        std::find(options.begin(), options.end(), word) == options.end())
      options.push_back(word);
  return options;
}

/// Those that the other side has not.
std::string own_options(const std::vector<std::string_view>& of, const std::vector<std::string_view>& other) {
  std::vector<std::string_view> own;
  for (const std::string_view option : of)
    if (std::find(other.begin(), other.end(), option) == other.end()) own.push_back(option);
  const bool more = own.size() > kMostOptions;
  if (more) own.resize(kMostOptions);
  return fmt::format("{}{}", fmt::join(own, " "), more ? " and more" : "");
}

}  // namespace

std::string producer_change(std::string_view base, std::string_view head) {
  if (base.empty() || head.empty() || base == head) return {};
  if (compiler_of(base) != compiler_of(head)) return fmt::format("{}, was {}", compiler_of(head), compiler_of(base));
  const auto before = options_of(base), after = options_of(head);
  const std::string of_base = own_options(before, after), of_head = own_options(after, before);
  if (of_base.empty() && of_head.empty()) return {};
  if (of_base.empty()) return "now " + of_head;
  if (of_head.empty()) return "no longer " + of_base;
  return fmt::format("{}, was {}", of_head, of_base);
}

std::string producer_change(const JoinedGraph& joined, const std::array<std::string_view, 2>& objects) {
  std::array<std::string_view, 2> producers;
  for (size_t side = 0; side < 2; ++side) {
    const ProfileCode* const code = joined.sides[side]->graph->code.get();
    const CodeObject* const object = code ? find_object(*code, objects[side]) : nullptr;
    if (object) producers[side] = object->producer;
  }
  return producer_change(producers[0], producers[1]);
}

}  // namespace icount
