// A depot takes orders, prices them by rules and keeps a ledger of what is left (pairs_ninth.toml).
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <ranges>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#ifndef ORDERS
#define ORDERS 1500
#endif

#define APART __attribute__((noinline))

namespace depot {

struct Order {
  int number = 0;
  std::string customer;
  std::string article;
  int pieces = 0;
  int weight = 0;
};

// ---- rules -------------------------------------------------------------------------------------

class Rule {
 public:
  Rule() = default;
  Rule(const Rule&) = delete;
  Rule& operator=(const Rule&) = delete;
  virtual ~Rule() = default;
  virtual int price(const Order& order, int so_far) const = 0;
};

class PerPiece : public Rule {
 public:
  explicit PerPiece(int each) : each_(each) {}
  int price(const Order& order, int so_far) const override { return so_far + order.pieces * each_; }
  int each() const { return each_; }

 private:
  int each_;
};

class Heavy : public Rule {
 public:
  explicit Heavy(int above) : above_(above) {}
  int price(const Order& order, int so_far) const override { return order.weight > above_ ? so_far + order.weight - above_ : so_far; }
  int above() const { return above_; }

 private:
  int above_;
};

class Rebate : public Rule {
 public:
  explicit Rebate(int percent) : percent_(percent) {}
  int price(const Order& order, int so_far) const override { return order.pieces >= 10 ? so_far - so_far * percent_ / 100 : so_far; }
  int percent() const { return percent_; }

