#include "icount/callgrind/parser.h"

#include <fmt/format.h>
#include <cstdint>
#include <vector>

#include <algorithm>
#include <memory>
#include <utility>

#include "icount/base/checked.h"
#include "icount/base/compression.h"
#include "icount/callgrind/body_reader.h"
#include "icount/callgrind/code_reader.h"
#include "icount/callgrind/parse_report.h"
#include "icount/callgrind/read_ahead.h"
#include "icount/callgrind/scanner.h"

namespace icount {
namespace {

// Input that is no profile at all: empty, compressed, binary, some other text. Refused with words that say what to do.

/// Whether any line begins with "events:".
bool has_events_line(std::string_view bytes);

/// "no events: line; ...", with the first bytes shown.
[[noreturn]] void fail_without_events(std::string_view bytes, const ParseReport& report);

std::string_view compression_name(std::string_view bytes) {
  switch (detect_compression(bytes)) {
    case Compression::kGzip:
      return "gzip";
    case Compression::kXz:
      return "xz";
    case Compression::kZstd:
      return "zstd";
    case Compression::kNone:
      break;
  }
  return bytes.starts_with("BZh") ? "bzip2" : std::string_view();
}

/// Throws for an empty input and for compressed data.
void refuse_other_formats(std::string_view bytes, const ParseReport& report) {
  if (bytes.empty()) report.fail(bytes.data(), "empty file; the process may have called exec or been killed");
  if (const auto packed = compression_name(bytes); !packed.empty())
    report.fail(bytes.data(), fmt::format("{} data; decompress first", packed));
}

/// Throws when `piece` of `bytes` holds a NUL byte: no profile where `bytes` has no events: line, else a damaged one.
void refuse_nul(std::string_view piece, std::string_view bytes, const ParseReport& report) {
  const size_t nul = piece.find('\0');
  if (nul == std::string_view::npos) return;
  if (!has_events_line(bytes)) fail_without_events(bytes, report);
  report.fail(piece.data() + nul, "NUL byte");
}

bool has_events_line(std::string_view bytes) {
  return bytes.starts_with("events:") || bytes.find("\nevents:") != std::string_view::npos;
}

void fail_without_events(std::string_view bytes, const ParseReport& report) {
  report.fail(bytes.data(), fmt::format("no events: line; not a callgrind or cachegrind file; it begins with \"{}\"",
                                        ParseReport::quote(bytes)));
}

// The sums that a part's lines add up to, and whether they are those that it says itself ("totals:"). The parser asks
// where a part ends.

/// Fills part.totals, one per event, from the self costs of its rows. A sum beyond int64 fails at `at`.
void add_up_totals(ProfilePart& part, const ParseReport& report, const char* at) {
  const size_t events = part.events.size();
  part.totals.assign(events, 0);
  for (size_t i = 0; i < part.row_self.size(); ++i)
    if (__builtin_add_overflow(part.totals[i % events], part.row_self[i], &part.totals[i % events]))
      report.fail(at, fmt::format("cost of {} overflows", ParseReport::quote(part.events[i % events])));
}

/// Fails at `at` where the part's totals are not those `said`; only warns if `accept`. `number` is what messages call
/// the part.
void check_totals(const ProfilePart& part, int64_t number, const std::vector<int64_t>& said, ParseReport& report,
                  const char* at, bool accept) {
  for (size_t e = 0; e < said.size(); ++e) {
    if (part.totals[e] == said[e]) continue;
    const std::string text =
        fmt::format("part {}, event {}: self cost is {}, totals: says {}; file damaged or truncated", number,
                    ParseReport::quote(part.events[e]), part.totals[e], said[e]);
    if (!accept) report.fail(at, text);
    report.warn(at, text);
  }
}

constexpr size_t kPieceBytes = size_t{1} << 20;  // of which `consumed` hears

/// One pass over a file: tells lines apart, opens and closes parts.
class Parser {
 public:
  Parser(std::string_view bytes, std::string_view name, const ParseOptions& options)
      : bytes_(bytes), options_(options), report_(bytes, name), body_(profile_, report_, options, bytes.size()) {}

