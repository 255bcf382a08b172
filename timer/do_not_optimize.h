// Keeps the optimiser from removing work whose result nobody looks at. Free of everything else, so that stubs
// and users' own programs may include it.
#pragma once

#include <type_traits>

namespace icount {

/// The compiler must have `value` ready here, and may not assume that it stays the same.
template <typename Value>
inline void do_not_optimize(Value&& value) {
  using Plain = std::remove_reference_t<Value>;
  if constexpr (std::is_const_v<Plain>)
    asm volatile("" : : "g"(&value) : "memory");
  else
    asm volatile("" : "+m"(value) : : "memory");
}

/// All memory may have been read and written here.
inline void clobber_memory() { asm volatile("" : : : "memory"); }

}  // namespace icount
