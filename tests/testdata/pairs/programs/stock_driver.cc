// A stock of articles: booked, looked up, sorted and served; each macro is a change of pairs_seventh.toml.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

struct Article {
  std::string name;
  int amount = 0;
  int shelf = 0;
};

static std::string lower(const std::string& text) {
  std::string out = text;
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

__attribute__((noinline)) bool comes_before(const Article& a, const Article& b) {
#ifdef LOWERED
  return lower(a.name) < lower(b.name);
#else
  return strcasecmp(a.name.c_str(), b.name.c_str()) < 0;
#endif
}

class Counter {
 public:
  __attribute__((noinline)) void add(int amount) {
#ifdef LOCKED
    const std::lock_guard<std::mutex> held(mutex_);
#endif
    sum_ += amount;
    ++calls_;
  }
  long sum() const { return sum_ + calls_; }

 private:
  std::mutex mutex_;
  long sum_ = 0, calls_ = 0;
};

#ifdef LOGGED
static char log_line[200];
__attribute__((noinline)) void log_booking(const Article& one, int amount) {
  std::snprintf(log_line, sizeof log_line, "booked %d of %s on shelf %d", amount, one.name.c_str(), one.shelf);
}
#endif

class Stock {
 public:
  void put(Article one) {
    index_[one.name] = articles_.size();
    articles_.push_back(std::move(one));
  }
  __attribute__((noinline)) Article* find(const std::string& name) {
#ifdef SEARCHED
    for (Article& one : articles_)
      if (one.name == name) return &one;
    return nullptr;
#else
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : &articles_[found->second];
#endif
  }
  __attribute__((noinline)) void book(const std::string& name, int amount, Counter& counter) {
    Article* one = find(name);
    if (!one) return;
    one->amount += amount;
    counter.add(amount);
#ifdef LOGGED
    log_booking(*one, amount);
#endif
  }
  std::vector<Article>& articles() { return articles_; }

 private:
  std::vector<Article> articles_;
  std::unordered_map<std::string, size_t> index_;
};

#ifdef HELPER
__attribute__((noinline)) static bool is_blocked_at(const std::vector<int>& blocked, size_t i, int shelf) { return blocked[i] == shelf; }
__attribute__((noinline)) bool is_blocked(const std::vector<int>& blocked, int shelf) {
  bool found = false;
  for (size_t i = 0; i < blocked.size(); ++i)
    if (is_blocked_at(blocked, i, shelf)) found = true;
  return found;
}
#else
__attribute__((noinline)) bool is_blocked(const std::vector<int>& blocked, int shelf) {
  for (size_t i = 0; i < blocked.size(); ++i)
    if (blocked[i] == shelf) return true;
  return false;
}
#endif

struct Order {
  int article = 0, amount = 0, priority = 0, customer = 0;
};

#ifdef ERASED_AT_FRONT
using Waiting = std::vector<Order>;
static void drop_first(Waiting& waiting) { waiting.erase(waiting.begin()); }
#else
using Waiting = std::deque<Order>;
static void drop_first(Waiting& waiting) { waiting.pop_front(); }
#endif

__attribute__((noinline)) long serve(Waiting& waiting) {
  long sum = 0;
  while (!waiting.empty()) {
    sum += waiting.front().amount * (waiting.front().priority + 1);
    drop_first(waiting);
  }
  return sum;
}

int main() {
  Stock stock;
  Counter counter;
  for (int i = 0; i < 200; ++i) stock.put({(i % 2 ? "Screw, steel, number " : "nut of brass, number ") + std::to_string(i * 7919 % 1009), i, i % 37});
  std::vector<std::string> names;
  for (const Article& one : stock.articles()) names.push_back(one.name);
  for (int i = 0; i < 4000; ++i) stock.book(names[static_cast<size_t>(i * 31 % 200)], i % 9, counter);
  std::vector<int> blocked;
  for (int i = 0; i < 60; ++i) blocked.push_back(i * 5 % 61);
  int count = 0;
  for (int round = 0; round < 20; ++round)
    for (const Article& one : stock.articles()) count += is_blocked(blocked, one.shelf % 6 * 5);
  Waiting waiting;
  for (int i = 0; i < 2500; ++i) waiting.push_back({i % 200, i % 7, i % 3, i});
  const long served = serve(waiting);
  std::sort(stock.articles().begin(), stock.articles().end(), comes_before);
  std::printf("%ld %d %ld %s\n", counter.sum(), count, served, stock.articles()[0].name.c_str());
}
