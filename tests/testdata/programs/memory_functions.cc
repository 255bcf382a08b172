// Functions whose memory is known by hand, behind a program that had more in use before.
#include <cstdlib>
#include <cstring>

namespace {

void* keep(void* block) {
  asm volatile("" : : "r"(block) : "memory");
  return block;
}

struct Before {
  Before() {
    std::free(keep(std::malloc(1'000'000)));
    left = keep(std::malloc(5'000));
  }
  void* left;
} before;

}  // namespace

void bench_freed() {
  void* const first = keep(std::malloc(3'000));
  std::free(keep(std::malloc(400)));
  std::free(first);
}
void bench_kept() { keep(std::malloc(100)); }
void bench_resized() { std::free(keep(std::realloc(keep(std::malloc(10)), 30))); }
void bench_nothing() { asm volatile("nop"); }
void bench_gives_back() {
  std::free(before.left);
  before.left = nullptr;
}
void bench_crash() { *static_cast<volatile int*>(nullptr) = 1; }

int main() { return 0; }
