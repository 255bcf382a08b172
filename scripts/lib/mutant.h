// Included in front of every source that scripts/mutants changed: which of the changes is in force is said by the
// environment (ICOUNT_MUTANT=N; 0 or nothing: none), so that one binary holds them all. `a < b` is written as
// `a < mutant::At<N>() < b` there: an operator of the same rank binds the same operands.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace mutant {

inline constexpr int kMost = 4096;

/// Which mutants the run came by; written to the file that ICOUNT_MUTANTS_REACHED names when the program ends.
struct Reached {
  bool is[kMost] = {};
  ~Reached() {
    const char* path = std::getenv("ICOUNT_MUTANTS_REACHED");
    std::FILE* file = path ? std::fopen(path, "a") : nullptr;
    for (int n = 0; file && n < kMost; ++n)
      if (is[n]) std::fprintf(file, "%d\n", n);
    if (file) std::fclose(file);
  }
};
inline Reached reached;

inline bool on(int number) {
  static const int chosen = std::atoi(std::getenv("ICOUNT_MUTANT") ? std::getenv("ICOUNT_MUTANT") : "0");
  reached.is[number] = true;
  return chosen == number;
}

template <typename Number>
Number one_more(int number, Number value) {
  return on(number) ? static_cast<Number>(value + 1) : value;
}

template <int number>
struct At {};
template <int number, typename Value>
struct Left {
  Value value;
};

template <typename Value>
inline constexpr bool is_number = std::is_arithmetic_v<std::remove_cvref_t<Value>>;

#define MUTANT_OPERATOR(is, becomes, condition)                                      \
  template <int number, typename L>                                                  \
  Left<number, L&&> operator is(L&& left, At<number>) {                              \
    return {std::forward<L>(left)};                                                  \
  }                                                                                  \
  template <int number, typename L, typename R>                                      \
  auto operator is(Left<number, L> left, R&& right)->decltype(left.value is right) { \
    static_assert(condition);                                                        \
    if (on(number)) return left.value becomes right;                                 \
    return left.value is right;                                                      \
  }
MUTANT_OPERATOR(<, <=, true)
MUTANT_OPERATOR(<=, <, true)
MUTANT_OPERATOR(>, >=, true)
MUTANT_OPERATOR(>=, >, true)
MUTANT_OPERATOR(==, !=, true)
MUTANT_OPERATOR(!=, ==, true)
MUTANT_OPERATOR(+, -, is_number<L>&& is_number<R>)
MUTANT_OPERATOR(-, +, is_number<L>&& is_number<R>)
MUTANT_OPERATOR(*, +, is_number<L>&& is_number<R>)
MUTANT_OPERATOR(/, *, is_number<L>&& is_number<R>)
MUTANT_OPERATOR(%, *, is_number<L>&& is_number<R>)
#undef MUTANT_OPERATOR

}  // namespace mutant
