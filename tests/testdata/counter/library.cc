// The C++ library: maps, strings, sorting, virtual calls, lambdas, streams.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>
struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};
struct Square : Shape {
  explicit Square(int side) : side(side) {}
  int area() const override { return side * side; }
  int side;
};
struct Line : Shape {
  int area() const override { return 0; }
};
int main() {
  std::map<std::string, int> counts;
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 100; ++i) {
    counts["k" + std::to_string(i * 7 % 31)] += i;
    if (i % 3)
      shapes.push_back(std::make_unique<Square>(i));
    else
      shapes.push_back(std::make_unique<Line>());
  }
  std::sort(shapes.begin(), shapes.end(), [](const auto& a, const auto& b) { return a->area() < b->area(); });
  std::function<int(int)> fibonacci = [&](int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); };
  std::cout << counts.size() << ' ' << shapes.back()->area() << ' ' << fibonacci(10) << '\n';
}
