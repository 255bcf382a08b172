#include "icount/callgrind/body_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "icount/base/error.h"
#include "icount/callgrind/scanner.h"

namespace icount {
namespace {

/// p begins with `word`: moves it behind and is true.
bool skip_word(const char*& p, const char* end, std::string_view word) {
  if (!std::string_view(p, static_cast<size_t>(end - p)).starts_with(word)) return false;
  p += word.size();
  return true;
}

}  // namespace

BodyReader::BodyReader(Profile& profile, ParseReport& report, const ParseOptions& options, size_t input_bytes)
    : profile_(profile),
      report_(report),
      options_(options),
      code_(options.code),
      objects_(NameKind::kObject, profile.strings, report, input_bytes),
      file_names_(NameKind::kFile, profile.strings, report, input_bytes),
      functions_(NameKind::kFunction, profile.strings, report, input_bytes),
      tables_(profile, input_bytes),
      costs_(report) {}

void BodyReader::start(bool emitter_rule, bool negative_costs) {
  emitter_rule_ = emitter_rule;
  costs_.start_part(tables_.part(), negative_costs);
  if (code_) code_->start_part(tables_.part());
}

void BodyReader::end() {
  files_.reset();
  object_ = kEmptyString;
  named_ = false;
  function_ = kNoFunction;
  callee_ = jump_target_ = {};
}

void BodyReader::report_ids() const {
  objects_.report_ids();
  file_names_.report_ids();
  functions_.report_ids();
}

void BodyReader::fail_missing_cost_line(const char* at) const {
  report_.fail(at, fmt::format("cost line expected after {}", awaited_ == Awaited::kJump ? "jump=" : "calls="));
}

void BodyReader::forget_unnamed_function() {
  if (!named_) function_ = kNoFunction;
}

void BodyReader::set_object(StringId object) {
  object_ = object;
  files_.start_function();
  forget_unnamed_function();
}

void BodyReader::set_function(StringId name, const char* behind) {
  files_.start_function();
  function_key_ = {name, files_.function_file(), object_};
  named_ = true;
  function_ = kNoFunction;
  callee_ = jump_target_ = {};
  if (notes_places()) note_function(behind);
}

const char* BodyReader::read_body_line(const char* p, const char* end) {
  if (starts_cost_line(*p)) return read_costs(p, end);
  if (begins_call(p, end)) return read_call(p, end);
  if (begins_jump(p, end)) return read_jump(p, end);
  if (const char* const next = report_.skip_empty_line(p, end)) return next;
  if (awaits_cost_line()) return nullptr;
  if (const std::string_view word = announcing_word(p, end); !word.empty()) return read_announcement(p, end, word);
  return read_name_line(p, end);
}

const char* BodyReader::read_name_line(const char* p, const char* end) {
  return *p == 'c' || *p == 'j' ? read_callee_line(p, end) : read_own_line(p, end);
}

const char* BodyReader::read_callee_line(const char* p, const char* end) {
  if (skip_word(p, end, "cfn=")) {
    callee_.name = functions_.read(p, end);
    callee_.has_name = true;
  } else if (skip_word(p, end, "cfi=") || skip_word(p, end, "cfl=")) {
    callee_.file = file_names_.read(p, end);
    callee_.has_file = true;
  } else if (skip_word(p, end, "cob=")) {
    callee_.object = objects_.read(p, end);
    callee_.has_object = true;
  } else if (skip_word(p, end, "jfi=")) {
    jump_target_.file = file_names_.read(p, end);
    jump_target_.has_file = true;
  } else if (skip_word(p, end, "jfn=")) {
    jump_target_.name = functions_.read(p, end);
    jump_target_.has_name = true;
  } else {
    return nullptr;
  }
  return p;
}

const char* BodyReader::read_own_line(const char* p, const char* end) {
  if (skip_word(p, end, "fn=")) {
    const StringId name = functions_.read(p, end);
    set_function(name, p);
  } else if (skip_word(p, end, "fi=") || skip_word(p, end, "fe=")) {
    files_.set_inline_file(file_names_.read(p, end));
    forget_unnamed_function();
  } else if (skip_word(p, end, "fl=")) {
    files_.set_function_file(file_names_.read(p, end));
    forget_unnamed_function();
  } else if (skip_word(p, end, "ob=")) {
    set_object(objects_.read(p, end));
  } else if (skip_word(p, end, "frfn=")) {
    functions_.read(p, end);
    files_.start_function();
  } else if (skip_word(p, end, "rec=")) {
    files_.start_function();
    p = report_.find_line_end(p, end) + 1;
  } else if (skip_word(p, end, "bb=") || skip_word(p, end, "ln=")) {
    p = report_.find_line_end(p, end) + 1;
  } else {
    return nullptr;
  }
  return p;
}

FunctionIndex BodyReader::open_function(const char* at) {
  if (!named_) {
    report_.warn(at, "cost outside any function");
    function_key_ = {kEmptyString, files_.function_file(), object_};
  }
  return function_ = tables_.find_function(function_key_);
}

const char* BodyReader::read_costs(const char* p, const char* end) {
  switch (awaited_) {
    case Awaited::kCall:
      return read_call_cost(p, end);
    case Awaited::kJump:
      return read_jump_source(p, end);
    case Awaited::kNothing:
      break;
  }
  return read_self_costs(p, end);
}

const char* BodyReader::read_self_costs(const char* p, const char* end) {
  const FunctionIndex function = current_function(p);
  const StringId file = files_.commit_for_self_cost();
  if (reads_again_) {
    while (p != end && starts_cost_line(*p)) {
      p = costs_.read_line(p, end);
      code_->add_row(function, file, costs_.address(costs_.positions()), costs_.line(costs_.positions()),
                     costs_.costs());
      costs_.move_base();
    }
    return p;
  }
  const bool one_by_one = options_.keep_positions || is_looked_into(function);
  while (p != end && starts_cost_line(*p)) {
    const char* const from = p;
    if (!one_by_one)
      p = options_.keep_lines
              ? read_source_line(p, end, function, file)
              : costs_.add_plain_lines(p, end, tables_.find_row_costs(function, file), tables_.part().self_lines);
    if (p == from) p = read_odd_self_line(p, end, function, file);
  }
  return p;
}

/// Plain lines that belong to one source line; p when there is none.
const char* BodyReader::read_source_line(const char* p, const char* end, FunctionIndex function, StringId file) {
  int64_t* const row = tables_.find_row_costs(function, file);
  LineSum sum;
  const char* const next = costs_.add_lines_of_one(p, end, *row, sum);
  if (next == p) return p;
  *row += sum.cost;
  tables_.part().self_lines += sum.lines;
  const bool fits = tables_.add_line({function, file, sum.line}, {&sum.cost, 1});
  ICOUNT_CHECK(fits, "a source line costs more than its function");
  return next;
}

const char* BodyReader::read_odd_self_line(const char* p, const char* end, FunctionIndex function, StringId file) {
  const char* const next = costs_.read_line(p, end);
  ProfilePart& part = tables_.part();
  const auto costs = costs_.costs();
  const Positions& at = costs_.positions();
  int64_t* sums = tables_.find_row_costs(function, file);
  for (size_t e = 0; e < costs.size(); ++e)
    if (e == costs_.overflowing_event() || __builtin_add_overflow(sums[e], costs[e], &sums[e]))
      report_.fail(p, fmt::format("cost of {} overflows", ParseReport::quote(part.events[e])));
  if (options_.keep_lines && !tables_.add_line({function, file, costs_.line(at)}, costs))
    report_.fail(p, "cost of a line overflows");
  if (options_.keep_positions) {
    part.positions.push_back({function, file, costs_.address(at), costs_.block(at), costs_.line(at)});
    part.position_self.insert(part.position_self.end(), costs.begin(), costs.end());
  }
  if (is_looked_into(function)) code_->add_row(function, file, costs_.address(at), costs_.line(at), costs);
  costs_.move_base();
  ++part.self_lines;
  return next;
}

}  // namespace icount

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

