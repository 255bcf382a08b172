// Every pin released: the caller's surroundings as they are.
#pragma once

#include "icount/harness/pins.h"

namespace icount {

inline Pins no_pins() {
  Pins pins;
  for (int i = 0; i < kPinCount; ++i) pins.released.push_back(static_cast<Pin>(i));
  return pins;
}

}  // namespace icount
