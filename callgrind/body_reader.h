// The body of a part: name lines set who and where, cost, call and jump lines are added to the part's tables. The state
// is that of docs/callgrind_format.md, "State"; parser.h drives it line by line.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "icount/base/string_pool.h"
#include "icount/callgraph/function_code.h"
#include "icount/callgrind/code_reader.h"
#include "icount/callgrind/cost_lines.h"
#include "icount/callgrind/name_table.h"
#include "icount/callgrind/parser.h"
#include "icount/callgrind/part_tables.h"

namespace icount {

// Which file a cost belongs to: fl=, fi=, fe=, fn= and the order of self cost and calls decide, by one of two rules
// (docs/callgrind_format.md, "Emitter rule and manual rule").

class FileState {
 public:
  void set_rule(bool emitter_rule) { emitter_rule_ = emitter_rule; }
  /// No file in force, as at the beginning of a part; whether the profile has fl= lines stays known.
  void reset() {
    function_file_ = kEmptyString;
    start_function();
  }

  /// fl=: the file of the functions that follow.
  void set_function_file(StringId file) {
    seen_function_file_ = true;
    function_file_ = file;
    start_function();
  }
  /// fi= and fe=. Where a file has no fl= at all they stand for it (lsprofcalltree).
  void set_inline_file(StringId file) {
    if (!seen_function_file_ || !emitter_rule_) {
      if (!seen_function_file_) function_file_ = file;
      committed_ = file;
      return;
    }
    pending_ = file;
    has_pending_ = true;
    used_by_call_ = false;
  }
  /// fn=, ob= and their kin: inline code ends here.
  void start_function() {
    committed_ = function_file_;
    has_pending_ = false;
  }

  StringId function_file() const { return function_file_; }
  bool seen_function_file() const { return seen_function_file_; }
  /// File of the self cost line that comes now: it commits a pending file, unless a call or jump came in between.
  StringId commit_for_self_cost() {
    if (has_pending_ && !used_by_call_) committed_ = pending_;
    has_pending_ = false;
    return committed_;
  }
  /// File of the call or jump that comes now.
  StringId use_for_call_site() {
    if (!has_pending_) return committed_;
    used_by_call_ = true;
    return pending_;
  }
  /// File of a callee or jump target that names none.
  StringId target_file() const { return committed_; }

 private:
  bool emitter_rule_ = false;
  bool seen_function_file_ = false;
  StringId function_file_ = kEmptyString;
  StringId committed_ = kEmptyString;
  StringId pending_ = kEmptyString;
  bool has_pending_ = false;
  bool used_by_call_ = false;
};

// Where the lines of each function stand in a profile's text, and who enters a function at which address: noted by the
// first read, so that what happens inside costly functions is read from their own lines alone, a few percent of the
// text (callgrind/parser.cc).

/// The lines behind an fn= line, up to the next one, and what the lines before say about them.
struct FunctionPlace {
  const char* begin = nullptr;
  Function function;
  Positions base{};  ///< that relative positions count from
};

/// A call, or a jump from another function.
struct PlacedEntry {
  FunctionIndex function = 0;  ///< that is entered
  CodeEntry entry;
};

/// Of one part.
struct FunctionPlaces {
  std::vector<FunctionPlace> functions;  ///< in the order of the text
  std::vector<PlacedEntry> entries;
  bool has_jumps = false;
};

class BodyReader {
 public:
  BodyReader(Profile& profile, ParseReport& report, const ParseOptions& options, size_t input_bytes);

  PartTables& tables() { return tables_; }
  /// Takes the rule, positions and events of the part whose first body line comes now.
  void start(bool emitter_rule, bool negative_costs);
  /// Forgets object, file and function: the next part names its own.
  void end();
  /// The rule in force for name lines before start().
  void set_rule(bool emitter_rule) { files_.set_rule(emitter_rule); }

  /// Reads a name line ("fn=...") and returns the next line; nullptr when the line is none.
  const char* read_name_line(const char* p, const char* end);

  /// Reads a line of a body, and those behind it that go with it; nullptr when the line is none: a header, totals.
  const char* read_body_line(const char* p, const char* end);

  /// Where functions' lines are in the part that was read; empty unless ParseOptions::keep_costly_insides asks for it.
  FunctionPlaces take_places() { return std::exchange(places_, {}); }
  /// Whether lines of places mean the same when they are read again.
  bool can_read_again() const;
  /// Tells `code` what happens inside the functions that it wants, by `places` of a part like `part`. The places lie
  /// before `end`.
  void read_again(const ProfilePart& part, const FunctionPlaces& places, const char* end, CodeCollector& code);

  /// Whether "cfn=" is at p and may be: nine of ten lines that are no cost lines belong to calls.
  bool begins_call(const char* p, const char* end) const {
    return end - p > kReach && awaited_ == Awaited::kNothing && load_four(p) == kCalleeWord;
  }
  /// Whether "jcnd=" or "jump=" is at p and may be.
  bool begins_jump(const char* p, const char* end) const {
    if (*p != 'j' || end - p <= kReach || awaited_ != Awaited::kNothing || p[4] != '=') return false;
    const uint32_t word = load_four(p);
    return word == kConditionalWord || word == kJumpWord;
  }
  /// Reads that line, and the one behind it if it is what it usually is.
  const char* read_jump(const char* p, const char* end);
  /// Reads that line, and those of the call behind it as far as they are what they usually are.
  const char* read_call(const char* p, const char* end);