// The part of BodyReader that reads a block of lines before those in front of it, and joins such a block on.
namespace icount {

void BodyReader::start_ahead(const ProfilePart& part) {
  ProfilePart& own = tables_.part();
  own.events = part.events;
  own.take_positions(part);
  start(true, false);
  set_rule(true);
  for (NameTable* names : {&objects_, &file_names_, &functions_}) names->start_ahead();
  object_ = unknown_object_ = profile_.strings.add_unknown();
  unknown_file_ = profile_.strings.add_unknown();
  files_.set_function_file(unknown_file_);
}

bool BodyReader::can_join(const BodyReader& ahead) const {
  const ProfilePart& here = tables_.part();
  const ProfilePart& there = ahead.tables_.part();
  return emitter_rule_ && files_.seen_function_file() && awaited_ == Awaited::kNothing && here.events == there.events &&
         here.has_addresses == there.has_addresses && here.has_blocks == there.has_blocks &&
         here.has_lines == there.has_lines;
}

bool BodyReader::join(const BodyReader& ahead) {
  const auto strings = map_strings(ahead);
  if (!strings) return false;
  const ProfilePart& there = ahead.tables_.part();
  if (!tables_.add_rows_and_edges(there, map_functions(ahead, *strings), *strings)) return false;
  for (const auto& [own, other] :
       {std::pair(&objects_, &ahead.objects_), {&file_names_, &ahead.file_names_}, {&functions_, &ahead.functions_}})
    for (const NamesAhead::Definition& definition : other->ahead().definitions)
      own->define(definition.id, (*strings)[definition.name], definition.at);
  ProfilePart& here = tables_.part();
  here.self_lines += there.self_lines;
  here.call_lines += there.call_lines;
  here.zero_calls += there.zero_calls;
  // What follows is fn= and absolute positions or the part's end, which forget the rest.
  set_object((*strings)[ahead.object_]);
  files_.set_function_file((*strings)[ahead.files_.function_file()]);
  named_ = true;
  return true;
}

/// Nothing when the block uses an id that has no name here.
std::optional<std::vector<StringId>> BodyReader::map_strings(const BodyReader& ahead) {
  constexpr StringId kOpen = ~StringId{0};
  const StringPool& there = ahead.profile_.strings;
  std::vector<StringId> strings(there.size(), kOpen);
  strings[ahead.unknown_object_] = object_;
  strings[ahead.unknown_file_] = files_.function_file();
  for (const auto& [own, other] :
       {std::pair(&objects_, &ahead.objects_), {&file_names_, &ahead.file_names_}, {&functions_, &ahead.functions_}})
    for (const NamesAhead::Unknown& unknown : other->ahead().unknown) {
      const auto known = own->known(unknown.id);
      if (!known) return std::nullopt;
      strings[unknown.placeholder] = *known;
    }
  for (StringId id = 0; id < strings.size(); ++id)  // in order of first sight, as if read here
    if (strings[id] == kOpen) strings[id] = profile_.strings.intern(there.view(id));
  return strings;
}

std::vector<FunctionIndex> BodyReader::map_functions(const BodyReader& ahead, const std::vector<StringId>& strings) {
  std::vector<FunctionIndex> functions;
  functions.reserve(ahead.profile_.functions.size());
  for (const Function& f : ahead.profile_.functions)
    functions.push_back(tables_.find_function({strings[f.name], strings[f.file], strings[f.object]}));
  return functions;
}

}  // namespace icount

