// Statics that gcc specialises and splits: their symbols carry .constprop, .isra and .part with one option, not with the other.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define KEEP asm volatile("" ::: "memory")  // a call is made as often as it is written

struct Point {
  long x, y, z;
};

static __attribute__((noinline)) long dot(const Point* a, const Point* b, long scale) {
  KEEP;
  long sum = 0;
  for (int i = 0; i < 4; ++i) sum += (a->x * b->x + a->y * b->y) * scale + i;
  return sum;
}

static __attribute__((noinline)) long walk(const std::vector<Point>& points, int stride, int verbose) {
  KEEP;
  long sum = 0;
  for (size_t i = 0; i + static_cast<size_t>(stride) < points.size(); ++i) {
    if (verbose) std::printf("%zu\n", i);
    sum += dot(&points[i], &points[i + static_cast<size_t>(stride)], 3);
  }
  return sum;
}

int main() {
  std::vector<Point> points;
  for (long i = 0; i < 400; ++i) points.push_back({i, i * 2 % 31, i * 3 % 17});
  long sum = 0;
  for (int i = 0; i < 10; ++i) sum += walk(points, 3, 0);
  std::printf("%ld\n", sum);
}
