// What measuring a statement over many fuzzed inputs gave: one point per sample, and the questions asked of them all.
// Made by suite/fuzz_run.h, shown by report/fuzz_text.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "icount/base/json.h"
#include "icount/stats/measurement.h"

namespace icount {

// How a cost grows: y = factor * x^exponent, fitted by least squares in the logarithms. A fuzzer run uses it for cost
// against elements.

struct PowerFit {
  double factor = 0;
  double exponent = 0;
  /// Root mean square of log2(y / fitted y): 0.1 means that costs lie within about 7 % of the line, 1 within
  /// a factor of 2.
  double residual_log2 = 0;
  int64_t points = 0;
};

/// nullopt for fewer than three points above zero in both coordinates, or when all of them have the same x.
std::optional<PowerFit> fit_power(std::span<const std::pair<double, double>> points);

/// What a cost is.
enum class FuzzUnit { kInstructions, kSeconds };
/// "instructions", "seconds".
std::string_view to_text(FuzzUnit unit);

/// One statement on one sample: a cost per run, or why there is none.
struct FuzzCost {
  std::optional<double> per_run;
  std::string status;  ///< "done", or one of CollectStatus's names
  std::string error;   ///< one line; empty when done
};

struct FuzzPoint {
  int64_t sample = 0;
  int64_t elements = 0;  ///< of all tensors together
  std::string shape;     ///< "x 16 x 34 float32 steps 1,2 order 1,0; y ..."
  Json params;
  FuzzCost cost;
  std::optional<FuzzCost> against;
};

/// A run and its circumstances; equal circumstances make results that can be joined (--resume).
struct FuzzResult {
  std::string stmt, against;  ///< against: empty when there is one statement only
  int num_threads = 1;        ///< intra-op threads
  std::string setup;          ///< after the tensors of each sample; empty: none
  std::string global_setup;   ///< empty: none
  std::string source;         ///< "unary corrected small float32", or a table's name and content hash
  uint64_t seed = 0;
  int64_t number = 0;  ///< runs per measurement
  FuzzUnit unit = FuzzUnit::kInstructions;
  std::string circumstances;  ///< language, global set-up, toolchain options: everything else that moves a cost
  double rejection_rate = 0;
  std::vector<FuzzPoint> points;  ///< by sample
};

/// Indices into points of those with a cost, by cost per element, cheapest first; ties by sample.
std::vector<size_t> by_cost_per_element(const FuzzResult& result);

/// Indices of points with both costs, by the size of their relative difference, largest first; ties by
/// sample.
std::vector<size_t> by_difference(const FuzzResult& result);

/// 2 (against - cost) / (against + cost): positive when the second statement costs more. nullopt without both
/// costs or when both are 0.
std::optional<double> relative_difference(const FuzzPoint& point);

/// Cost against elements, of the statement or (second = true) of the one it is compared with.
std::optional<PowerFit> fit_cost(const FuzzResult& result, bool second = false);

/// Points where a measurement failed.
int64_t failed_points(const FuzzResult& result);

/// What keeps two runs from being joined ("the statement is 'a' there and 'b' here"); empty when nothing
/// does.
std::string unlike(const FuzzResult& there, const FuzzResult& here);

// A fuzzer run as JSON and back: the machine form of `icount fuzz`, and what an interrupted run goes on from.

/// Schema "icount-fuzz" 1: the run's fields, points, and the fits (for readers; not read back).
Json fuzz_result_to_json(const FuzzResult& result);

/// Whether a file's text begins as fuzz_result_to_json's does, whatever comes then.
bool looks_like_fuzz_result(std::string_view text);

/// Error{kMalformed} beginning with `name` for another schema, a newer version, and missing or mistyped
/// fields.
FuzzResult fuzz_result_from_json(const Json& json, std::string_view name);

// A fuzzer run's times as Measurements, for the tables of Compare: a row for each sample, a column for each statement.
// store/measurement_file.h calls this for files of `icount fuzz --time --out`.

/// The median of each point as one block of one run: label "fuzz: SOURCE", sub_label the shape of the sample's tensors,
/// description the statement; set-ups and thread count are the run's; points without a time are left out. Error{kUsage}
/// beginning with `name` for a run that counted instructions, which have no place in a table of times.
std::vector<Measurement> fuzz_measurements(const FuzzResult& result, std::string_view name);

}  // namespace icount
