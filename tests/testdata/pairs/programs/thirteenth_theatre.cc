// A theatre's box office: requests are read, seats are found, tickets are priced, sold, put in order, and told of.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace theatre {

constexpr int kRows = 30, kSeatsOfRow = 40, kEvenings = 6;

struct Request {
  std::string guest;
  std::string play;
  int evening = 0;
  int seats = 0;
  int kind = 0;  // of reduction
};

struct Ticket {
  std::string guest;
  std::string play;
  int evening = 0;
  int row = 0;
  int first = 0;
  int seats = 0;
  long cents = 0;
};

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : state_(seed) {}
  int below(int limit) {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<int>((state_ >> 10) % static_cast<std::uint32_t>(limit));
  }

 private:
  std::uint32_t state_;
};

[[gnu::noinline]] std::vector<Request> requests_of_week(int count) {
  static const char* const plays[] = {"The Cherry Orchard and its Owners", "A Midsummer Night in the Park", "The Government Inspector", "Nathan"};
  static const char* const names[] = {"Achterberg, Wilhelmina", "van den Broeck, Cornelis", "Dahl, Ingrid", "Ferrante, Giovanni Battista", "Okonkwo, Chidi", "Szymborska-Nowak, Maria"};
  Dice dice(41);
  std::vector<Request> all;
  all.reserve(count);
  for (int i = 0; i < count; ++i) {
    Request one;
    one.guest = std::string(names[dice.below(6)]) + " no. " + std::to_string(dice.below(900));
    one.play = plays[dice.below(4)];
    one.evening = dice.below(kEvenings);
    one.seats = 1 + dice.below(4);
    one.kind = dice.below(4);
    all.push_back(std::move(one));
  }
  return all;
}

// What seats are free: by a mark for each of them, or as a set of numbers.
class Hall {
 public:
#ifdef SEATS_IN_SET
  Hall() {
    for (int seat = 0; seat < kRows * kSeatsOfRow; ++seat) free_.insert(free_.end(), seat);
  }
  [[gnu::noinline]] bool is_free(int seat) const { return free_.count(seat) != 0; }
  [[gnu::noinline]] void take(int seat) { free_.erase(seat); }
#else
  Hall() : free_(kRows * kSeatsOfRow, true) {}
  [[gnu::noinline]] bool is_free(int seat) const { return free_[seat]; }
  [[gnu::noinline]] void take(int seat) { free_[seat] = false; }
#endif

  // The first of `seats` free ones beside each other, or -1.
  [[gnu::noinline]] int find(int seats) {
#ifdef SEAT_FROM_START
    int row = 0;
#else
    int row = full_until_;
#endif
    for (; row < kRows; ++row) {
      int together = 0;
      for (int place = 0; place < kSeatsOfRow; ++place) {
        together = is_free(row * kSeatsOfRow + place) ? together + 1 : 0;
        if (together == seats) return row * kSeatsOfRow + place - seats + 1;
      }
      if (seats == 1 && row == full_until_) ++full_until_;
    }
    return -1;
  }

 private:
#ifdef SEATS_IN_SET
  std::set<int> free_;
#else
  std::vector<bool> free_;
#endif
  int full_until_ = 0;
};

// What a seat costs less for whom, asked for each seat of each evening.
#ifdef REDUCTION_VIRTUAL
struct Reduction {
  virtual ~Reduction() = default;
  [[gnu::noinline]] virtual long of(long cents) const { return cents; }
};
struct ForPupils : Reduction {
  [[gnu::noinline]] long of(long cents) const override { return cents * 6 / 10; }
};
struct ForMembers : Reduction {
  [[gnu::noinline]] long of(long cents) const override { return cents - 250; }
};
struct ForGroups : Reduction {
  [[gnu::noinline]] long of(long cents) const override { return cents * 85 / 100; }
};

std::unique_ptr<Reduction> reduction_of(int kind) {
  switch (kind) {
    case 1: return std::make_unique<ForPupils>();
    case 2: return std::make_unique<ForMembers>();
    case 3: return std::make_unique<ForGroups>();
    default: return std::make_unique<Reduction>();
  }
}
#endif

#ifdef COMFORT_OUTLINED
[[gnu::noinline]]
#else
[[gnu::always_inline]] inline
#endif
long comfort_of(int row, int place) {
  const int middle = place < kSeatsOfRow / 2 ? kSeatsOfRow / 2 - place : place - kSeatsOfRow / 2;
  return 400 - row * 9 - middle * 3;
}

