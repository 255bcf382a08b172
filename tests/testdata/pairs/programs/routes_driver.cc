// Shortest routes in a grid of places with names, a cache of routes, and a report.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#define NOINLINE __attribute__((noinline))
#ifndef SIDE
#define SIDE 14
#endif

struct Road {
  int to;
  int length;
};

struct Place {
  std::string name;
  std::vector<Road> roads;
};

#ifdef BY_VIRTUAL
struct Cost {
  virtual ~Cost() = default;
  virtual int of(const Road& road) const = 0;
};
struct Length : Cost {
  NOINLINE int of(const Road& road) const override { return road.length; }
};
#endif

class Map {
 public:
  explicit Map(int side) {
    unsigned state = 3;
    for (int i = 0; i < side * side; ++i) places_.push_back({"the place number " + std::to_string(i), {}});
    for (int i = 0; i < side * side; ++i) {
      const auto road = [&](int to) {
        state = state * 1103515245u + 12345u;
        places_[i].roads.push_back({to, static_cast<int>(1 + (state >> 20) % 9)});
      };
      if (i % side + 1 < side) road(i + 1);
      if (i + side < side * side) road(i + side);
      if (i % side > 0) road(i - 1);
    }
  }

#ifdef BY_VALUE
  NOINLINE Place place(int i) const { return places_[i]; }
#else
  NOINLINE const Place& place(int i) const { return places_[i]; }
#endif
  int size() const { return static_cast<int>(places_.size()); }

 private:
  std::vector<Place> places_;
};

#ifdef BY_SET
NOINLINE std::vector<int> distances(const Map& map, int from) {
  std::vector<int> best(map.size(), 1 << 29);
  std::set<std::pair<int, int>> open;
  best[from] = 0;
  open.insert({0, from});
  while (!open.empty()) {
    const auto [distance, at] = *open.begin();
    open.erase(open.begin());
    for (const Road& road : map.place(at).roads)
      if (distance + road.length < best[road.to]) {
        open.erase({best[road.to], road.to});
        best[road.to] = distance + road.length;
        open.insert({best[road.to], road.to});
      }
  }
  return best;
}
#else
NOINLINE std::vector<int> distances(const Map& map, int from) {
  std::vector<int> best(map.size(), 1 << 29);
  std::priority_queue<std::pair<int, int>, std::vector<std::pair<int, int>>, std::greater<std::pair<int, int>>> open;
  best[from] = 0;
  open.push({0, from});
#ifdef BY_VIRTUAL
  const std::unique_ptr<Cost> cost = std::make_unique<Length>();
#endif
  while (!open.empty()) {
    const auto [distance, at] = open.top();
    open.pop();
#ifndef STALE_KEPT
    if (distance > best[at]) continue;
#endif
    const auto& place = map.place(at);
    for (const Road& road : place.roads) {
#ifdef BY_VIRTUAL
      const int length = cost->of(road);
#else
      const int length = road.length;
#endif
#ifdef EQUAL_PUSHED
      if (distance + length <= best[road.to]) {
        if (distance + length == best[road.to] && (road.to * 7 + at) % 3) continue;
#else
      if (distance + length < best[road.to]) {
#endif
        best[road.to] = distance + length;
        open.push({best[road.to], road.to});
      }
    }
  }
  return best;
}
#endif

class Cache {
 public:
  explicit Cache(size_t most) : most_(most) {}

#ifdef RESULT_COPIED
  NOINLINE const std::vector<int>* find(std::string key) {
#else
  NOINLINE const std::vector<int>* find(const std::string& key) {
#endif
#ifdef SCANNED
    const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const auto& one) { return one.first == key; });
    if (found == kept_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, found);
    return &kept_.front().second;
#else
    const auto found = by_name_.find(key);
    if (found == by_name_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, found->second);
    return &kept_.front().second;
#endif
  }

  NOINLINE void keep(const std::string& key, std::vector<int> value) {
    kept_.emplace_front(key, std::move(value));
    by_name_[key] = kept_.begin();
    if (kept_.size() > most_) {
      by_name_.erase(kept_.back().first);
      kept_.pop_back();
    }
  }

 private:
  size_t most_;
  std::list<std::pair<std::string, std::vector<int>>> kept_;
  std::unordered_map<std::string, std::list<std::pair<std::string, std::vector<int>>>::iterator> by_name_;
};

#ifndef KEPT
#define KEPT 40
#endif

NOINLINE long total(const std::vector<int>& all) {
  long sum = 0;
  for (int one : all) sum += one;
  return sum;
}

NOINLINE std::string report(const Map& map, const std::vector<int>& all) {
#ifdef BY_STREAM
  std::ostringstream out;
  for (size_t i = 0; i < all.size(); i += 4) out << map.place(static_cast<int>(i)).name << ": " << all[i] << "\n";
  return out.str();
#else
  std::string out;
#ifdef NEW_STRING_EACH
  for (size_t i = 0; i < all.size(); i += 4) out = out + map.place(static_cast<int>(i)).name + ": " + std::to_string(all[i]) + "\n";
#else
  for (size_t i = 0; i < all.size(); i += 4) {
    out += map.place(static_cast<int>(i)).name;
    out += ": ";
    out += std::to_string(all[i]);
    out += "\n";
  }
#endif
  return out;
#endif
}

int main() {
  const Map map(SIDE);
  Cache cache(KEPT);
  long sum = 0;
  size_t written = 0;
  for (int i = 0; i < 200; ++i) {
    const int from = (i * 7) % 35;
    const std::string key = map.place(from).name;
    const std::vector<int>* found = cache.find(key);
    if (!found) {
      cache.keep(key, distances(map, from));
      found = cache.find(key);
    }
    sum += total(*found);
    if (i % 10 == 0) written += report(map, *found).size();
  }
  std::printf("%ld %zu\n", sum, written);
}
