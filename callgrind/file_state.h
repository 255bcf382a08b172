// Which file a cost belongs to: fl=, fi=, fe=, fn= and the order of self cost and calls decide, by one of two rules
// (docs/callgrind_format.md, "Emitter rule and manual rule"). Used by parser.h only.
#pragma once

#include "icount/base/string_pool.h"

namespace icount {

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

}  // namespace icount
