// A market's day: orders are read, checked, priced and booked, and a report is written.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace market {

struct Order {
  std::string customer;
  std::string product;
  std::string note;
  int pieces = 0;
  int day = 0;

  Order() = default;
  Order(const Order&) = default;
  Order& operator=(const Order&) = default;
#ifdef MOVE_MAY_THROW
  Order(Order&& other) : customer(std::move(other.customer)), product(std::move(other.product)), note(std::move(other.note)), pieces(other.pieces), day(other.day) {}
  Order& operator=(Order&& other) {
    customer = std::move(other.customer), product = std::move(other.product), note = std::move(other.note), pieces = other.pieces, day = other.day;
    return *this;
  }
#else
  Order(Order&&) noexcept = default;
  Order& operator=(Order&&) noexcept = default;
#endif
};

// The day's text: one order a line, fields between semicolons; one line in eight has no number of pieces.
std::string day_of_orders(int lines) {
  std::string text;
  unsigned state = 17;
  for (int i = 0; i < lines; ++i) {
    state = state * 1103515245u + 12345u;
    const unsigned drawn = state >> 16;
    text += "customer-of-the-market-" + std::to_string(drawn % 181) + ";product-" + std::to_string(drawn / 7 % 97) + ";";
    text += drawn % 8 == 3 ? std::string("many") : std::to_string(1 + drawn % 29);
    text += ";" + std::to_string(drawn % 28) + ";to be delivered before noon at gate " + std::to_string(drawn % 5) + "\n";
  }
  return text;
}

#ifdef FIELDS_COPIED
using Field = std::string;
#else
using Field = std::string_view;
#endif

[[gnu::noinline]] std::vector<Field> fields_of(std::string_view line) {
  std::vector<Field> fields;
  fields.reserve(5);
  for (;;) {
    const auto end = line.find(';');
    fields.emplace_back(line.substr(0, end));
    if (end == line.npos) return fields;
    line.remove_prefix(end + 1);
  }
}

#ifdef NUMBER_THROWN
[[gnu::noinline]] int number_of(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) throw std::invalid_argument("no number: " + std::string(text));
  return number;
}

[[gnu::noinline]] int pieces_of(std::string_view text) {
  try {
    return number_of(text);
  } catch (const std::invalid_argument&) {
    return 0;
  }
}
#else
[[gnu::noinline]] std::optional<int> number_of(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

[[gnu::noinline]] int pieces_of(std::string_view text) { return number_of(text).value_or(0); }
#endif

[[gnu::noinline]] std::vector<Order> read_orders(std::string_view text) {
  std::vector<Order> orders;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto fields = fields_of(text.substr(0, end));
    Order order;
    order.customer = fields[0];
    order.product = fields[1];
    order.pieces = pieces_of(fields[2]);
    order.day = pieces_of(fields[3]);
    order.note = fields[4];
    orders.push_back(std::move(order));
    text.remove_prefix(end + 1);
  }
  return orders;
}

// What a price depends on: a season's table that is dear to compute.
[[gnu::noinline]] double computed_price(std::string_view product, int day) {
  double price = 3.0;
  for (int round = 0; round < 6; ++round)
    for (const char c : product) price = price * 0.97 + (c % 11) * 0.05 + day * 0.001;
  return price;
}

#ifndef CACHE_SIZE
#define CACHE_SIZE 4096
#endif

class Prices {
 public:
  [[gnu::noinline]] double of(const std::string& product, int day) {
    const auto key = product + "@" + std::to_string(day);
    if (const auto found = places_.find(key); found != places_.end()) {
      recent_.splice(recent_.begin(), recent_, found->second);
      return found->second->second;
    }
    const double price = computed_price(product, day);
    recent_.emplace_front(key, price);
    places_[key] = recent_.begin();
    if (recent_.size() > CACHE_SIZE) forget_oldest();
    return price;
  }

 private:
  [[gnu::noinline]] void forget_oldest() {
    places_.erase(recent_.back().first);
    recent_.pop_back();
  }
  std::list<std::pair<std::string, double>> recent_;
  std::unordered_map<std::string, std::list<std::pair<std::string, double>>::iterator> places_;
};

struct Account {
  std::string name;
  double owed = 0;
  int orders = 0;
  std::vector<double> bookings;
};

#ifdef ACCOUNT_SHARED
using Handle = std::shared_ptr<Account>;
[[gnu::noinline]] void book(Handle account, double sum) {
#else
using Handle = Account*;
[[gnu::noinline]] void book(Account* account, double sum) {
#endif
  account->owed += sum;
  ++account->orders;
  account->bookings.push_back(sum);
}

class Accounts {
 public:
  [[gnu::noinline]] Handle of(const std::string& customer) {
    auto& account = accounts_[customer];
    if (!account) {
#ifdef ACCOUNT_SHARED
      account = std::make_shared<Account>();
#else
      account = std::make_unique<Account>();
#endif
      account->name = customer;
    }
#ifdef ACCOUNT_SHARED
    return account;
#else
    return account.get();
#endif
  }
  [[gnu::noinline]] std::vector<const Account*> by_debt() const {
    std::vector<const Account*> all;
    for (const auto& [name, account] : accounts_) all.push_back(account.get());
    std::sort(all.begin(), all.end(), [](const Account* a, const Account* b) { return a->owed != b->owed ? a->owed > b->owed : a->name < b->name; });
    return all;
  }

 private:
#ifdef ACCOUNT_SHARED
  std::map<std::string, std::shared_ptr<Account>> accounts_;
#else
  std::map<std::string, std::unique_ptr<Account>> accounts_;
#endif
};

[[gnu::noinline]] void append_sum(std::string& text, double sum) {
#ifdef SUM_BY_STREAM
  std::ostringstream out;
  out << static_cast<long>(sum * 100);
  text += out.str();
#else
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, static_cast<long>(sum * 100)).ptr;
  text.append(digits, end);
#endif
}

[[gnu::noinline]] std::string report_of(const Accounts& accounts) {
  std::string text;
  for (const Account* account : accounts.by_debt()) {
    text += account->name;
    text += ": ";
    append_sum(text, account->owed);
    for (const double sum : account->bookings) {
      text += " ";
      append_sum(text, sum);
    }
    text += "\n";
  }
  return text;
}

}  // namespace market

int main() {
  const auto text = market::day_of_orders(6000);
  const auto orders = market::read_orders(text);
  market::Prices prices;
  market::Accounts accounts;
  for (const auto& order : orders) market::book(accounts.of(order.customer), prices.of(order.product, order.day) * order.pieces);
  const auto report = market::report_of(accounts);
  std::printf("%zu orders, %zu characters\n", orders.size(), report.size());
}
