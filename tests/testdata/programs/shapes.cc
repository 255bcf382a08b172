// Areas of shapes. NS names the namespace, T the number type, SPLIT cuts a helper off `total`, DEEP nests groups deeper.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#define KEEP asm volatile("" ::: "memory")  // a call is made as often as it is written

#ifndef NS
#define NS geometry
#endif
#ifndef T
#define T int
#endif
#ifndef DEEP
#define DEEP 6
#endif

namespace NS {

template <typename Number>
struct Ring {
  std::vector<Number> cells;
  __attribute__((noinline)) void put(Number value) { cells.push_back(value * 3 + 1); }
  __attribute__((noinline)) Number sum() const {
  KEEP;
    Number total = 0;
    for (Number cell : cells) total += cell ^ (total >> 3);
    return total;
  }
};

struct Group {
  std::vector<std::unique_ptr<Group>> children;
  long weight = 1;
};

__attribute__((noinline)) std::unique_ptr<Group> grow(int depth) {
  auto group = std::make_unique<Group>();
  group->weight = depth * 7 + 1;
  for (int child = 0; depth > 0 && child < 2; ++child) group->children.push_back(grow(depth - 1));
  return group;
}

__attribute__((noinline)) long weigh(const Group& group) {
  long sum = group.weight;
  for (const auto& child : group.children) sum += weigh(*child);
  return sum;
}

#ifdef SPLIT
__attribute__((noinline)) long scale(const std::vector<long>& values) {
  long sum = 0;
  for (long value : values) sum += value * value % 97;
  return sum;
}
#endif

__attribute__((noinline)) long total(const std::vector<long>& values) {
  KEEP;
  long sum = 0;
  for (long value : values) sum += value ^ (sum >> 2);
#ifdef SPLIT
  sum += scale(values);
#else
  for (long value : values) sum += value * value % 97;
#endif
  return sum;
}

}  // namespace NS

int main() {
  NS::Ring<T> ring;
  for (int i = 0; i < 2000; ++i) ring.put(static_cast<T>(i));
  long result = 0;
  for (int i = 0; i < 30; ++i) result += static_cast<long>(ring.sum());
  std::vector<long> values;
  for (int i = 0; i < 500; ++i) values.push_back(i * 31 % 113);
  for (int i = 0; i < 40; ++i) result += NS::total(values);
  auto group = NS::grow(DEEP);
  for (int i = 0; i < 20; ++i) result += NS::weigh(*group);
  std::printf("%ld\n", result);
}
