#include "icount/fuzzer/parameter.h"

#include <fmt/format.h>

#include "icount/base/error.h"

namespace icount {
namespace {

template <typename Make>
FuzzedParameter make_parameter(std::string name, bool strict, Make&& make) {
  if (name.empty()) throw Error(ErrorKind::kUsage, "a parameter needs a name");
  Distribution distribution = in_context(fmt::format("parameter '{}'", name), make);
  return FuzzedParameter{std::move(name), std::move(distribution), strict};
}

}  // namespace

FuzzedParameter uniform_parameter(std::string name, Bound minval, Bound maxval, bool strict) {
  return make_parameter(std::move(name), strict, [&] { return Distribution::uniform(minval, maxval); });
}

FuzzedParameter log_uniform_parameter(std::string name, Bound minval, Bound maxval, bool strict) {
  return make_parameter(std::move(name), strict, [&] { return Distribution::log_uniform(minval, maxval); });
}

FuzzedParameter table_parameter(std::string name, std::vector<Distribution::Entry> table, bool strict) {
  return make_parameter(std::move(name), strict, [&] { return Distribution::table(std::move(table)); });
}

}  // namespace icount
