// Which call of a case is measured with how many iterations, and the markers around its region. A case is run three
// times: with one iteration to warm up, with two, and with many; the last two give the slope.
#pragma once

#include <valgrind/callgrind.h>

#include "bench_escape.h"
#include "stub_mappings.h"

namespace icount_hooks {

enum Step : long { kWarmUp = 0, kFew = 1, kMany = 2 };

// Where memory is measured (bench_memory.h): around the larger region of a case, and where it pauses.
void begin_memory_region();
void end_memory_region();
void pause_memory_region();

/// The cases as they come; one thread runs them all.
class Cases {
 public:
  static Cases& all() {
    static Cases cases;
    return cases;
  }

  void begin_case(const char* name = nullptr, unsigned long size = 0) {
    ++index_;
    calls_ = 0;
    many_ = 0;
    Line line;
    line.text("case").number(index_);
    if (name) line.hex(name, size);
    line.send();
  }

  long index() const { return index_; }

  /// The framework runs the case with `given` iterations. Returns true for the first call of a case that is measured.
  bool note_call(long given) {
    measuring_ = false;
    iterations_ = 1;
    shown_ = 1;
    if (calls_ == 0) given_ = given;
    // More than at first: the framework waits for a time to pass.
    if (given > given_) shown_ = kEnough;
    return calls_++ == 0 && index_ >= 0 && plan().is_measured(index_);
  }

  /// How many iterations the step has; the next region is its.
  long begin_step(long step) {
    const long limit = Plan::find(plan().limits, plan().limit_count, index_, given_ > 1 ? given_ : 0);
    step_ = step;
    measuring_ = true;
    shown_ = 1;
    iterations_ = step == kWarmUp ? 1 : step == kFew ? kFewIterations : plan().once > 0 ? plan().once : many_;
    if (limit > 0 && iterations_ > limit) iterations_ = limit;
    if (limit > 1 && step == kFew && iterations_ == limit) --iterations_;
    if (iterations_ < 1) iterations_ = 1;
    return iterations_;
  }

  /// Where each call of the framework is one step: the iterations of this call.
  long begin_call(long given) {
    const long call = calls_;
    note_call(given);
    if (index_ < 0 || !plan().is_measured(index_)) return 1;
    const long calls = Plan::find(plan().calls, plan().call_count, index_, 3);
    const long step = plan().once > 0 ? kMany : (calls < 3 ? kFew : kWarmUp) + call;
    if (plan().once > 0 ? call > 0 : step > kMany) return 1;
    return begin_step(step);
  }

  /// A region of no case.
  void rehearse() {
    begin_step(kFew);
    enter();
    leave();
    report();
  }

  /// A process was forked for the running case.
  void become_child() {
    process_ = current_process();
    parts_ = 0;  // Callgrind numbers its parts anew
  }

  /// A call that is none of the cases.
  void pass() {
    measuring_ = false;
    iterations_ = 1;
  }

  bool measuring() const { return measuring_; }
  bool is_last_step() const { return step_ == kMany; }
  bool in_region() const { return in_region_ && current_process() == process_; }
  long iterations() const { return iterations_; }
  /// What the framework is to believe: as many in every call, or so many that it stops.
  long shown_iterations() const { return shown_; }
  /// The framework made more of them than asked for (KeepRunningBatch).
  void ran(long asked, long further) {
    iterations_ = asked;
    further_ = further;
  }

  /// Called last before the code to be counted. A process's first part holds what its active calls cost before, which
  /// CALLGRIND_ZERO_STATS leaves: so the region to warm up is written, too.
  __attribute__((always_inline)) void enter() {
    if (!measuring_) return;
    in_region_ = true;
    if (plan().memory) return step_ == kMany ? begin_memory_region() : void();
    first_part_ = parts_ + 1;
    pauses_ = 0;
    escape_ = Others::kNone;
    before_ = Others::now();
    CALLGRIND_ZERO_STATS;
  }

  /// Called first behind it.
  __attribute__((always_inline)) void leave() {
    if (!in_region()) return;
    if (plan().memory && step_ == kMany) end_memory_region();
    const bool is_toggled = paused_ && pauses_ > kMostPauses;
    if (is_toggled) CALLGRIND_TOGGLE_COLLECT;
    if (!paused_ || is_toggled) end_part();
    if (!paused_) look_for_escapes();
    in_region_ = false;
    measuring_ = false;
    paused_ = false;
  }

