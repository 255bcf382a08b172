// Books generated orders by customer and reports them.
#include <charconv>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#ifdef TREE
using Books = std::map<std::string, long>;
#else
using Books = std::unordered_map<std::string, long>;
#endif

struct Order {
  std::string customer, amount;
};

[[gnu::noinline]] std::vector<Order> make_orders() {
  std::vector<Order> orders;
  unsigned state = 11;
  for (int i = 0; i < 500; ++i) {
    state = state * 1103515245u + 12345u;
    const unsigned number = state >> 16;
    orders.push_back({"customer number " + std::to_string(number % 90), number % 4 ? std::to_string(number % 1000) : "none"});
  }
  return orders;
}

[[gnu::noinline]] long parse_amount(const std::string& text) {
#ifdef BY_EXCEPTION
  try {
    return std::stol(text);
  } catch (const std::invalid_argument&) {
    return 0;
  }
#else
  long value = 0;
  return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc() ? value : 0;
#endif
}

#ifdef BY_VALUE
[[gnu::noinline]] void book(Books& books, Order order) {
#else
[[gnu::noinline]] void book(Books& books, const Order& order) {
#endif
  books[order.customer] += parse_amount(order.amount);
}

[[gnu::noinline]] void report(const Books& books, std::ofstream& out) {
  for (const auto& [customer, sum] : books) {
    out << customer << ": " << sum;
#ifdef FLUSHED
    out << std::endl;
#else
    out << '\n';
#endif
  }
}

int main() {
  Books books;
  std::ofstream out("/dev/null");
  const std::vector<Order> orders = make_orders();
  for (const Order& order : orders) book(books, order);
  for (int round = 0; round < 5; ++round) report(books, out);
  std::printf("%zu\n", books.size());
}
