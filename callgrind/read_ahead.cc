#include "icount/callgrind/read_ahead.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <exception>
#include <system_error>

#include "icount/base/parallel.h"
#include "icount/callgrind/scanner.h"

namespace icount {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 20;  // after which memory is given back
constexpr size_t kLeastBytes = size_t{1} << 20;  // below, a thread costs more than it gives

/// Where the one block begins, as a part of all lines. The parser reads what is before it and has the block to join on,
/// which takes it an eighth as long as to read it. More blocks overlap better and were slower: each has to find out
/// anew what its ids stand for.
constexpr double kBlockBegin = 0.48;

/// "0x401136 12 7": nothing in it is relative.
bool is_absolute_cost_line(const char* p, const char* end) {
  if (p == end || !is_digit(*p)) return false;
  const auto is_part = [](char c) {
    return c == ' ' || c == 'x' || kHexDigits[static_cast<unsigned char>(c)] != kNoDigit;
  };
  return std::all_of(p, find_line_end(p, end), is_part);
}

/// The next line from p on that begins a function and has absolute positions behind it; `end` when there is none.
const char* find_block_begin(const char* p, const char* end) {
  constexpr std::string_view kFunctionLine = "\nfn=";
  while (true) {
    const std::string_view rest(p, static_cast<size_t>(end - p));
    const size_t found = rest.find(kFunctionLine);
    if (found == std::string_view::npos) return end;
    p += found + 1;
    if (is_absolute_cost_line(find_line_end(p, end) + 1, end)) return p;
  }
}

/// Where to look for the blocks' begins.
std::vector<size_t> find_cuts(size_t bytes, size_t blocks) {
  std::vector<size_t> cuts;
  for (size_t i = 0; blocks > 1 && i < blocks; ++i) cuts.push_back(bytes / blocks * i);
  if (blocks == 0 && bytes >= kLeastBytes && count_usable_cores() > 1)
    cuts.push_back(static_cast<size_t>(kBlockBegin * static_cast<double>(bytes)));
  return cuts;
}

/// A new thread is often put where its maker runs, and waits there for milliseconds until the system moves it: half of
/// the gain. The thread must not have ended: of one that has, the C library gives the number 0, and 0 is the caller.
void keep_off_this_core(std::thread& thread) {
  cpu_set_t allowed;
  const int here = ::sched_getcpu();
  if (here < 0 || ::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  CPU_CLR(here, &allowed);
  if (CPU_COUNT(&allowed) > 0) ::pthread_setaffinity_np(thread.native_handle(), sizeof allowed, &allowed);
}

}  // namespace

AheadBlock::AheadBlock(std::string_view lines, const ProfilePart& part, const ParseOptions& options)
    : lines_(lines),
      options_(options),
      report_(lines, ""),
      body_(profile_, report_, options, lines.size()),
      stop_(lines.data()) {
  body_.start_ahead(part);
}

bool AheadBlock::read() {
  const char* const end = lines_.data() + lines_.size();
  try {
    for (bool whole = true; whole && stop_ != end;) {
      const std::string_view piece = take_lines(stop_, end, kPieceBytes);
      whole = read_piece(piece.data() + piece.size());
      if (options_.consumed) options_.consumed(piece);
    }
  } catch (const std::exception&) {
    return false;  // the parser will say it, with the right line
  }
  if (body_.awaits_cost_line()) return false;
  return stop_ == end || std::string_view(stop_, static_cast<size_t>(end - stop_)).starts_with("totals:");
}

bool AheadBlock::read_piece(const char* end) {
  while (stop_ != end) {
    const char* const next = body_.read_body_line(stop_, end);
    if (!next) return false;
    stop_ = next;
  }
  return true;
}

ReadAhead::ReadAhead(std::string_view lines, const ProfilePart& part, const ParseOptions& options)
    : lines_(lines), options_(options), forced_(options.blocks > 1) {
  part_.events = part.events;
  part_.take_positions(part);
  cut(find_cuts(lines.size(), options.blocks));
  if (slots_.empty()) return;
  try {
    thread_ = std::thread([this] {
      placed_.wait();
      run();
    });
    keep_off_this_core(thread_);
    placed_.count_down();
  } catch (const std::system_error&) {
    slots_.clear();  // no thread to be had: the caller reads everything
  }
}

ReadAhead::~ReadAhead() {
  stopped_ = true;
  if (thread_.joinable()) thread_.join();
}

void ReadAhead::cut(const std::vector<size_t>& cuts) {
  const char* const end = lines_.data() + lines_.size();
  std::vector<const char*> begins;
  for (const size_t at : cuts) {
    const char* const from = lines_.data() + at;
    if (begins.empty() || from > begins.back()) begins.push_back(find_block_begin(from, end));
  }
  begins.push_back(end);
  for (size_t i = 0; i + 1 < begins.size(); ++i) {
    if (begins[i] == begins[i + 1]) continue;
    slots_.push_back(std::make_unique<Slot>());
    slots_.back()->lines = {begins[i], static_cast<size_t>(begins[i + 1] - begins[i])};
  }
}

void ReadAhead::run() {
  for (size_t i = 0; i < slots_.size() && !stopped_; ++i)
    if (claim(*slots_[i])) read(*slots_[i]);
}

bool ReadAhead::claim(Slot& slot) {
  int free = kFree;
  return slot.state.compare_exchange_strong(free, kTaken);
}

void ReadAhead::read(Slot& slot) {
  try {
    slot.block = std::make_unique<AheadBlock>(slot.lines, part_, options_);
    // At the end of the text more may follow: a last line without its LF.
    if (!slot.block->read() || slot.block->stop() == lines_.data() + lines_.size()) slot.block.reset();
  } catch (const std::exception&) {
    slot.block.reset();
  }
  slot.state = kDone;
  slot.state.notify_all();
}

const char* ReadAhead::next_begin(const char* p) const {
  const auto next =
      std::find_if(slots_.begin(), slots_.end(), [p](const auto& slot) { return slot->lines.data() > p; });
  return next == slots_.end() ? lines_.data() + lines_.size() : (*next)->lines.data();
}

std::unique_ptr<AheadBlock> ReadAhead::take(const char* p) {
  const auto found =
      std::find_if(slots_.begin(), slots_.end(), [p](const auto& slot) { return slot->lines.data() == p; });
  if (found == slots_.end()) return nullptr;
  Slot& slot = **found;
  if (!forced_ && claim(slot)) return nullptr;
  for (int state = slot.state; state != kDone; state = slot.state) slot.state.wait(state);
  return std::move(slot.block);
}

}  // namespace icount
