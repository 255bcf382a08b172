#include "icount/harness/virtual_members.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>

#include "icount/base/json.h"

namespace icount {
namespace {

/// One instantiation of a function: "a::B<c::D>::f", from when to when in microseconds.
struct Instantiation {
  int64_t begin = 0;
  int64_t end = 0;
  std::string function;
};

std::vector<Instantiation> read_instantiations(std::string_view time_trace) {
  constexpr std::string_view kName = "the compiler's time trace";
  const Json trace = parse_json(time_trace, kName);
  std::vector<Instantiation> found;
  for (const Json& event : json_field(trace, "traceEvents", kName)) {
    if (event.value("name", std::string()) != "InstantiateFunction") continue;
    const int64_t begin = event.value("ts", int64_t{0});
    found.push_back({.begin = begin,
                     .end = begin + event.value("dur", int64_t{0}),
                     .function = json_field(event, "args", kName).value("detail", std::string())});
  }
  std::ranges::sort(found, [](const Instantiation& a, const Instantiation& b) {
    return std::tuple(a.begin, -a.end, std::string_view(a.function)) <
           std::tuple(b.begin, -b.end, std::string_view(b.function));
  });
  return found;
}

/// "a::B<c::D>" of "a::B<c::D>::f": what stands before the last "::" outside template arguments; empty without one.
std::string_view class_of(std::string_view function) {
  int depth = 0;
  size_t cut = 0;
  for (size_t i = 0; i < function.size(); ++i) {
    if (function[i] == '<') ++depth;
    if (function[i] == '>') --depth;
    if (depth == 0 && function.substr(i, 2) == "::") cut = i;
  }
  return function.substr(0, cut);
}

bool can_be_named(std::string_view name) {
  return name.ends_with('>') && name.find('(') == std::string_view::npos;  // "(anonymous namespace)", "(lambda at ...)"
}

}  // namespace

std::vector<std::string> find_late_classes(std::string_view time_trace) {
  std::set<std::string> classes;
  int64_t end = 0;
  for (const Instantiation& instantiation : read_instantiations(time_trace)) {
    if (instantiation.begin < end) continue;  // for the sake of the one before
    end = instantiation.end;
    const std::string_view name = class_of(instantiation.function);
    if (can_be_named(name)) classes.emplace(name);
  }
  return {classes.begin(), classes.end()};
}

std::string make_virtual_members_header(std::span<const std::string> classes) {
  // The virtual members of a local class, inherited ones among them, are instantiated as soon as its virtual table is
  // used, which its implicit destructor does; those of other classes at the end of the unit.
  std::string out =
      "#include <type_traits>\n"
      "namespace icount::prelude {\n"
      "template <typename Base>\n"
      "void use_virtual_members() {\n"
      "  if constexpr (!std::is_final_v<Base> && std::is_destructible_v<Base>) {\n"
      "    struct Derived : Base {};\n"
      "    Derived* derived = nullptr;\n"
      "    derived->~Derived();\n"
      "  }\n"
      "}\n"
      "inline void use_all_virtual_members() {\n";
  for (const std::string& name : classes) out += fmt::format("  use_virtual_members<{}>();\n", name);
  return out + "}\n}  // namespace icount::prelude\n";
}

}  // namespace icount