 private:
  int percent_;
};

#ifdef KIND_ASKED
/// Asks each rule what it is.
APART int price_of(const Order& order, const std::vector<std::unique_ptr<Rule>>& rules) {
  int price = 0;
  for (const auto& rule : rules) {
    if (const auto* heavy = dynamic_cast<const Heavy*>(rule.get())) {
      price = order.weight > heavy->above() ? price + order.weight - heavy->above() : price;
    } else if (const auto* rebate = dynamic_cast<const Rebate*>(rule.get())) {
      price = order.pieces >= 10 ? price - price * rebate->percent() / 100 : price;
    } else if (const auto* piece = dynamic_cast<const PerPiece*>(rule.get())) {
      price += order.pieces * piece->each();
    }
  }
  return price;
}
#else
APART int price_of(const Order& order, const std::vector<std::unique_ptr<Rule>>& rules) {
  int price = 0;
  for (const auto& rule : rules) price = rule->price(order, price);
  return price;
}
#endif

// ---- stock -------------------------------------------------------------------------------------

#ifdef STOCK_SORTED
using Stock = std::map<std::string, int>;
#else
using Stock = std::unordered_map<std::string, int>;
#endif

APART int taken_from(Stock& stock, const std::vector<Order>& orders) {
  int short_of = 0;
  for (const Order& order : orders) {
    int& left = stock[order.article];
    if (left < order.pieces) ++short_of;
    else left -= order.pieces;
  }
  return short_of;
}

// ---- shelves: a tree that is walked ------------------------------------------------------------

struct Shelf {
  int number = 0;
  int room = 0;
  std::shared_ptr<Shelf> left, right;
};

std::shared_ptr<Shelf> shelves_between(int low, int high) {
  if (low >= high) return nullptr;
  const int middle = (low + high) / 2;
  return std::make_shared<Shelf>(Shelf{middle, middle * 37 % 101, shelves_between(low, middle), shelves_between(middle + 1, high)});
}

#ifdef SHELF_SHARED
APART int room_below(std::shared_ptr<Shelf> shelf) {
#else
APART int room_below(const std::shared_ptr<Shelf>& shelf) {
#endif
  if (!shelf) return 0;
  return shelf->room + room_below(shelf->left) + room_below(shelf->right);
}

// ---- reports -----------------------------------------------------------------------------------

#ifdef STAGES_KEPT
/// Keeps the result of each stage.
APART long weight_for(const std::vector<Order>& orders, std::string_view customer) {
  std::vector<Order> theirs;
  for (const Order& order : orders)
    if (order.customer == customer) theirs.push_back(order);
  std::vector<Order> heavy;
  for (const Order& order : theirs)
    if (order.weight > 20) heavy.push_back(order);
  std::vector<long> weights;
  for (const Order& order : heavy) weights.push_back(static_cast<long>(order.weight) * order.pieces);
  return std::accumulate(weights.begin(), weights.end(), 0L);
}
#else
APART long weight_for(const std::vector<Order>& orders, std::string_view customer) {
  auto weights = orders | std::views::filter([&](const Order& order) { return order.customer == customer; }) |
                 std::views::filter([](const Order& order) { return order.weight > 20; }) |
                 std::views::transform([](const Order& order) { return static_cast<long>(order.weight) * order.pieces; });
  long sum = 0;
  for (const long weight : weights) sum += weight;
  return sum;
}
#endif

#ifdef ANY_FUNCTION
using Test = const std::function<bool(const Order&)>&;
APART int how_many(const std::vector<Order>& orders, Test test) {
#else
template <class Test>
APART int how_many(const std::vector<Order>& orders, Test test) {
#endif
  int found = 0;
  for (const Order& order : orders)
    if (test(order)) ++found;
  return found;
}

struct Log {
  bool on = false;
  void line(const std::string& text) {
    if (on) std::fputs(text.c_str(), stderr);
  }
};

APART std::string told(const Order& order, int price) {
  std::ostringstream out;
  out << "order " << order.number << " of " << order.customer << ": " << order.pieces << " pieces for " << price << '\n';
  return out.str();
}

/// Prices all orders.
APART long income(const std::vector<Order>& orders, const std::vector<std::unique_ptr<Rule>>& rules, Log& log) {
  long sum = 0;
  for (const Order& order : orders) {
    const int price = price_of(order, rules);
    sum += price;
#ifdef TOLD_ALWAYS
    log.line(told(order, price));
#else
    if (log.on) log.line(told(order, price));
#endif
  }
  return sum;
}

// ---- customers: two things that a change can do at once ----------------------------------------

std::string folded(const std::string& name) {
  std::string result;
  for (const char c : name) result.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  return result;
}

APART bool before(const Order& a, const Order& b) {
#ifdef TWO_WAYS
  return folded(a.customer + "/" + a.article) < folded(b.customer + "/" + b.article);
#else
  return a.number * 7919 % 1009 < b.number * 7919 % 1009;
#endif
}

APART int customers_in(const std::vector<Order>& orders) {
#ifdef TWO_WAYS
  std::unordered_map<std::string_view, int> seen;
  for (const Order& order : orders) ++seen[order.article];
  return static_cast<int>(seen.size());
#else
  std::vector<std::string_view> seen;
  for (const Order& order : orders)
    if (std::find(seen.begin(), seen.end(), order.article) == seen.end()) seen.push_back(order.article);
  return static_cast<int>(seen.size());
#endif
}

std::vector<Order> orders_of_a_day(int count) {
  std::vector<Order> orders;
  unsigned seed = 3;
  for (int i = 0; i < count; ++i) {
    seed = seed * 1103515245u + 12345u;
    orders.push_back({i, "Customer number " + std::to_string(seed >> 16 & 63), "article-" + std::to_string((seed >> 10) % 400), static_cast<int>(seed >> 12 & 15), static_cast<int>(seed >> 20 & 63)});
  }
  return orders;
}

APART long work_of_a_day(int count) {
  std::vector<Order> orders = orders_of_a_day(count);
  std::vector<std::unique_ptr<Rule>> rules;
  rules.push_back(std::make_unique<PerPiece>(12));
  rules.push_back(std::make_unique<Heavy>(30));
  rules.push_back(std::make_unique<PerPiece>(3));
  rules.push_back(std::make_unique<Rebate>(7));
  Stock stock;
  for (int i = 0; i < 400; ++i) stock["article-" + std::to_string(i)] = i % 50;
  Log log;
  long sum = income(orders, rules, log);
  for (int round = 0; round < 3; ++round) sum += taken_from(stock, orders);
  const std::shared_ptr<Shelf> shelves = shelves_between(0, 700);
  for (int round = 0; round < 10; ++round) sum += room_below(shelves);
  for (int customer = 0; customer < 12; ++customer) sum += weight_for(orders, "Customer number " + std::to_string(customer));
  for (int least = 0; least < 20; ++least) sum += how_many(orders, [least](const Order& order) { return order.pieces > least && order.weight > least; });
  std::vector<Order> sorted(orders.begin(), orders.begin() + std::min<std::ptrdiff_t>(400, count));
  std::stable_sort(sorted.begin(), sorted.end(), before);
  return sum + sorted.front().number + customers_in(orders);
}

}  // namespace depot

int main() {
  std::printf("%ld\n", depot::work_of_a_day(ORDERS));
  return 0;
}
