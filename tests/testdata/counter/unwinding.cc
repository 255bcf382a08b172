// Exceptions through frames with destructors, longjmp over frames, code that is cold.
#include <csetjmp>
#include <cstdio>
#include <stdexcept>
#include <string>
static std::jmp_buf place;
static volatile int hits;
__attribute__((noinline)) int thrower(int i) {
  if (i % 2) throw std::runtime_error("x" + std::to_string(i));
  return i;
}
__attribute__((noinline)) int middle(int i) {
  std::string text(100, 'a');
  return thrower(i) + static_cast<int>(text.size());
}
__attribute__((noinline)) void jumper(int i) {
  if (i % 3 == 0) std::longjmp(place, i + 1);
  hits = hits + i;
}
__attribute__((noinline)) int deep(int i) { return i == 0 ? (jumper(3), 0) : deep(i - 1) + 1; }
int main() {
  int sum = 0;
  for (int i = 0; i < 20; ++i) try {
      sum += middle(i);
    } catch (const std::exception& error) {
      sum += error.what()[1];
    }
  for (volatile int i = 0; i < 20; i = i + 1)
    if (setjmp(place) == 0) jumper(i);
  if (setjmp(place) == 0) sum += deep(30);
  std::printf("%d %d\n", sum, static_cast<int>(hits));
}