  /// The word that p's line begins with, if it announces a cost line: "calls=", "jump=" and the like; else nothing.
  static std::string_view announcing_word(const char* p, const char* end);
  /// Reads a line that begins with this word. Its cost line must come next.
  const char* read_announcement(const char* p, const char* end, std::string_view word);
  /// Cost lines from p on: that of the call or jump before, else self cost, as many as there are in a row.
  const char* read_costs(const char* p, const char* end);

  /// Between a calls= or jump= line and its cost line.
  bool awaits_cost_line() const { return awaited_ != Awaited::kNothing; }
  [[noreturn]] void fail_missing_cost_line(const char* at) const;

  /// Warnings about ids, at the end of the profile.
  void report_ids() const;

  /// From now on reads a block of lines that begins with fn=, not knowing those before it: emitter rule, no negative
  /// costs.
  void start_ahead(const ProfilePart& part);
  /// Whether lines that were read ahead can be joined on here: under the same rule, events and positions, with nothing
  /// half read.
  bool can_join(const BodyReader& ahead) const;
  /// Takes over what `ahead` read, as if the lines were read here. False when they must be: an id that nobody named, a
  /// sum that overflows.
  bool join(const BodyReader& ahead);

 private:
  enum class Awaited { kNothing, kCall, kJump };
  /// What cob=, cfi=, cfn= (or jfi=, jfn=) have said about the target to come.
  struct Target {
    StringId object = kEmptyString, file = kEmptyString, name = kEmptyString;
    bool has_object = false, has_file = false, has_name = false;
  };

  /// Names and functions read ahead -> those here.
  std::optional<std::vector<StringId>> map_strings(const BodyReader& ahead);
  std::vector<FunctionIndex> map_functions(const BodyReader& ahead, const std::vector<StringId>& strings);

  static uint32_t load_four(const char* p) {
    uint32_t bytes;
    std::memcpy(&bytes, p, sizeof bytes);
    return bytes;
  }
  static constexpr uint32_t kCalleeWord = std::bit_cast<uint32_t>(std::array{'c', 'f', 'n', '='});
  static constexpr uint32_t kConditionalWord = std::bit_cast<uint32_t>(std::array{'j', 'c', 'n', 'd'});
  static constexpr uint32_t kJumpWord = std::bit_cast<uint32_t>(std::array{'j', 'u', 'm', 'p'});
  static constexpr uint32_t kCallsWord = std::bit_cast<uint32_t>(std::array{'c', 'a', 'l', 'l'});

  const char* read_calls(const char* p, const char* end);
  const char* read_plain_jump(const char* p, const char* end);
  const char* read_announced_jump(const char* p, const char* end, bool conditional);
  void set_object(StringId object);
  void set_function(StringId name, const char* behind);
  void forget_unnamed_function();
  const char* read_callee_line(const char* p, const char* end);
  const char* read_own_line(const char* p, const char* end);
  /// The function whose lines come now.
  FunctionIndex current_function(const char* at) { return function_ != kNoFunction ? function_ : open_function(at); }
  FunctionIndex open_function(const char* at);
  /// Whether rows by address, jumps and call sites of a function are asked for.
  bool is_looked_into(FunctionIndex function) const { return code_ && code_->wants(profile_, function); }
  bool notes_places() const { return options_.keep_costly_insides > 0 && !reads_again_; }
  void note_function(const char* begin);
  const char* read_self_costs(const char* p, const char* end);
  const char* read_source_line(const char* p, const char* end, FunctionIndex function, StringId file);
  const char* read_odd_self_line(const char* p, const char* end, FunctionIndex function, StringId file);
  const char* read_call_cost(const char* p, const char* end);
  const char* read_jump_source(const char* p, const char* end);
  void tell_jump();
  uint64_t read_count(const char*& p) const;

  Profile& profile_;
  ParseReport& report_;
  const ParseOptions& options_;
  CodeCollector* code_;
  bool reads_again_ = false;
  FunctionPlaces places_;
  NameTable objects_, file_names_, functions_;
  StringId unknown_object_ = kEmptyString,
           unknown_file_ = kEmptyString;  // those in force before a block that is read ahead
  PartTables tables_;
  CostLines costs_;
  FileState files_;
  bool emitter_rule_ = false;

  StringId object_ = kEmptyString;
  Function function_key_;
  bool named_ = false;  // fn= was seen in this part
  FunctionIndex function_ = kNoFunction;
  static constexpr FunctionIndex kNoFunction = ~FunctionIndex{0};

  Target callee_, jump_target_;
  Awaited awaited_ = Awaited::kNothing;
  uint64_t call_count_ = 0, call_target_ = 0;  // the address is known where insides are asked for
  JumpRow jump_;
};

}  // namespace icount
