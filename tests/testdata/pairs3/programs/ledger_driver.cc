// Books generated entries to accounts, by small classes of a layered program; C++20 (pairs_eighth.toml).
#include <coroutine>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <iomanip>
#include <iostream>
#include <memory>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

struct Entry {
  int account;
  std::int64_t cents;
  std::string text;
};

#ifdef BY_COROUTINE
template <typename T>
class Generator {
 public:
  struct promise_type {
    T value{};
    Generator get_return_object() { return Generator(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(T next) {
      value = next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  explicit Generator(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Generator(const Generator&) = delete;
  ~Generator() { handle_.destroy(); }
  std::optional<T> next() {
    handle_.resume();
    if (handle_.done()) return std::nullopt;
    return handle_.promise().value;
  }

 private:
  std::coroutine_handle<promise_type> handle_;
};
Generator<int> parts_of(std::int64_t cents) {
  for (int rest = static_cast<int>(cents); rest > 0; rest /= 10) co_yield rest % 10;
}
int check_digit(std::int64_t cents) {
  int sum = 0;
  auto parts = parts_of(cents);
  while (const std::optional<int> part = parts.next()) sum = sum * 3 + *part;
  return sum % 97;
}
#else
int check_digit(std::int64_t cents) {
  int sum = 0;
  for (int rest = static_cast<int>(cents); rest > 0; rest /= 10) sum = sum * 3 + rest % 10;
  return sum % 97;
}
#endif

template <typename Rule>
std::int64_t sum_where(const std::vector<Entry>& entries, Rule rule) {
  std::int64_t sum = 0;
  for (const Entry& entry : entries)
    if (rule(entry)) sum += entry.cents;
  return sum;
}

class Account {
 public:
  explicit Account(int number) : number_(number) {}
  void book(const Entry& entry) {
    balance_ += entry.cents;
    history_.push_back(entry);
  }
  int number() const { return number_; }
  std::int64_t balance() const { return balance_; }
  std::size_t count() const { return history_.size(); }
#ifdef BALANCE_RECOUNTED
  bool is_sound() const {
    std::int64_t sum = 0;
    for (const Entry& entry : history_) sum += entry.cents;
    return sum == balance_;
  }
#else
  bool is_sound() const { return history_.empty() == (balance_ == 0) || balance_ != 0; }
#endif

 private:
  int number_;
  std::int64_t balance_ = 0;
  std::vector<Entry> history_;
};

class Journal {
 public:
  void note(const Entry& entry, int digit) {
#ifdef NOTE_FORMATTED
    std::ostringstream line;
    line << std::setw(8) << entry.account << ' ' << std::fixed << std::setprecision(2) << static_cast<double>(entry.cents) / 100 << ' ' << entry.text << ' ' << digit;
    const std::string text = line.str();
    if (verbose_) std::puts(text.c_str());
#else
    if (verbose_) {
      std::ostringstream line;
      line << std::setw(8) << entry.account << ' ' << std::fixed << std::setprecision(2) << static_cast<double>(entry.cents) / 100 << ' ' << entry.text << ' ' << digit;
      std::puts(line.str().c_str());
    }
#endif
    sum_ += digit;
  }
  long sum() const { return sum_; }

 private:
  bool verbose_ = false;
  long sum_ = 0;
};

class Ledger {
 public:
  Ledger() {
    for (int i = 0; i < 64; ++i) accounts_.push_back(std::make_shared<Account>(1000 + i * 3));
  }
#ifdef OWNERS_COPIED
  std::shared_ptr<Account> find(int number) {
    for (std::shared_ptr<Account> account : accounts_)
      if (account->number() == number) return account;
    return nullptr;
  }
#elif defined FOUND_AT_ONCE
  std::shared_ptr<Account> find(int number) {
    const int place = (number - 1000) / 3;
    return place >= 0 && place < 64 ? accounts_[static_cast<std::size_t>(place)] : nullptr;
  }
#else
  std::shared_ptr<Account> find(int number) {
    for (const std::shared_ptr<Account>& account : accounts_)
      if (account->number() == number) return account;
    return nullptr;
  }
#endif
  void book(const Entry& entry) {
    const std::shared_ptr<Account> account = find(entry.account);
    account->book(entry);
    journal_.note(entry, check_digit(entry.cents));
    if (entry.cents % 16 == 0 && !account->is_sound()) std::abort();
  }
  long sum() const { return journal_.sum(); }
  std::int64_t balance() const {
    return std::accumulate(accounts_.begin(), accounts_.end(), std::int64_t{0}, [](std::int64_t sum, const std::shared_ptr<Account>& account) { return sum + account->balance(); });
  }

 private:
  std::vector<std::shared_ptr<Account>> accounts_;
  Journal journal_;
};

class Queue {
 public:
  void push(Entry entry) { waiting_.push_back(std::move(entry)); }
  bool empty() const { return waiting_.empty(); }
  Entry pop() {
    Entry first = std::move(waiting_.front());
    waiting_.pop_front();
    return first;
  }

 private:
  std::deque<Entry> waiting_;
};

std::size_t different_texts(const std::vector<Entry>& entries) {
  std::unordered_set<std::string> seen;
  for (const Entry& entry : entries) seen.insert(entry.text);
  return seen.size();
}

int main() {
  std::vector<Entry> entries;
  for (int i = 0; i < 3000; ++i) entries.push_back({1000 + i * 7 % 64 * 3, (i * 7919 % 100003) + 1, "a transfer of month " + std::to_string(i % 400) + " for services"});
  Queue queue;
  for (const Entry& entry : entries) queue.push(entry);
  Ledger ledger;
  while (!queue.empty()) ledger.book(queue.pop());
  const int least = static_cast<int>(entries.size()) * 10;
  std::int64_t large = 0;
  for (int account = 1000; account < 1030; account += 3) large += sum_where(entries, [account, least](const Entry& entry) { return entry.account == account && entry.cents > least; });
  std::printf("%ld %lld %lld %zu\n", ledger.sum(), static_cast<long long>(ledger.balance()), static_cast<long long>(large), different_texts(entries));
}
