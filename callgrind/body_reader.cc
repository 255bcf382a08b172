#include "icount/callgrind/body_reader.h"

#include <fmt/format.h>

#include "icount/base/check.h"
#include "icount/callgrind/plain_line.h"
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