  Profile run() &&;

 private:
  void read_whole_lines(size_t bytes);
  void start_reading_ahead();
  const char* join_block(const char* p);
  const char* find_piece_end(const char* p) const;
  void read_text(const char* p, const char* end);
  const char* read_slow_line(const char* p, const char* end);
  const char* read_word_line(const char* p, const char* end);
  const char* read_sum_line(const char* p, const char* next, std::string_view line);
  void read_totals(std::string_view numbers);
  void read_header(std::string_view line);
  void set_rule();
  void open_part();
  void start_body(const char* at);
  bool may_be_negative(const ProfilePart& own) const;
  void close_part();
  void finish();
  std::vector<bool> costly_functions() const;
  void read_costly_insides();

  bool is_callgrind() const { return profile_.creator.starts_with("callgrind-"); }
  ProfilePart& part() { return body_.tables().part(); }

  std::string_view bytes_;
  const ParseOptions& options_;
  Profile profile_;
  ParseReport report_;
  BodyReader body_;
  bool has_summary_ = false;
  std::vector<FunctionPlaces> places_;  // by part, where they are asked for
  const char* lines_end_ = nullptr;     // behind the last whole line
  const char* piece_end_ = nullptr;     // of the lines being read
  std::unique_ptr<ReadAhead> ahead_;
  bool part_open_ = false;      // a header or body line was read since the last part's end
  bool in_body_ = false;        // a cost, call or jump line of this part was read
  bool has_positions_ = false;  // the open part has a positions: line of its own
};

Profile Parser::run() && {
  refuse_other_formats(bytes_, report_);
  if (options_.rule != PositionRule::kByCreator) set_rule();
  const size_t whole = bytes_.rfind('\n') + 1;  // npos + 1 is 0: no line is whole
  read_whole_lines(whole);
  if (whole < bytes_.size()) {
    // The scanner needs an LF behind every line; only the unfinished last one is copied.
    refuse_nul(bytes_.substr(whole), bytes_, report_);
    const std::string tail = std::string(bytes_.substr(whole)) + "\n";
    read_text(tail.data(), tail.data() + tail.size());
  }
  finish();
  if (options_.keep_costly_insides > 0) read_costly_insides();
  return std::move(profile_);
}

/// Reads the first `bytes`, which end with a line, piece by piece so that `consumed` hears of them.
void Parser::read_whole_lines(size_t bytes) {
  const char* const text = bytes_.data();
  lines_end_ = text + bytes;
  for (const char* p = text; p != lines_end_;) {
    const char* next = ahead_ ? join_block(p) : p;
    if (next == p) {
      next = piece_end_ = find_piece_end(p);
      read_text(p, piece_end_);
    }
    if (options_.consumed) options_.consumed({p, static_cast<size_t>(next - p)});
    p = next;
  }
}

const char* Parser::find_piece_end(const char* p) const {
  const size_t most = options_.blocks < 2 ? kPieceBytes : std::min(kPieceBytes, bytes_.size() / options_.blocks);
  const std::string_view piece = take_lines(p, lines_end_, most);
  const char* const end = piece.data() + piece.size();
  return ahead_ ? std::min(end, ahead_->next_begin(p)) : end;
}

/// Behind the block that was read ahead from p on; p itself when it must be read here.
const char* Parser::join_block(const char* p) {
  const std::unique_ptr<AheadBlock> block = ahead_->take(p);
  if (!block || !in_body_ || !body_.can_join(block->body())) return p;
  return body_.join(block->body()) ? block->stop() : p;
}

/// The lines behind this piece, as far as they are like those of Callgrind's own bodies.
void Parser::start_reading_ahead() {
  const bool sums_only = !options_.keep_lines && !options_.keep_positions && !options_.keep_jumps && !options_.code &&
                         options_.keep_costly_insides == 0;
  if (ahead_ || options_.blocks == 1 || !sums_only || !profile_.emitter_rule || piece_end_ == lines_end_) return;
  ahead_ = std::make_unique<ReadAhead>(std::string_view(piece_end_, static_cast<size_t>(lines_end_ - piece_end_)),
                                       part(), options_);
}

void Parser::read_text(const char* p, const char* end) {
  while (p != end) {
    if (starts_cost_line(*p)) {
      if (!in_body_) start_body(p);
      p = body_.read_costs(p, end);
    } else if (in_body_ && body_.begins_call(p, end)) {
      p = body_.read_call(p, end);
    } else if (in_body_ && body_.begins_jump(p, end)) {
      p = body_.read_jump(p, end);
    } else {
      p = read_slow_line(p, end);
    }
  }
}

const char* Parser::read_slow_line(const char* p, const char* end) {
  if (const char* const next = report_.skip_empty_line(p, end)) return next;
  if (body_.awaits_cost_line()) body_.fail_missing_cost_line(p);
  const char* const next = body_.read_name_line(p, end);
  return next ? next : read_word_line(p, end);
}

const char* Parser::read_word_line(const char* p, const char* end) {
  if (const std::string_view word = BodyReader::announcing_word(p, end); !word.empty()) {
    if (!in_body_) start_body(p);
    return body_.read_announcement(p, end, word);
  }
  const char* const line_end = find_line_end(p, end);
  const std::string_view line = line_text(p, line_end);
  refuse_nul(line, bytes_, report_);
  if (line.starts_with("summary:") || line.starts_with("totals:")) return read_sum_line(p, line_end + 1, line);
  if (is_header_line(line)) {
    read_header(line);
  } else if (!line.starts_with("totals=")) {  // old converters; no sum that we could rely on
    report_.count_unknown_line(p, line);
  }
  return line_end + 1;
}

const char* Parser::read_sum_line(const char* p, const char* next, std::string_view line) {
  const std::string_view numbers = line.substr(line.find(':') + 1);
  if (line.starts_with("totals:")) {
    if (part_open_ && !part().events.empty())
      read_totals(numbers);
    else
      report_.count_unknown_line(p, line);
    return next;
  }
  ProfilePart* const of = part_open_ || profile_.parts.empty() ? &part() : &profile_.parts.back();
  if (of->events.empty())
    report_.count_unknown_line(p, line);
  else
    of->summary = read_sums(numbers, report_, of->events.size());
  has_summary_ = true;
  return next;
}

void Parser::read_header(std::string_view line) {
  if (in_body_) close_part();
  if (!part_open_) open_part();
  if (line.starts_with("positions:")) has_positions_ = true;
  read_header_line(line, report_, profile_, part());
  if (line.starts_with("creator:")) set_rule();
}

void Parser::set_rule() {
  profile_.emitter_rule =
      options_.rule == PositionRule::kByCreator ? is_callgrind() : options_.rule == PositionRule::kEmitter;
  body_.set_rule(profile_.emitter_rule);
}

void Parser::open_part() {
  part_open_ = true;
  has_positions_ = false;
}

void Parser::start_body(const char* at) {
  if (!part_open_) open_part();
  ProfilePart& own = part();
  if (own.events.empty()) {
    if (profile_.parts.empty()) {
      if (!has_events_line(bytes_)) fail_without_events(bytes_, report_);
      report_.fail(at, "cost line before events:");
    }
    // A part without a header of its own goes on as the one before.
    own.events = profile_.parts.back().events;
    if (!has_positions_) own.take_positions(profile_.parts.back());
  }
  const bool negative = may_be_negative(own);
  body_.start(profile_.emitter_rule, negative);
  in_body_ = true;
  if (!negative) start_reading_ahead();
}

/// Only tools that measure memory or differences write negative costs; elsewhere a sign is damage.
bool Parser::may_be_negative(const ProfilePart& own) const {
  const bool memory = std::any_of(own.events.begin(), own.events.end(), [](const std::string& event) {
    return event.starts_with("Memory") || event.find('(') != std::string::npos;
  });
  return !is_callgrind() && (memory || !profile_.creator.empty());
}

void Parser::close_part() {
  ProfilePart done = body_.tables().take_part();
  if (options_.keep_insides) done.code = options_.code->take();
  add_up_totals(done, report_, bytes_.data() + bytes_.size());
  if (!done.has_totals && is_callgrind())
    report_.warn(bytes_.data() + bytes_.size(), "no totals: line; file may be truncated");
  FunctionPlaces places = body_.take_places();
  if (!done.events.empty()) {
    profile_.parts.push_back(std::move(done));
    places_.push_back(std::move(places));
  }
  body_.end();
  part_open_ = in_body_ = false;
}

void Parser::read_totals(std::string_view numbers) {
  const std::vector<int64_t> totals = read_sums(numbers, report_, part().events.size());
  part().has_totals = true;
  close_part();
  const ProfilePart& done = profile_.parts.back();
  const int64_t number = done.number > 0 ? done.number : static_cast<int64_t>(profile_.parts.size());
  check_totals(done, number, totals, report_, numbers.data(), options_.accept_wrong_totals);
}

void Parser::finish() {
  const char* const end = bytes_.data() + bytes_.size();
  if (body_.awaits_cost_line()) body_.fail_missing_cost_line(end);
  if (part_open_) close_part();
  if (profile_.parts.empty()) fail_without_events(bytes_, report_);
  if (is_callgrind() && bytes_.back() != '\n' && profile_.parts.back().has_totals)
    report_.warn(end, "no line end behind the last line; file may be truncated");
  if (profile_.creator.starts_with("xdebug") && !has_summary_)
    report_.warn(end,
                 "no summary: line; the script did not end by itself, and functions that were running are missing");
  body_.report_ids();
  profile_.warnings = report_.take_warnings();
}

/// Which functions' self cost, that of all their pieces taken together, is costly.
std::vector<bool> Parser::costly_functions() const {
  std::vector<int64_t> self(profile_.functions.size(), 0);
  int64_t total = 0;
  for (const ProfilePart& part : profile_.parts) {
    total = saturating_add(total, part.totals[0]);
    for (size_t r = 0; r < part.rows.size(); ++r) {
      int64_t& sum = self[part.rows[r].function];
      sum = saturating_add(sum, part.row_self[r * part.events.size()]);
    }
  }
  return find_costly(profile_.functions, profile_.strings, self, total, options_.keep_costly_insides);
}

/// Each part's costly functions, from their own lines. Where ids changed their meaning nothing is read.
void Parser::read_costly_insides() {
  for (const ProfilePart& part : profile_.parts)
    if (!part.has_addresses) return;
  if (!body_.can_read_again()) return;
  profile_.has_costly_code = true;
  CodeCollector collector(costly_functions());
  for (size_t i = 0; i < profile_.parts.size(); ++i) {
    body_.read_again(profile_.parts[i], places_[i], lines_end_, collector);
    profile_.parts[i].code = collector.take();
  }
  if (collector.has_insides()) return;
  for (ProfilePart& part : profile_.parts) part.code.clear();
}

}  // namespace

Profile parse_profile(std::string_view bytes, std::string_view name, const ParseOptions& options) {
  if (!options.keep_insides) return Parser(bytes, name, options).run();
  CodeCollector collector([](std::string_view, std::string_view) { return true; });
  ParseOptions collecting = options;
  collecting.code = &collector;
  Profile profile = Parser(bytes, name, collecting).run();
  if (!collector.has_insides())
    for (ProfilePart& part : profile.parts) part.code.clear();
  return profile;
}

}  // namespace icount
