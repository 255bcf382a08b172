// Formulas of a sheet: read, kept as variants, walked by coroutines, evaluated (pairs_ninth.toml).
#include <charconv>
#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#ifndef CELLS
#define CELLS 220
#endif

#define APART __attribute__((noinline))

struct Node;
using Tree = std::unique_ptr<Node>;

struct Number {
  double value;
};
struct Cell {
  int index;
};
struct Binary {
  char sign;
  Tree left, right;
};
struct Node {
  std::variant<Number, Cell, Binary> what;
};

/// What a coroutine gives one by one.
template <class Value>
class Sequence {
 public:
  struct promise_type {
    Value value{};
    Sequence get_return_object() { return Sequence(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(Value given) {
      value = given;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  explicit Sequence(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Sequence(Sequence&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Sequence& operator=(Sequence&&) = delete;
  ~Sequence() {
    if (handle_) handle_.destroy();
  }
  bool next() {
    handle_.resume();
    return !handle_.done();
  }
  Value value() const { return handle_.promise().value; }

 private:
  std::coroutine_handle<promise_type> handle_;
};

// ---- reading -----------------------------------------------------------------------------------

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  Tree sum();

 private:
  Tree product();
  Tree atom();
  double number();
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  std::string_view text_;
  std::size_t at_ = 0;
};

Tree Reader::sum() {
  Tree left = product();
  while (peek() == '+' || peek() == '-') {
    const char sign = text_[at_++];
    left = std::make_unique<Node>(Node{Binary{sign, std::move(left), product()}});
  }
  return left;
}

Tree Reader::product() {
  Tree left = atom();
  while (peek() == '*') {
    ++at_;
    left = std::make_unique<Node>(Node{Binary{'*', std::move(left), atom()}});
  }
  return left;
}

Tree Reader::atom() {
  if (peek() == '(') {
    ++at_;
    Tree inside = sum();
    ++at_;
    return inside;
  }
  if (peek() == '#') {
    ++at_;
    return std::make_unique<Node>(Node{Cell{static_cast<int>(number())}});
  }
  return std::make_unique<Node>(Node{Number{number()}});
}

APART double Reader::number() {
  const std::size_t from = at_;
  while ((peek() >= '0' && peek() <= '9') || peek() == '.') ++at_;
#ifdef BY_STOD
  return std::stod(std::string(text_.substr(from, at_ - from)));
#else
  double value = 0;
  std::from_chars(text_.data() + from, text_.data() + at_, value);
  return value;
#endif
}

// ---- walking -----------------------------------------------------------------------------------

#ifdef NESTED_COROUTINES
/// The cells that a formula names, each level of it by a coroutine of its own.
Sequence<int> cells_in(const Node& node) {
  if (const Cell* cell = std::get_if<Cell>(&node.what)) {
    co_yield cell->index;
  } else if (const Binary* binary = std::get_if<Binary>(&node.what)) {
    Sequence<int> left = cells_in(*binary->left);
    while (left.next()) co_yield left.value();
    Sequence<int> right = cells_in(*binary->right);
    while (right.next()) co_yield right.value();
  }
}
#else
/// The cells that a formula names, by one coroutine with a stack.
Sequence<int> cells_in(const Node& node) {
  std::vector<const Node*> left{&node};
  while (!left.empty()) {
    const Node* next = left.back();
    left.pop_back();
    if (const Cell* cell = std::get_if<Cell>(&next->what)) {
      co_yield cell->index;
    } else if (const Binary* binary = std::get_if<Binary>(&next->what)) {
      left.push_back(binary->right.get());
      left.push_back(binary->left.get());
    }
  }
}
#endif

APART long cells_named(const std::vector<Tree>& sheet) {
  long sum = 0;
  for (const Tree& tree : sheet) {
    Sequence<int> cells = cells_in(*tree);
    while (cells.next()) sum += cells.value() + 1;
  }
  return sum;
}

// ---- values ------------------------------------------------------------------------------------

template <class... Cases>
struct Each : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Each(Cases...) -> Each<Cases...>;

class Sheet {
 public:
  explicit Sheet(const std::vector<Tree>& trees) : trees_(trees) {}
  double value_of(int index);

 private:
  double value_of(const Node& node);
  const std::vector<Tree>& trees_;
  std::unordered_map<int, double> known_;
};

APART double Sheet::value_of(int index) {
#ifndef NOTHING_KEPT
  if (const auto found = known_.find(index); found != known_.end()) return found->second;
#endif
  const double value = value_of(*trees_[static_cast<std::size_t>(index)]);
#ifndef NOTHING_KEPT
  known_.emplace(index, value);
#endif
  return value;
}

double Sheet::value_of(const Node& node) {
  return std::visit(Each{[](const Number& number) { return number.value; }, [this](const Cell& cell) { return value_of(cell.index); },
                         [this](const Binary& binary) {
                           const double left = value_of(*binary.left), right = value_of(*binary.right);
                           return binary.sign == '+' ? left + right : binary.sign == '-' ? left - right : left * right;
                         }},
                    node.what);
}

APART void print_all(Sheet& sheet, int count) {
  for (int i = 0; i < count; ++i) {
#ifdef FLUSHED_EACH
    std::cout << "cell " << i << ": " << static_cast<long>(sheet.value_of(i)) % 100003 << std::endl;
#else
    std::cout << "cell " << i << ": " << static_cast<long>(sheet.value_of(i)) % 100003 << '\n';
#endif
  }
}

std::vector<Tree> sheet_of(int count) {
  std::vector<Tree> trees;
  for (int i = 0; i < count; ++i) {
    std::string text = std::to_string(i) + ".25+2*(" + std::to_string(i % 17) + ".5-1)";
    if (i >= 8) text += "+(#" + std::to_string(i - 1 - i % 3) + "*0.25-#" + std::to_string(i / 2) + ")*0.125";
    text += "+3.1415926*(7-" + std::to_string(i % 5) + ")";
    trees.push_back(Reader(text).sum());
  }
  return trees;
}

int main() {
  const std::vector<Tree> trees = sheet_of(CELLS);
  Sheet sheet(trees);
  long named = 0;
  for (int round = 0; round < 12; ++round) named += cells_named(trees);
  print_all(sheet, SHOWN);
  std::printf("%ld cells named\n", named);
  return 0;
}