// The part of BodyReader that notes where functions' lines are, and reads those of some again.
namespace icount {

void BodyReader::note_function(const char* begin) {
  places_.functions.push_back({begin, function_key_, costs_.base()});
}

bool BodyReader::can_read_again() const {
  return emitter_rule_ && files_.seen_function_file() && objects_.is_steady() && file_names_.is_steady() &&
         functions_.is_steady();
}

void BodyReader::read_again(const ProfilePart& part, const FunctionPlaces& places, const char* end,
                            CodeCollector& code) {
  reads_again_ = true;
  code_ = &code;
  tables_.take_part();
  tables_.part().events = part.events;
  tables_.part().take_positions(part);
  start(true, false);
  if (places.has_jumps) code.tell_of_jumps();
  for (const PlacedEntry& one : places.entries)
    if (code.wants(profile_, one.function)) code.add_entry(one.function, one.entry);
  for (const FunctionPlace& place : places.functions) {
    if (!code.wants(profile_, tables_.find_function(place.function))) continue;
    object_ = place.function.object;
    files_.set_function_file(place.function.file);
    function_key_ = place.function;
    named_ = true;
    function_ = kNoFunction;
    callee_ = jump_target_ = {};
    awaited_ = Awaited::kNothing;
    costs_.set_base(place.base);
    const auto begins_function = [&](const char* p) {
      return std::string_view(p, static_cast<size_t>(end - p)).starts_with("fn=");
    };
    for (const char* p = place.begin; p && p != end && !begins_function(p);) p = read_body_line(p, end);
  }
}

}  // namespace icount
