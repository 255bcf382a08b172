#include "icount/verdict/step_detection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace icount {
namespace {

constexpr double kOutlier = 3;  // beyond that many deviations a value costs the same however far it is

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// On low..high the cost of the best fit so far whose last level is x: a x^2 + b x + c.
struct Piece {
  double low, high;
  double a, b, c;
  size_t start;  ///< first value of the last level

  double at(double x) const { return (a * x + b) * x + c; }
  bool continues(const Piece& other) const {
    return a == other.a && b == other.b && c == other.c && start == other.start;
  }
};

struct Best {
  double cost = std::numeric_limits<double>::infinity();
  size_t start = 0;
};

void append(std::vector<Piece>& pieces, const Piece& piece) {
  if (!(piece.low < piece.high)) return;
  if (!pieces.empty() && pieces.back().continues(piece))
    pieces.back().high = piece.high;
  else
    pieces.push_back(piece);
}

/// Adds the loss of one value: a parabola near it, constant further away.
std::vector<Piece> with_value(const std::vector<Piece>& pieces, double y) {
  std::vector<Piece> sum;
  for (const Piece& piece : pieces) {
    const double left = std::clamp(y - kOutlier, piece.low, piece.high),
                 right = std::clamp(y + kOutlier, piece.low, piece.high);
    const Piece far{piece.low, left, piece.a, piece.b, piece.c + kOutlier * kOutlier, piece.start};
    append(sum, far);
    append(sum, {left, right, piece.a + 1, piece.b - 2 * y, piece.c + y * y, piece.start});
    append(sum, {right, piece.high, far.a, far.b, far.c, far.start});
  }
  return sum;
}

Best best_of(const std::vector<Piece>& pieces) {
  Best best;
  for (const Piece& piece : pieces) {
    const double x = piece.a > 0 ? std::clamp(-piece.b / (2 * piece.a), piece.low, piece.high) : piece.low;
    if (const double cost = piece.at(x); cost < best.cost) best = {cost, piece.start};
  }
  return best;
}

/// Where a fit costs more than `cap`, a new level that begins at `start` is the better way to be there.
std::vector<Piece> capped(const std::vector<Piece>& pieces, double cap, size_t start) {
  std::vector<Piece> lower;
  for (const Piece& piece : pieces) {
    double left = piece.low, right = piece.high;
    if (piece.a > 0) {
      const double centre = -piece.b / (2 * piece.a), room = (cap - piece.at(centre)) / piece.a;
      const double half = room > 0 ? std::sqrt(room) : 0;
      left = std::clamp(centre - half, piece.low, piece.high);
      right = room > 0 ? std::clamp(centre + half, piece.low, piece.high) : left;
    } else if (piece.c > cap) {
      right = left;
    }
    append(lower, {piece.low, left, 0, 0, cap, start});
    append(lower, {left, right, piece.a, piece.b, piece.c, piece.start});
    append(lower, {right, piece.high, 0, 0, cap, start});
  }
  return lower;
}

std::vector<size_t> changes(std::span<const double> values) {
  std::vector<size_t> steps;
  for (size_t i = 1; i < values.size(); ++i)
    if (values[i] != values[i - 1]) steps.push_back(i);
  return steps;
}

}  // namespace

double wobble(std::span<const double> values) {
  if (values.size() < 3) return 0;
  std::vector<double> differences;
  for (size_t i = 1; i < values.size(); ++i) differences.push_back(std::abs(values[i] - values[i - 1]));
  return 1.4826 * median(std::move(differences)) / std::numbers::sqrt2;
}

double count_noise(std::span<const double> values, std::span<const double> spreads) {
  const double sum = std::accumulate(spreads.begin(), spreads.end(), 0.0);
  if (sum == 0) return 0;
  return std::max(wobble(values), sum / static_cast<double>(spreads.size()) * std::sqrt(std::numbers::pi) / 2);
}

std::vector<size_t> find_steps(std::span<const double> values, double noise) {
  if (values.size() < 2) return {};
  if (!(noise > 0)) return changes(values);
  const double centre = median({values.begin(), values.end()});  // small numbers keep the parabolas exact
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  if (*lowest == *highest) return {};
  const double penalty = 2 * std::log(static_cast<double>(values.size()));
  std::vector<Piece> pieces = {{(*lowest - centre) / noise, (*highest - centre) / noise, 0, 0, 0, 0}};
  std::vector<size_t> starts;
  for (size_t i = 0; i < values.size(); ++i) {
    pieces = with_value(pieces, (values[i] - centre) / noise);
    const Best best = best_of(pieces);
    starts.push_back(best.start);
    pieces = capped(pieces, best.cost + penalty, i + 1);
  }
  std::vector<size_t> steps;
  for (size_t start = starts.back(); start > 0; start = starts[start - 1]) steps.push_back(start);
  std::reverse(steps.begin(), steps.end());
  return steps;
}

std::vector<double> levels(std::span<const double> values, std::span<const size_t> steps) {
  if (values.empty()) return {};
  std::vector<double> medians;
  for (size_t i = 0; i <= steps.size(); ++i) {
    const size_t from = i == 0 ? 0 : steps[i - 1], to = i < steps.size() ? steps[i] : values.size();
    medians.push_back(
        median({values.begin() + static_cast<ptrdiff_t>(from), values.begin() + static_cast<ptrdiff_t>(to)}));
  }
  return medians;
}

}  // namespace icount
