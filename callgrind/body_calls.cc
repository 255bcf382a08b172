#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "icount/callgrind/body_reader.h"
#include "icount/callgrind/plain_line.h"
#include "icount/callgrind/scanner.h"

// The part of BodyReader that reads calls and jumps: the line that announces a cost line, and that cost line.
namespace icount {
namespace {

int64_t held_at_int64(uint64_t number) {
  return static_cast<int64_t>(std::min(number, static_cast<uint64_t>(std::numeric_limits<int64_t>::max())));
}

}  // namespace

std::string_view BodyReader::announcing_word(const char* p, const char* end) {
  const std::string_view rest(p, static_cast<size_t>(end - p));
  for (const std::string_view word :
       {std::string_view("calls="), std::string_view("jcnd="), std::string_view("jump="), std::string_view("rcalls=")})
    if (rest.starts_with(word)) return word;
  return {};
}

const char* BodyReader::read_announcement(const char* p, const char* end, std::string_view word) {
  p += word.size();
  return word.ends_with("calls=") ? read_calls(p, end) : read_announced_jump(p, end, word == "jcnd=");
}

const char* BodyReader::read_call(const char* p, const char* end) {
  constexpr size_t kCallsWordBytes = 6;
  callee_.name = functions_.read(p += sizeof kCalleeWord, end);
  callee_.has_name = true;
  if (end - p <= kReach || load_four(p) != kCallsWord || p[4] != 's' || p[5] != '=') return p;
  p = read_calls(p + kCallsWordBytes, end);
  return p != end && starts_cost_line(*p) ? read_call_cost(p, end) : p;
}

const char* BodyReader::read_jump(const char* p, const char* end) {
  constexpr size_t kWordBytes = 5;
  p = read_announced_jump(p + kWordBytes, end, load_four(p) == kConditionalWord);
  return p != end && starts_cost_line(*p) ? read_jump_source(p, end) : p;
}

uint64_t BodyReader::read_count(const char*& p) const {
  uint64_t count = 0;
  const Scan scan = scan_number(p, count);
  if (scan == Scan::kNumber) return count;
  report_.fail(p, fmt::format("{}: '{}'", scan == Scan::kTooLarge ? "number too large" : "not a number",
                              ParseReport::quote(token_at(p))));
}

const char* BodyReader::read_calls(const char* p, const char* end) {
  if (!callee_.has_name) report_.fail(p, "calls= without cfn=");
  const char* const behind = end - p > kReach ? scan_cost(p, call_count_) : nullptr;
  if (behind && *behind == ' ') {
    p = behind;
  } else {
    p = skip_blanks(p);
    call_count_ = read_count(p);
  }
  awaited_ = Awaited::kCall;
  if (code_ || notes_places()) {
    Positions target;
    if (const char* const next = costs_.read_plain_target(p, end, target)) {
      call_target_ = costs_.address(target);
      return next;
    }
    p = skip_blanks(costs_.read_target(p, target, emitter_rule_));
    call_target_ = costs_.address(target);
  } else {
    p = skip_blanks(costs_.skip_target(p, end, emitter_rule_));
  }
  return *p == '\n' ? p + 1 : report_.find_line_end(p, end) + 1;
}

/// "657/657 +73 0 " and "1 0x6fb20 0 ", as Callgrind writes them; nullptr for anything else.
const char* BodyReader::read_plain_jump(const char* p, const char* end) {
  if (end - p < kReach) return nullptr;
  p = scan_cost(p, jump_.followed);
  jump_.executed = jump_.followed;
  if (p && jump_.conditional) p = *p == '/' ? scan_cost(p + 1, jump_.executed) : nullptr;
  Positions target;
  if (!p || !(p = costs_.read_plain_target(p, end, target))) return nullptr;
  jump_.target_address = costs_.address(target);
  jump_.target_line = costs_.line(target);
  return p;
}

const char* BodyReader::read_announced_jump(const char* p, const char* end, bool conditional) {
  jump_ = {};
  jump_.conditional = conditional;
  awaited_ = Awaited::kJump;
  if (const char* const next = read_plain_jump(p, end)) return next;
  p = skip_blanks(p);
  const std::string_view token = token_at(p);
  const size_t slash = token.find('/');
  if (conditional && slash != std::string_view::npos) {  // followed/executed, as Callgrind writes it
    const std::string followed = std::string(token.substr(0, slash)) + "\n";
    const char* q = followed.data();
    if (scan_number(q, jump_.followed) != Scan::kNumber)
      report_.fail(p, fmt::format("not a number: '{}'", ParseReport::quote(token)));
    p += slash + 1;
    jump_.executed = read_count(p);
  } else {  // the manual's "executed followed", or one count
    jump_.executed = jump_.followed = read_count(p);
    if (conditional) jump_.followed = read_count(p = skip_blanks(p));
  }
  Positions target;
  p = costs_.read_target(p, target, emitter_rule_);
  jump_.target_address = costs_.address(target);
  jump_.target_line = costs_.line(target);
  return report_.find_line_end(p, end) + 1;
}

const char* BodyReader::read_call_cost(const char* p, const char* end) {
  const FunctionIndex caller = current_function(p);
  // By the emitter rule a call moves no base; where it was made matters inside functions only.
  const char* const next = emitter_rule_ && !code_ ? costs_.read_costs_only(p, end) : costs_.read_line(p, end);
  files_.use_for_call_site();
  const FunctionIndex callee =
      tables_.find_function({callee_.name, callee_.has_file ? callee_.file : files_.target_file(),
                             callee_.has_object ? callee_.object : object_});
  const int64_t calls = held_at_int64(call_count_);
  if (!reads_again_) tables_.add_call(caller, callee, calls, costs_.costs());
  if (code_)
    code_->add_call(profile_, caller, {costs_.address(costs_.positions()), callee, call_target_, calls},
                    costs_.costs());
  if (notes_places()) places_.entries.push_back({callee, {call_target_, caller, false, calls}});
  ProfilePart& part = tables_.part();
  ++part.call_lines;
  if (call_count_ == 0) ++part.zero_calls;
  if (!emitter_rule_) costs_.move_base();
  callee_ = {};
  awaited_ = Awaited::kNothing;
  return next;
}

void BodyReader::tell_jump() {
  const FunctionIndex to = jump_target_.has_name
                               ? tables_.find_function({jump_.target_function, jump_.target_file, object_})
                               : jump_.function;
  const int64_t followed = held_at_int64(jump_.followed);
  if (code_) code_->add_jump(profile_, jump_.function, {jump_.address, to, jump_.target_address, followed});
  if (!notes_places()) return;
  places_.has_jumps = true;
  if (to != jump_.function) places_.entries.push_back({to, {jump_.target_address, jump_.function, true, followed}});
}

const char* BodyReader::read_jump_source(const char* p, const char* end) {
  const FunctionIndex function = current_function(p);
  const char* next = costs_.read_same_place(p, end);
  if (!next) next = costs_.read_line(p, end);
  jump_.function = function;
  jump_.file = files_.use_for_call_site();
  jump_.address = costs_.address(costs_.positions());
  jump_.line = costs_.line(costs_.positions());
  jump_.target_file = jump_target_.has_file ? jump_target_.file : files_.target_file();
  jump_.target_function = jump_target_.has_name ? jump_target_.name : profile_.functions[function].name;
  if (options_.keep_jumps) tables_.part().jumps.push_back(jump_);
  if (code_ || notes_places()) tell_jump();
  if (!emitter_rule_) costs_.move_base();
  jump_target_ = {};
  awaited_ = Awaited::kNothing;
  return next;
}

}  // namespace icount
