// Heights are made, smoothed, lit by the sun, and drained into basins (pairs_tenth.toml).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#ifndef SIDE
#define SIDE 120
#endif

#define APART __attribute__((noinline))

namespace terrain {

struct Vec {
  double x = 0, y = 0, z = 0;
};

Vec operator*(double factor, const Vec& v) { return {factor * v.x, factor * v.y, factor * v.z}; }
double dot(const Vec& a, const Vec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// ---- a map of cells ----------------------------------------------------------------------------

template <class T>
class Grid {
 public:
  Grid(int width, int height, T value = T()) : width_(width), height_(height), cells_(static_cast<std::size_t>(width) * height, value) {}
  int width() const { return width_; }
  int height() const { return height_; }
  T& operator()(int x, int y) { return cells_[static_cast<std::size_t>(y) * width_ + x]; }
  const T& operator()(int x, int y) const { return cells_[static_cast<std::size_t>(y) * width_ + x]; }
  /// The same, for who does not know that a cell is on the map.
  const T& at(int x, int y) const {
    if (x < 0 || x >= width_ || y < 0 || y >= height_) throw std::out_of_range("no such cell");
    return (*this)(x, y);
  }

 private:
  int width_, height_;
  std::vector<T> cells_;
};

using Heights = Grid<float>;

// ---- noise, from tiles that are made when they are first asked for -----------------------------

class Tiles {
 public:
  static constexpr int side = 16;
  using Tile = std::vector<float>;

  explicit Tiles(std::uint32_t seed) : seed_(seed) {}

  /// A value of the noise at a place.
  APART float value(int x, int y) {
#ifdef TILES_LOCKED
    const std::lock_guard<std::mutex> guard(mutex_);
#endif
    const int across = x / side, down = y / side;
    const std::size_t number = static_cast<std::size_t>(down) * 64 + across;
    if (tiles_.size() <= number) tiles_.resize(number + 1);
    std::unique_ptr<Tile>& tile = tiles_[number];
    if (!tile) tile = made(number);
    return (*tile)[static_cast<std::size_t>(y % side) * side + x % side];
  }

 private:
  APART std::unique_ptr<Tile> made(std::size_t number) const {
    auto tile = std::make_unique<Tile>(side * side);
    std::uint32_t state = seed_ + static_cast<std::uint32_t>(number) * 2654435761u;
    for (float& value : *tile) {
      state = state * 1664525u + 1013904223u;
      value = static_cast<float>(state >> 8) / 16777216.0f;
    }
    return tile;
  }

  std::uint32_t seed_;
  std::vector<std::unique_ptr<Tile>> tiles_;
  std::mutex mutex_;
};

/// Hills of several sizes.
APART Heights hills(Tiles& tiles) {
  Heights heights(SIDE, SIDE);
  for (int y = 0; y < SIDE; ++y)
    for (int x = 0; x < SIDE; ++x) {
      float sum = 0, weight = 32;
      for (int shift = 4; shift >= 0; shift -= 2, weight /= 3) sum += weight * tiles.value(x >> shift, y >> shift);
      heights(x, y) = sum;
    }
  return heights;
}

// ---- smoothing ---------------------------------------------------------------------------------

APART Heights smoothed(const Heights& heights) {
  Heights result = heights;
  for (int y = 1; y + 1 < heights.height(); ++y)
    for (int x = 1; x + 1 < heights.width(); ++x) {
#ifdef EDGES_CHECKED
      const float around = heights.at(x - 1, y) + heights.at(x + 1, y) + heights.at(x, y - 1) + heights.at(x, y + 1);
      result(x, y) = (4 * heights.at(x, y) + around) / 8;
#else
      const float around = heights(x - 1, y) + heights(x + 1, y) + heights(x, y - 1) + heights(x, y + 1);
      result(x, y) = (4 * heights(x, y) + around) / 8;
#endif
    }
  return result;
}

// ---- light -------------------------------------------------------------------------------------

/// Where the sun stands at an hour of the day.
APART Vec sun_at(double hour) {
  const double turn = (hour - 12) * 3.14159265358979 / 12;
  const Vec sun{std::sin(turn), 0.3, std::cos(turn)};
  return 1 / std::sqrt(dot(sun, sun)) * sun;
}

/// How bright it is, cell by cell.
APART Grid<std::uint8_t> light_of(const Heights& heights, double hour) {
  Grid<std::uint8_t> light(heights.width(), heights.height());
#ifndef SUN_EACH
  const Vec sun = sun_at(hour);
#endif
  for (int y = 1; y + 1 < heights.height(); ++y)
    for (int x = 1; x + 1 < heights.width(); ++x) {
#ifdef SUN_EACH
      const Vec sun = sun_at(hour);
#endif
      const Vec normal{heights(x - 1, y) - heights(x + 1, y), heights(x, y - 1) - heights(x, y + 1), 2};
      const double cosine = dot(normal, sun) / std::sqrt(dot(normal, normal));
      light(x, y) = static_cast<std::uint8_t>(cosine > 0 ? cosine * 255 : 0);
    }
  return light;
}

// ---- water -------------------------------------------------------------------------------------

class Basins {
 public:
  explicit Basins(const Heights& heights) : heights_(heights), basin_of_(heights.width(), heights.height(), 0) {}

  /// Numbers the basins: cells that are lower than `level` and touch.
  APART int number_all(float level) {
    level_ = level;
    int count = 0;
    for (int y = 0; y < heights_.height(); ++y)
      for (int x = 0; x < heights_.width(); ++x)
        if (free_and_low(x, y)) fill(x, y, ++count);
    return count;
  }

 private:
  bool free_and_low(int x, int y) const {
    return x >= 0 && y >= 0 && x < heights_.width() && y < heights_.height() && basin_of_(x, y) == 0 && heights_(x, y) < level_;
  }

#ifdef BY_RECURSION
  APART void fill(int x, int y, int number) {
    basin_of_(x, y) = number;
    if (free_and_low(x - 1, y)) fill(x - 1, y, number);
    if (free_and_low(x + 1, y)) fill(x + 1, y, number);
    if (free_and_low(x, y - 1)) fill(x, y - 1, number);
    if (free_and_low(x, y + 1)) fill(x, y + 1, number);
  }
#else
  APART void fill(int x, int y, int number) {
    std::vector<std::pair<int, int>> open;
    basin_of_(x, y) = number;
    open.emplace_back(x, y);
    while (!open.empty()) {
      const auto [at_x, at_y] = open.back();
      open.pop_back();
      static constexpr int steps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
      for (const auto& step : steps) {
        const int next_x = at_x + step[0], next_y = at_y + step[1];
        if (!free_and_low(next_x, next_y)) continue;
        basin_of_(next_x, next_y) = number;
        open.emplace_back(next_x, next_y);
      }
    }
  }
#endif

  const Heights& heights_;
  Grid<int> basin_of_;
  float level_ = 0;
};

APART long day() {
  Tiles tiles(5);
  Heights heights = hills(tiles);
  for (int round = 0; round < 4; ++round) heights = smoothed(heights);
  long sum = 0;
  for (const double hour : {8.0, 12.0, 17.5}) {
    const Grid<std::uint8_t> light = light_of(heights, hour);
    for (int i = 1; i + 1 < SIDE; ++i) sum += light(i, i);
  }
  for (const float level : {18.0f, 22.0f, 27.0f}) {
    Basins basins(heights);
    sum += basins.number_all(level);
  }
  return sum;
}

}  // namespace terrain

int main() {
  std::printf("%ld\n", terrain::day());
  return 0;
}
