// What every fuzz target wants of a reader: a value or an Error, never anything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "icount/base/error.h"

namespace icount {

inline std::string_view as_text(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// What `read` returns; nullopt when it throws an Error, which is in order: most of a fuzzer's inputs must be refused.
template <typename Read>
auto accepted(Read&& read) -> std::optional<decltype(read())> {
  try {
    return std::forward<Read>(read)();
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace icount
