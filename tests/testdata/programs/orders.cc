// Orders: bad ones thrown out, counted by client, prices given as nested sums. Built with one change at a time (-D...).
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#ifndef BAD
#define BAD 400  // every which order is bad
#endif
#ifndef NEST
#define NEST 4
#endif

struct Order {
  int id;
  std::string client;
};

using Counts = std::map<std::string, int>;

__attribute__((noinline)) int checked(const Order& order) {
  if (order.id % BAD == 0) throw std::runtime_error("bad order of " + order.client);
  return order.id;
}

__attribute__((noinline)) int check_all(const std::vector<Order>& orders) {
  int good = 0;
  for (const Order& order : orders) {
    try {
      good += checked(order) > 0;
    } catch (const std::exception&) {
      --good;
    }
  }
  return good;
}

__attribute__((noinline)) int count_clients(const std::vector<Order>& orders) {
  Counts counts;
  for (const Order& order : orders) ++counts[order.client];
  return static_cast<int>(counts.size());
}

struct Price {
  const char* at;
  __attribute__((noinline)) long factor() {
    if (*at != '(') return *at++ - '0';
    ++at;
    const long value = sum();
    ++at;
    return value;
  }
  __attribute__((noinline)) long product() {
    long value = factor();
    while (*at == '*') ++at, value = value * factor() % 1000;
    return value;
  }
  __attribute__((noinline)) long sum() {
    long value = product();
    while (*at == '+') ++at, value += product();
    return value;
  }
};

std::string nested(int depth) {
  if (depth == 0) return "7";
  const std::string inner = nested(depth - 1);
  return "(" + inner + "*3+" + inner + ")";
}

int main() {
  std::vector<Order> orders;
  for (int i = 0; i < 2000; ++i) orders.push_back({i + 1, "client " + std::to_string(i * 7919 % 97)});
  long result = check_all(orders) + count_clients(orders);
  const std::string text = nested(NEST);
  for (int i = 0; i < 100; ++i) result += Price{text.c_str()}.sum();
  std::printf("%ld\n", result);
}