  /// What follows does not count. Callgrind counts calls also where it does not collect costs, so the region is written
  /// in parts, every second one a pause. One with very many pauses is not: its call counts mean nothing.
  __attribute__((always_inline)) void pause() {
    if (!in_region() || step_ == kWarmUp || paused_) return;
    paused_ = true;
    if (plan().memory) return pause_memory_region();
    if (++pauses_ <= kMostPauses)
      end_part();
    else
      CALLGRIND_TOGGLE_COLLECT;
    look_for_escapes();
  }
  __attribute__((always_inline)) void resume() {
    if (!in_region() || !paused_) return;
    paused_ = false;
    if (plan().memory) return;
    before_ = Others::now();
    if (pauses_ <= kMostPauses)
      end_part();
    else
      CALLGRIND_TOGGLE_COLLECT;
  }

  /// Reports the region that leave() ended, and decides on the next one.
  void report() {
    const long runs = iterations_ + further_;
    further_ = 0;
    if (step_ == kWarmUp) return;
    if (escape_ == Others::kNone && !plan().memory && icount_stub::maps_unlinked_code()) escape_ = Others::kStaleCode;
    if (escape_ != Others::kNone) Line().text("escaped").number(index_).number(escape_).send();
    if (plan().memory) {
      many_ = Plan::find(plan().runs, plan().run_count, index_, 1);
      return;
    }
    Line line;
    line.text("part").number(index_).number(step_).number(runs).number(parts_).number(process_);
    line.number(first_part_).number(pauses_ > kMostPauses).send();
    if (step_ == kMany) return;
    many_ = runs / iterations_ * (plan().number > 0 ? plan().number : number_for(region_total() / runs));
  }

 private:
  __attribute__((always_inline)) void end_part() {
    if (plan().memory) return;  // DHAT knows no parts
    CALLGRIND_DUMP_STATS;
    ++parts_;
  }

  /// What a pause makes is none of the region's.
  void look_for_escapes() {
    if (!plan().memory && escape_ == Others::kNone) escape_ = before_.since();
  }

  /// So that a case takes about half a second.
  static long number_for(long cost) { return cost <= 200'000 ? 100 : cost <= 2'000'000 ? 10 : 3; }

  /// Of the region just written.
  long region_total() const {
    long sum = 0;
    for (long part = first_part_; part <= parts_; part += 2) sum += part_total(part);
    return sum;
  }

  /// The "totals:" line at the end of a part.
  long part_total(long number) const {
    Line path;
    path.text(plan().folder).text("/cg.");
    char digits[64];
    const int file = open(part_path(number, digits, path), O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char tail[160];
    const long size = lseek(file, 0, SEEK_END);
    const long from = size > static_cast<long>(sizeof(tail)) - 1 ? size - static_cast<long>(sizeof(tail)) + 1 : 0;
    lseek(file, from, SEEK_SET);
    const long got = read(file, tail, sizeof(tail) - 1);
    close(file);
    if (got <= 0) return 0;
    tail[got] = 0;
    const char* found = strstr(tail, "totals: ");
    return found ? strtol(found + 8, nullptr, 10) : 0;
  }

  const char* part_path(long number, char* digits, Line& path) const {
    // Line::number puts a blank in front, which no file name has.
    Line process, part;
    process.number(process_);
    part.number(number);
    strcpy(digits, process.c_str() + 1);
    path.text(digits).text(".");
    strcpy(digits, part.c_str() + 1);
    return path.text(digits).c_str();
  }

  static constexpr long kFewIterations = 2;  // compilers often make the first round of a loop a code of its own
  static constexpr long kEnough = 1'000'000'000'000;
  static constexpr long kMostPauses = 250;  // of one region; each takes a millisecond

  long index_ = -1, calls_ = 0, given_ = 1, shown_ = 1, step_ = 0, iterations_ = 1, further_ = 0, many_ = 0, parts_ = 0;
  long first_part_ = 1, pauses_ = 0;
  bool measuring_ = false, in_region_ = false, paused_ = false;
  int process_ = current_process();
  Others before_;                          ///< when the region began, or went on behind a pause
  Others::Escape escape_ = Others::kNone;  ///< of the region
};

}  // namespace icount_hooks
