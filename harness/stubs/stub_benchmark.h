// What a generated translation unit needs: the shape of a benchmark, its registration, and icount::keep for statements
// whose result is unused. Compiled into stubs only; the server that runs benchmarks is stub_server.h, and needs this.
#pragma once

#include <cstdint>
#include <type_traits>

#ifndef ICOUNT_HAS_KEEP  // also in icount/region.h, which a user's header may have included before
#define ICOUNT_HAS_KEEP
namespace icount {

/// Makes the compiler believe that `value` is read, so that a statement whose result is unused is not optimised away.
/// Numbers and pointers stay in their register; anything else is kept in memory.
template <typename T>
inline __attribute__((always_inline)) void keep(const T& value) {
  if constexpr (std::is_integral_v<T> || std::is_pointer_v<T> || std::is_enum_v<T>) {
    asm volatile("" : : "r"(value) : "memory");
  } else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    asm volatile("" : : "x"(value) : "memory");
  } else {
    asm volatile("" : : "r"(&value) : "memory");
  }
}

/// The same for a variable, whose value the compiler no longer knows afterwards: what depends on it is not computed at
/// compile time or once for all runs.
template <typename T>
inline __attribute__((always_inline)) void keep(T& value) {
  if constexpr (std::is_integral_v<T> || std::is_pointer_v<T> || std::is_enum_v<T>) {
    asm volatile("" : "+r"(value) : : "memory");
  } else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    asm volatile("" : "+x"(value) : : "memory");
  } else {
    asm volatile("" : : "r"(&value) : "memory");
  }
}

}  // namespace icount
#endif

namespace icount_stub {

/// Leads a benchmark through its phases. A benchmark is
///     SETUP
///     while (context.next())
///       for (int64_t i = 0, n = context.count(); i < n; ++i) { STMT }
/// so that the statement stands in the text once and is compiled once for warm-up and region.
class Context {
 public:
  /// Ends the phase before and begins the next one; false when there is none. Defined in stub_region.h.
  bool next();
  /// Runs in the phase that next() began.
  int64_t count() const { return count_; }

  /// The same in PyTorch's shape (Markers::kToggle): a loop of begin_warmup() runs, then repeats() loops of
  /// begin_region() runs with the markers around each, then end(). Defined in stub_region.h.
  int begin_warmup();
  int begin_region();
  int repeats() const;
  void end();

 private:
  friend class Region;
  int64_t count_ = 0;
  int step_ = 0;
};

using Benchmark = void (*)(Context&);

/// A benchmark's place in the program's list. Static objects linked into a list, no heap: what a child measures must
/// not depend on how many others there are.
struct Registration {
  Registration(int index_given, const char* label_given, Benchmark run_given)
      : index(index_given), label(label_given), run(run_given), next(first()) {
    first() = this;
  }
  static Registration*& first() {
    static Registration* head = nullptr;
    return head;
  }

  int index;
  const char* label;
  Benchmark run;
  Registration* next;
};

}  // namespace icount_stub
