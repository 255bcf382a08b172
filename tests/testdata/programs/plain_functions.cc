// Functions without parameters for `icount bench --case`.
#include <string>

template <int kNops>
inline void nops() {
  asm volatile(".rept %c0\n nop\n .endr" ::"i"(kNops));
}

extern "C" void bench_ten() { nops<10>(); }
extern "C" void bench_hundred_and_ten() { nops<110>(); }
namespace text {
__attribute__((noinline, used)) void bench_copy() {
  std::string copy(100, 'x');
  asm volatile("" ::"r"(copy.data()) : "memory");
}
__attribute__((noinline, used)) void bench_with_a_parameter(int) { nops<1>(); }
}  // namespace text
extern "C" void bench_crash() { *static_cast<volatile int*>(nullptr) = 1; }

int main() { return 7; }
