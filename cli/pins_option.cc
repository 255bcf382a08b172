#include "icount/cli/pins_option.h"

#include <fmt/format.h>

#include "icount/base/error.h"

namespace icount {

void read_pins(const ParsedOptions& parsed, Pins& pins) {
  for (const std::string& name : parsed.texts("release-pin")) {
    try {
      pins.released.push_back(parse_pin(name));
    } catch (const Error& error) {
      parsed.problem(fmt::format("--release-pin: {}", error.what()));
    }
  }
}

}  // namespace icount
