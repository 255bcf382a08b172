// Limits of the gate: how much a number may grow, for which benchmarks, events and functions, and which of several
// limits counts. Read by suite/ (suite files) and cli/ (--limit); used by verdict/gate.h. In words: docs/gate.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/base/decimal.h"

namespace icount {

/// How much a number may grow. With both parts a change exceeds it only when it exceeds both: per cent keeps big
/// regions honest, the absolute part keeps tiny ones quiet. Negative parts demand an improvement of at least that size.
struct Allowance {
  std::optional<Decimal> percent;   ///< of the value compared with
  std::optional<int64_t> absolute;  ///< in the event; nanoseconds for wall time
  bool unlimited = false;           ///< "none": nothing exceeds it

  bool given() const { return unlimited || percent || absolute; }
  /// A negative part: less growth than none is asked for.
  bool demands_improvement() const;
  bool operator==(const Allowance&) const = default;
};

/// "1 %", "100", "1 % and 100", "none"; for messages.
std::string to_text(const Allowance& allowance);

/// "1%", "100", "1%+100" or "none"; nullopt for anything else. "-5%" demands.
std::optional<Allowance> parse_allowance(std::string_view text);

/// What `diff --fail-over` takes: "0.5%" or "10,000", not negative. Error{kUsage} for anything else.
Allowance parse_fail_limit(std::string_view text);

/// Whether the step from base to head exceeds the allowance. From base 0 every growth exceeds every per cent. False for
/// an allowance that is not given. Exact: a step of just what is allowed never exceeds it.
bool exceeds(const Allowance& allowance, int64_t base, int64_t head);

/// Where a limit was written, weakest first: a limit of a stronger source wins over every one of a weaker.
enum class LimitSource { kDefault, kSuiteFile, kCommandLine };
std::string_view to_text(LimitSource source);

/// The event name that means wall time instead of a count.
inline constexpr std::string_view kWallTime = "wall";

/// One limit as it was written. The patterns are RE2, searched anywhere in the name; empty: every one.
struct GateLimit {
  std::string section;     ///< label of the suite's section, "Math / add": what is at or below it; empty: everything
  std::string benchmark;   ///< pattern for result_key
  std::string event;       ///< empty: the event the benchmark was counted in; kWallTime: wall time
  std::string function;    ///< pattern for function names; empty: the benchmark's total
  bool inclusive = false;  ///< with function: its cost with all it calls, instead of its own
  Allowance change;        ///< from what is compared with to head
  Allowance creep;  ///< sum of small changes, see verdict/gate.h; not given by any limit: twice the change's allowance
  std::optional<int64_t>
      creep_runs;  ///< over that many runs of a history; absent: since the value was last set on purpose
  LimitSource source = LimitSource::kDefault;
  std::string place;  ///< "suite.toml:12:1", "--limit '1%'"
};

/// 1 % of growth for every benchmark's total.
std::vector<GateLimit> default_limits();

/// What a number is: the total of an event, a function's cost in it, or wall time.
struct Measure {
  std::string event;
  std::string function;  ///< empty: the total
  bool inclusive = false;
  bool operator==(const Measure&) const = default;
  auto operator<=>(const Measure&) const = default;
};

/// "Ir", "Ir of `parse`", "Ir of `parse` with what it calls", "wall time".
std::string to_text(const Measure& measure);

/// Limits with their patterns compiled. Which one counts, for a benchmark and a measure: of those that match and give
/// an allowance of the kind asked for, the strongest source's; within one source the last one. Nothing is mixed: a
/// limit that wins brings its whole allowance.
class LimitSet {
 public:
  /// Error{kUsage} "PLACE: ..." with every limit that is none: a pattern that is no RE2, no allowance, parts that ask
  /// for opposite things, a creep of wall time.
  explicit LimitSet(std::vector<GateLimit> limits);
  ~LimitSet();
  LimitSet(LimitSet&&) noexcept;

  const std::vector<GateLimit>& limits() const;
  /// `main_event`: the event the benchmark was counted in. Null when no limit applies.
  const GateLimit* change_limit(std::string_view key, const Measure& measure, std::string_view main_event) const;
  const GateLimit* creep_limit(std::string_view key, const Measure& measure, std::string_view main_event) const;

  /// Limits for benchmark `key` that name an event or functions of their own; what has to be read from its cost graph.
  std::vector<const GateLimit*> beyond_totals(std::string_view key) const;
  bool matches_benchmark(const GateLimit& limit, std::string_view key) const;
  bool matches_function(const GateLimit& limit, std::string_view function) const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace icount
