// How a cost grows with a size: c + a n^k, from counts at three sizes or more. Counts are exact, so three suffice to
// tell n^1 from n^2, and the cost of each function and the iterations of each loop have an exponent of their own. Made
// by inputs/growth_of from results, shown by report/growth_document, judged by `icount growth`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// A law needs so many sizes.
inline constexpr size_t kLeastSizes = 3;
/// What the size takes the place of, in a program's arguments and a statement's texts.
inline constexpr std::string_view kSizeWord = "{n}";
/// The last part of a result's label, of one size.
inline constexpr std::string_view kSizeLabel = "n = {n}";

/// "a {n} b" -> "a 400 b"; several times, if need be.
std::string with_size(std::string_view text, int64_t size);

/// The size that the name has where `pattern` has {n}; nullopt where it does not match. Behind a size of a Google
/// Benchmark case more may follow ("BM_x/8/iterations:10").
std::optional<int64_t> size_in_name(std::string_view name, std::string_view pattern);

struct GrowthFit {
  double exponent = 0;       ///< k; 0: constant
  double constant = 0;       ///< c, in the unit of the costs
  double factor = 0;         ///< a
  bool is_constant = false;  ///< the least and the largest cost differ by less than a hundredth
  bool is_n_log_n = false;   ///< c + a n log n fits better than any power does; `exponent` is the nearest power's
  double residual = 0;       ///< largest distance between the law and a cost, as a part of the largest cost
  /// The least power that the costs leave possible: what a limit is judged by. Close to `exponent` where the law holds.
  double least_exponent = 0;
  /// The same for a part of the whole, of which c is small: not more than the power from the first cost to the last.
  /// Three counts that depend on chance, too, bend as a square on top of a large c does.
  double least_part_exponent = 0;
  /// To 2 %. Of three sizes, which leave nothing to test a law by, only a whole power, a root or n log n does.
  bool holds = true;
};

/// Of costs at `sizes`, which ascend and are positive. The law is the one whose largest relative distance to the costs
/// is least; of three sizes it goes through all three costs where these rise or fall throughout.
GrowthFit fit_growth(std::span<const int64_t> sizes, std::span<const int64_t> costs);

/// "n^2.0", "n log n", "log n", "constant"; "about n^1.4" where the law does not hold.
std::string growth_text(const GrowthFit& fit);

/// A loop of a function, by where its head is.
struct GrowingLoop {
  std::string file;
  uint64_t line = 0;
  std::vector<int64_t> iterations;  ///< by size
  GrowthFit fit;                    ///< of the iterations
};

struct GrowingFunction {
  std::string name, file;
  std::vector<int64_t> costs;  ///< its own, by size; 0 where it is not called
  GrowthFit fit;
  std::vector<GrowingLoop> loops;  ///< those that are known at every size, most iterations first
};

struct Growth {
  std::string label;
  std::string event;
  std::vector<int64_t> sizes;
  std::vector<int64_t> costs;  ///< of all, by size
  GrowthFit whole;
  std::vector<GrowingFunction> functions;  ///< by cost at the largest size, the most first

  /// Of the function, at the largest size.
  double share(const GrowingFunction& function) const;
  /// The function that grows most of those with a twentieth of the cost at the largest size; null when all of the cost
  /// is constant or spread thinner.
  const GrowingFunction* leader() const;
  /// How the cost without that function grows.
  GrowthFit rest_without(const GrowingFunction& function) const;
};

/// "dup.c:6".
std::string loop_place(const GrowingLoop& loop);
/// "the loop at dup.c:6 in `find_duplicate`": the function's fastest loop, where one grows as it does; else "`f`".
std::string grower_text(const GrowingFunction& function);

}  // namespace icount
