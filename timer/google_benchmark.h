// What icount says to a binary with Google Benchmark and reads from it: the list of cases, arguments of a run, and the
// JSON file that the library writes. Used by timer/count_google.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// One case, from its name: "BM_x/64/iterations:10/repeats:2/threads:4".
struct GoogleCase {
  std::string name;
  int64_t threads = 1;
  int64_t iterations = 0;   ///< fixed by the case; 0: not
  int64_t repetitions = 0;  ///< fixed by the case; 0: not
};
GoogleCase parse_google_name(std::string_view name);

/// The names that --benchmark_list_tests printed, one per line; lines that can be none (empty ones) are left out.
std::vector<GoogleCase> parse_google_list(std::string_view output);

/// A regular expression that matches these names and no others.
std::string exact_filter(std::span<const std::string> names);

/// "BM_x/{n}" of "BM_x"; a name with {n} in it is a pattern already (stats/growth.h: size_in_name).
std::string family_pattern(std::string_view family);
/// A regular expression that matches the cases of these sizes; of all where none are given.
std::string family_filter(std::string_view pattern, std::span<const int64_t> sizes);

/// Arguments that make the library run every case so many times, with one iteration, and write its report.
std::vector<std::string> google_run_arguments(std::string_view filter, std::string_view out_path, int repetitions);

/// A counter of the case, for one iteration.
struct GoogleCounter {
  std::string name;
  double value = 0;
};

/// What the library said about one case.
struct GoogleReport {
  std::string name;
  std::string label;
  std::string error;                    ///< SkipWithError's text
  std::string skipped;                  ///< SkipWithMessage's text
  std::vector<GoogleCounter> counters;  ///< those per second are amounts per iteration: items, bytes
};

struct GoogleReports {
  std::vector<GoogleReport> cases;           ///< in the order they ran
  std::map<std::string, std::string> big_o;  ///< run name -> "N", "lgN", "(1)" as the library found by time
};

/// A counter as a case set it in a run of `ran` iterations, for one. `flags` are those of benchmark::Counter.
GoogleCounter make_google_counter(const std::string& name, int64_t flags, double value, int64_t ran);

/// Reads the library's JSON. nullopt when it is not whole: the binary did not come to its end.
std::optional<GoogleReports> parse_google_reports(std::string_view json);

// How the cost of a family of benchmark cases grows with their size: the curves of Google Benchmark's BigO, fitted by
// least squares to exact costs instead of times. Pure.

/// One case: its size and what one iteration costs.
struct ComplexityPoint {
  std::string name;
  double n = 0;
  double cost = 0;
};

struct ComplexityFit {
  std::string big_o;  ///< "(1)", "lgN", "N", "NlgN", "N^2" or "N^3"
  double coefficient = 0;
  double rms = 0;  ///< root mean square of the residuals over the mean cost, as the library defines it
};

/// The curve with the smallest rms; of equal ones the slower growing. nullopt for fewer than two different sizes.
std::optional<ComplexityFit> fit_complexity(std::span<const ComplexityPoint> points);

}  // namespace icount
