// Under which conditions a result was measured: ordered facts, each with what a difference in it means. Made by
// harness/ (pins, toolchain) and timer/collect_callgrind; stored with every result; comparable() is asked before every
// comparison.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "icount/base/json.h"

namespace icount {

// The fingerprint's fact that names the version of the stub in which a statement was counted. timer/collect_fingerprint
// sets it, comparable() judges it.

/// Results without this fact, those of earlier icounts among them, have version "1"; unlike other facts, it is a
/// difference where one side alone has it.
inline constexpr std::string_view kStubFact = "stub";

// The fingerprint's fact of a result that was not measured in its run but taken over from an earlier one
// (suite/take_over sets it). Its value is always the same and it only names, so that it never is a difference;
// histories know by it which of their points were measured.

inline constexpr std::string_view kTakenOverFact = "taken over";
inline constexpr std::string_view kTakenOverValue = "unchanged, not measured in this run";

// The fingerprint's facts that name what a whole program's count lacks. timer/count_program sets them where something
// is missing, comparable() refuses sides that lack different things.

/// Processes that ran and are not in the count, or not as a whole, by name: "weird, weird, su".
inline constexpr std::string_view kUncountedFact = "uncounted processes";

/// What the program asked of Callgrind that takes something out of its count: "stop, zero".
inline constexpr std::string_view kRequestsFact = "client requests";

/// What lets the count move from run to run: "the clock, random numbers". timer/count_program sets it where icount's
/// own counter saw the program ask; a comparison says it where counts moved, or were taken once.
inline constexpr std::string_view kChanceFact = "chance";

/// The cores that it may run on, of what asks for their number. What does not ask has no such fact: that is no
/// difference.
inline constexpr std::string_view kCoresFact = "cores";

/// Which statements were compiled in one translation unit, by which a compiler may inline otherwise: "its own", or
/// "shared with 7 other statements (1f2e3d4c)", a hash of the texts of all. Each result of a run has its own.
inline constexpr std::string_view kUnitFact = "translation unit";

/// What a difference in a fact means for a comparison.
enum class FactClass {
  kRefuse,    ///< the figures can't be compared: CPU features, Valgrind, pins, threads, number of runs, language
  kNameOnly,  ///< may be the very thing compared: compiler, flags, libc, LibTorch, dispatched routines; named and gone
              ///< on
};

/// One condition: "valgrind" = "3.19.0". Names are unique within a fingerprint.
struct Fact {
  std::string name;
  std::string value;
  FactClass fact_class = FactClass::kNameOnly;
};

/// Facts in the order they were added. An empty fingerprint means "unknown" (a profile from elsewhere).
struct Fingerprint {
  std::vector<Fact> facts;

  bool unknown() const { return facts.empty(); }
  /// Adds a fact or gives an existing one a new value.
  void set(std::string_view name, std::string_view value, FactClass fact_class);
  /// The value; nullptr when there is no such fact.
  const std::string* find(std::string_view name) const;
};

/// The answer of comparable(): sentences in plain words, in the order of the facts.
struct Comparability {
  std::vector<std::string> refusals;     ///< why the figures can't be compared; empty when they can
  std::vector<std::string> differences;  ///< what differs and may be the very thing compared
  std::string neighbours;  ///< a note where kUnitFact differs, which is no matter of how a side was built or measured
  bool unknown = false;    ///< a side has no fingerprint: said, and compared

  bool comparable() const { return refusals.empty(); }
};

/// Compares fact by fact. A refusing fact that one side lacks refuses ("not recorded"); a naming one that one side
/// lacks is no difference (a routine that only one statement uses). When a whole side is unknown nothing is refused.
/// comparable(a, b) and comparable(b, a) differ only in the order within a sentence.
Comparability comparable(const Fingerprint& base, const Fingerprint& head);

/// [{"name":..., "value":..., "class": "refuse"|"name"}, ...], in order.
Json to_json(const Fingerprint& fingerprint);

/// Reads what to_json writes; Error{kMalformed} beginning with `name` for anything else.
Fingerprint parse_fingerprint(const Json& json, std::string_view name);

}  // namespace icount