[[gnu::noinline]] long price_of(const Request& request, int seat) {
  long cents = 0;
#ifdef REDUCTION_VIRTUAL
  const auto reduction = reduction_of(request.kind);
#endif
  for (int i = 0; i < request.seats; ++i) {
    long one = 1200;
    // The seats around count, too.
    for (int ahead = 0; ahead < 8; ++ahead) one += comfort_of((seat + i) / kSeatsOfRow + ahead, (seat + i) % kSeatsOfRow);
#ifdef REDUCTION_VIRTUAL
    for (int evening = 0; evening < kEvenings; ++evening) cents += reduction->of(one + evening * 10);
#else
    for (int evening = 0; evening < kEvenings; ++evening) {
      const long full = one + evening * 10;
      cents += request.kind == 1 ? full * 6 / 10 : request.kind == 2 ? full - 250 : request.kind == 3 ? full * 85 / 100 : full;
    }
#endif
  }
  return cents / kEvenings;
}

class Till {
 public:
  [[gnu::noinline]] void add(int evening, long cents) {
#ifdef TILL_LOCKED
    const std::lock_guard<std::mutex> lock(mutex_);
#endif
    sums_[evening] += cents;
    ++tickets_[evening];
  }
  long sum() const {
    long all = 0;
    for (const long one : sums_) all += one;
    return all;
  }

 private:
#ifdef TILL_LOCKED
  std::mutex mutex_;
#endif
  long sums_[kEvenings] = {};
  long tickets_[kEvenings] = {};
};

[[gnu::noinline]] std::vector<Ticket> sell(const std::vector<Request>& requests, std::vector<Hall>& halls, Till& till) {
  std::vector<Ticket> tickets;
  tickets.reserve(requests.size());
  for (const Request& request : requests) {
    Hall& hall = halls[request.evening];
    const int seat = hall.find(request.seats);
    if (seat < 0) continue;
    for (int i = 0; i < request.seats; ++i) hall.take(seat + i);
    const long cents = price_of(request, seat);
    for (int i = 0; i < request.seats * 8; ++i) till.add(request.evening, cents / 8);
    tickets.push_back({request.guest, request.play, request.evening, seat / kSeatsOfRow, seat % kSeatsOfRow, request.seats, cents});
  }
  return tickets;
}

#ifdef COMPARED_BY_VALUE
[[gnu::noinline]] bool comes_before(const Ticket a, const Ticket b) {
#else
[[gnu::noinline]] bool comes_before(const Ticket& a, const Ticket& b) {
#endif
  if (a.evening != b.evening) return a.evening < b.evening;
  if (const int order = a.guest.compare(b.guest); order != 0) return order < 0;
  return a.row * kSeatsOfRow + a.first < b.row * kSeatsOfRow + b.first;
}

[[gnu::noinline]] void put_in_order(std::vector<const Ticket*>& all) {
  std::sort(all.begin(), all.end(), [](const Ticket* a, const Ticket* b) { return comes_before(*a, *b); });
}

[[gnu::noinline]] void append_number(std::string& text, long number, int width) {
#ifdef NUMBER_BY_PRINTF
  char digits[32];
  std::snprintf(digits, sizeof digits, "%*ld", width, number);
  text += digits;
#else
  char digits[32];
  int at = sizeof digits;
  do digits[--at] = static_cast<char>('0' + number % 10);
  while ((number /= 10) != 0);
  const int length = static_cast<int>(sizeof digits) - at;
  if (length < width) text.append(static_cast<std::size_t>(width - length), ' ');
  text.append(digits + at, static_cast<std::size_t>(length));
#endif
}

[[gnu::noinline]] std::string list_of(const std::vector<const Ticket*>& all) {
  std::string text;
  for (const Ticket* ticket : all) {
    append_number(text, ticket->evening, 2);
    append_number(text, ticket->row, 4);
    append_number(text, ticket->first, 4);
    append_number(text, ticket->seats, 3);
    append_number(text, ticket->cents, 9);
    text += ' ';
    text += ticket->guest;
    text += '\n';
  }
  return text;
}

}  // namespace theatre

int main() {
  using namespace theatre;
  const auto requests = requests_of_week(4200);
  std::vector<Hall> halls(kEvenings);
  Till till;
  const auto tickets = sell(requests, halls, till);
  std::vector<const Ticket*> all;
  for (const auto& ticket : tickets) all.push_back(&ticket);
  put_in_order(all);
  const auto list = list_of(all);
  std::printf("%zu tickets, %ld cents, %zu characters\n", tickets.size(), till.sum(), list.size());
}
