// Small C++ functions whose insides the pairs of pairs.toml change: kernels NAME N runs one of them. A mark (an @ and a name) names its line.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#define APART __attribute__((noinline))
// Costs nothing; a call of a function that has one is not moved out of a loop, nor made once for two.
#define EACH_TIME __asm__ volatile("" : : : "memory")

namespace {

// A method with a loop that iterates more often.
class Lexer {
 public:
  explicit Lexer(const std::string& text) : text_(text) {}

  APART size_t skip_blanks(size_t at) const {
    while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t'))  // @blanks
      ++at;                                                               // @blanks-end
    return at;
  }

  size_t count_words() const {
    size_t words = 0;
    for (size_t at = 0; at < text_.size(); ++words) {
      at = skip_blanks(at);
      while (at < text_.size() && text_[at] != ' ') ++at;
    }
    return words;
  }

 private:
  const std::string& text_;
};

size_t run_blanks(int blanks) {
  std::string text;
  for (int i = 0; i < 1500; ++i) text += std::string(static_cast<size_t>(blanks), ' ') + "ab";
  return Lexer(text).count_words();
}

// A virtual call: other objects in the list, of which one kind costs more.
struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Square : Shape {
  explicit Square(double side) : side_(side) {}
  double area() const override { return side_ * side_; }
  double side_;
};
struct Polygon : Shape {
  explicit Polygon(int corners) : corners_(corners) {}
  APART double area() const override {
    double sum = 0;
    for (int i = 0; i < corners_; ++i) sum += i * 0.5 - sum / 3;
    return sum;
  }
  int corners_;
};

APART double total_area(const std::vector<std::unique_ptr<Shape>>& shapes) {
  EACH_TIME;
  double sum = 0;
  for (const auto& shape : shapes)  // @shapes
    sum += shape->area();           // @shapes-end
  return sum;
}

size_t run_shapes(int percent) {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 500; ++i) {
    if (i % 100 < percent)
      shapes.push_back(std::make_unique<Polygon>(8));
    else
      shapes.push_back(std::make_unique<Square>(i));
  }
  double sum = 0;
  for (int i = 0; i < 100; ++i) sum += total_area(shapes);
  return static_cast<size_t>(sum);
}

// A template: pairs of numbers that take more steps.
template <class Number>
APART Number common_divisor(Number a, Number b) {
  EACH_TIME;
  while (b != 0) {  // @divisor
    const Number rest = a % b;
    a = b;
    b = rest;
  }  // @divisor-end
  return a;
}

size_t run_divisor(int steps) {
  long a = 1, b = 1;
  for (int i = 0; i < steps; ++i) {  // consecutive Fibonacci numbers: `steps` steps
    const long sum = a + b;
    a = b;
    b = sum;
  }
  size_t sum = 0;
  for (int i = 0; i < 1000; ++i) sum += static_cast<size_t>(common_divisor(b, a));
  return sum;
}

// Checked access instead of unchecked: each iteration costs more.
APART unsigned prefix(const std::vector<unsigned>& numbers, const std::vector<unsigned>& places) {
  EACH_TIME;
  unsigned sum = 0;
  for (unsigned place : places) {  // @prefix
#ifdef CHECKED
    if (place >= numbers.size() || (place ^ sum) == 0xffffffffu) std::abort();
#endif
    sum = sum * 3 + numbers[place];
  }  // @prefix-end
  return sum;
}

size_t run_prefix(int count) {
  std::vector<unsigned> numbers(1000), places(1000);
  for (unsigned i = 0; i < 1000; ++i) {
    numbers[i] = i * 37 % 101;
    places[i] = i * 7 % 1000;
  }
  places.resize(static_cast<size_t>(count));
  size_t sum = 0;
  for (int i = 0; i < 100; ++i) sum += prefix(numbers, places);
  return sum;
}

// A map that is asked twice in each iteration.
class Counter {
 public:
  APART unsigned* find(unsigned key) {
    EACH_TIME;
    for (size_t i = 0; i < 16; ++i)
      if (keys_[i] == key) return &counts_[i];
    return nullptr;
  }
  unsigned keys_[16]{}, counts_[16]{};
};

APART unsigned tally(Counter& counter, const std::vector<unsigned>& keys) {
  EACH_TIME;
  unsigned known = 0;
  for (unsigned key : keys) {  // @tally
#ifdef ASK_TWICE
    if (!counter.find(key)) continue;
#endif
    if (unsigned* count = counter.find(key)) known += ++*count;
  }  // @tally-end
  return known;
}

size_t run_tally(int count) {
  Counter counter;
  for (unsigned i = 0; i < 16; ++i) counter.keys_[i] = i * 3 + 1;
  std::vector<unsigned> keys;
  for (unsigned i = 0; i < static_cast<unsigned>(count); ++i) keys.push_back(i % 16 * 3 + 1);
  size_t sum = 0;
  for (int i = 0; i < 20; ++i) sum += tally(counter, keys);
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  const std::string name = argv[1];
  const int n = std::atoi(argv[2]);
  size_t result = 0;
  if (name == "blanks") result = run_blanks(n);
  if (name == "shapes") result = run_shapes(n);
  if (name == "divisor") result = run_divisor(n);
  if (name == "prefix") result = run_prefix(n);
  if (name == "tally") result = run_tally(n);
  std::printf("%zu\n", result);
  return 0;
}
