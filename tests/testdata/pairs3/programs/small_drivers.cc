// One of several libraries, chosen by a macro.
#include <cstdio>
#include <string>

#ifdef USE_RE2
#include <re2/re2.h>
int main() {
  RE2::Options options;
#ifdef SMALL_MEMORY
  options.set_max_mem(SMALL_MEMORY);
#endif
  const RE2 pattern("(\\w+)@(\\w+)\\.(com|org).*(error|warn).*[0-9]{3}$", options);
  int found = 0;
  for (int i = 0; i < 60; ++i) {
    const std::string line = "user" + std::to_string(i) + "@example.org wrote an error of some length with code " + std::to_string(100 + i);
#ifdef CAPTURED
    std::string user;
    found += RE2::PartialMatch(line, pattern, &user);
#else
    found += RE2::PartialMatch(line, pattern);
#endif
  }
  std::printf("%d\n", found);
}
#endif

#ifdef USE_JSON
#include <nlohmann/json.hpp>
#ifdef ORDERED
using Json = nlohmann::ordered_json;
#else
using Json = nlohmann::json;
#endif
[[gnu::noinline]] long sum_of(const Json& list) {
  long sum = 0;
#ifdef COPIED
  for (const auto item : list) sum += item["value"].get<long>();
#else
  for (const auto& item : list) sum += item["value"].get<long>();
#endif
  return sum;
}
int main() {
  Json list = Json::array();
  for (int i = 0; i < 60; ++i)
    list.push_back({{"name", "record number " + std::to_string(i)}, {"value", i}, {"tags", {"a", "b", "c"}}, {"share", 0.25 * i}, {"open", true}, {"kind", "some kind"}, {"zone", 7}});
#ifdef PRETTY
  const std::string text = list.dump(2);
#else
  const std::string text = list.dump();
#endif
  const Json back = Json::parse(text);
  std::printf("%zu %ld\n", text.size(), sum_of(back));
}
#endif
