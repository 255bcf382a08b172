#include <coroutine>
#include <cstdio>
struct Numbers {
  struct promise_type {
    int value = 0;
    Numbers get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int next) {
      value = next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
  ~Numbers() { handle.destroy(); }
};
Numbers count_to(int n) {
  for (int i = 0; i < n; ++i) co_yield i;
}
int main() {
  Numbers numbers = count_to(50);
  int sum = 0;
  for (numbers.handle.resume(); !numbers.handle.done(); numbers.handle.resume()) sum += numbers.handle.promise().value;
  std::printf("%d\n", sum);
}
