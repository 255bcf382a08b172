// Google Benchmark, shared or static, 1.5 to 1.9: benchmark::State is hooked where it is made, where it is handed to
// the user's function, and where its loop begins, pauses and ends. The user's function is called once for each step,
// in a process of its own and with nothing of the library in between. Where that call has no symbol (a stripped binary
// with a shared library) icount asks the library for three repetitions, and each is a step.
#pragma once

#include <valgrind/valgrind.h>

#include "bench_child.h"
#include "bench_wrap.h"

namespace icount_hooks {

/// The beginning of benchmark::State, the same in all these versions.
struct GoogleState {
  long total_iterations, batch_leftover, max_iterations;
  char flags[8];
  long *range_begin, *range_end, *range_capacity;
  long complexity_n;
};

struct Google {
  const void* ranges = nullptr;  ///< the arguments of the running case: each case has its own
  const void* state = nullptr;   ///< the State made last
  bool is_due = false;           ///< the case is measured in the next call of its function
  bool is_apart = false;         ///< another process ran the case
  int in_function = 0;           ///< inside of Benchmark::Run, which hands the State to the user's function
  bool unknown_layout = false;
};

inline Google& google() {
  static Google state;
  return state;
}

/// Iterations for a State that is being made. One without a manager of threads is for the callbacks of Setup and
/// Teardown, which are no part of the case.
inline long begin_google_call(const void* state, long given, const void* ranges, long threads, const void* manager) {
  if (!manager) return given;
  Cases& cases = Cases::all();
  google().state = state;
  google().is_due = false;
  if (threads > 1) {
    cases.pass();
    return 1;
  }
  if (ranges != google().ranges) {
    google().ranges = ranges;
    google().is_apart = false;
    cases.begin_case();
  }
  if (!plan().inside) return cases.begin_call(given);
  google().is_due = cases.note_call(given);
  return 1;
}

/// The State as its constructor leaves it, for so many iterations.
inline void restart(GoogleState* state, long iterations) {
  state->total_iterations = state->batch_leftover = 0;
  state->max_iterations = iterations;
  memset(state->flags, 0, sizeof(state->flags));
}

/// The case refused to run (SkipWithError): behind "started" and "finished" something is set.
inline bool is_skipped(const GoogleState* state) {
  for (int i = 2; i < 8; ++i)
    if (state->flags[i]) return true;
  return false;
}

/// State::counters, a std::map<std::string, Counter> of libstdc++, behind complexity_n.
struct GoogleCounters {
  struct Node {
    long color;
    Node *parent, *left, *right;
    const char* name;
    unsigned long name_size;
    char short_name[16];
    long value;  ///< a double
    int flags;
    int one_k;
  };
  long unused;
  Node root;  ///< its left and right are the first and the last one, what is behind them is the number

  unsigned long size() const { return reinterpret_cast<unsigned long>(root.name); }
  const Node* header() const { return &root; }
  /// Whether it is such a map.
  bool is_known() const {
    if (size() > 10'000) return false;
    return size() == 0 ? !root.parent && root.left == header() && root.right == header()
                       : root.parent && root.parent->parent == header();
  }
};

inline void send_counter(const GoogleCounters::Node* node) {
  if (!node) return;
  send_counter(node->left);
  Line line;
  line.text("counter").number(Cases::all().index()).number(node->flags).number(node->value);
  line.hex(node->name, node->name_size).send();
  send_counter(node->right);
}

/// What the case said about itself in the call that just ended.
inline void send_facts(GoogleState* state) {
  Cases& cases = Cases::all();
  if (state->complexity_n > 0) {
    Line().text("complexity").number(cases.index()).number(state->complexity_n).send();
    CaseProcess::keep_complexity(state->complexity_n);
  }
  const auto* counters = reinterpret_cast<const GoogleCounters*>(&state->complexity_n + 1);
  Line().text("ran").number(cases.index()).number(state->max_iterations + state->batch_leftover).send();
  if (counters->is_known() && counters->size() > 0) send_counter(counters->root.parent);
}

/// The State of a case that another process ran.
inline void finish_state(GoogleState* state) {
  restart(state, 1);
  state->flags[0] = state->flags[1] = 1;
  state->complexity_n = CaseProcess::complexity();
}

inline void send_text(const char* word, const char* text, unsigned long size) {
  Line line;
  line.text(word).number(Cases::all().index()).hex(text, size).send();
}

/// The library compares the iterations of repetitions, and runs a case until they are many enough.
inline void show_iterations(void* state) {
  auto* seen = static_cast<GoogleState*>(state);
  seen->max_iterations = Cases::all().shown_iterations();
  seen->batch_leftover = 0;
}

/// Whether a call with these arguments hands the State that was made last to the user's code.
__attribute__((target("general-regs-only"))) inline bool is_google_function(const void* first, const void* second) {
  return google().state && google().in_function == 0 && (first == google().state || second == google().state);
}

/// Calls it once for each step when the case is due, and as the library asked.
inline void* call_google_function(OrigFn original, void* first, void* second) {
  auto* seen = static_cast<GoogleState*>(const_cast<void*>(google().state));
  Cases& cases = Cases::all();
  void* result = nullptr;
  bool runs = true;
  ++google().in_function;
  if (google().is_due && seen->max_iterations == 1) {
    google().is_due = false;
    const CaseProcess::Role role = CaseProcess::begin(cases);
    google().is_apart = role == CaseProcess::kParent;
    for (long step = kWarmUp; runs && !google().is_apart && step <= kMany; ++step) {
      restart(seen, cases.begin_step(step));
      result = call_original(original, first, second);
      runs = !is_skipped(seen);
      if (step == kWarmUp && !google().unknown_layout) send_facts(seen);
    }
    if (role == CaseProcess::kChild) CaseProcess::finish();
    if (runs) restart(seen, 1);
    cases.pass();
  }
  if (google().is_apart) {
    finish_state(seen);
    runs = false;
  }
  if (runs) result = call_original(original, first, second);
  --google().in_function;
  google().state = nullptr;
  if (google().unknown_layout || seen->max_iterations != cases.iterations()) return result;
  if (seen->complexity_n > 0) Line().text("complexity").number(cases.index()).number(seen->complexity_n).send();
  show_iterations(seen);
  return result;
}

}  // namespace icount_hooks

extern "C" {

// benchmark::State::State(long, std::vector<long> const&, int, int, ThreadTimer*, ThreadManager*, ...): up to 1.7.
void ICOUNT_WRAP(ZuZZN9benchmark5StateC2ElRKZaE)(void* state, long iterations, void* ranges, long thread, long threads,
                                                 void* timer, void* manager, void* counters) {
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  iterations = icount_hooks::begin_google_call(state, iterations, ranges, static_cast<int>(threads), manager);
  unsigned long none;
  CALL_FN_W_8W(none, original, state, iterations, ranges, thread, threads, timer, manager, counters);
  (void)none;
}

// benchmark::State::State(std::string, long, std::vector<long> const&, int, int, ...): since 1.8.
void ICOUNT_WRAP(ZuZZN9benchmark5StateC2ENSZaE)(void* state, void* name, long iterations, void* ranges, long thread,
                                                long threads, void* timer, void* manager, void* counters,
                                                void* profiler) {
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  iterations = icount_hooks::begin_google_call(state, iterations, ranges, static_cast<int>(threads), manager);
  unsigned long none;
  CALL_FN_W_10W(none, original, state, name, iterations, ranges, thread, threads, timer, manager, counters, profiler);
  (void)none;
}

void ICOUNT_WRAP(ZuZZN9benchmark5State16StartKeepRunningEv)(void* state) {
  using namespace icount_hooks;
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  icount_hooks::call_original(original, state);
  const auto* seen = static_cast<const GoogleState*>(state);
  if (Cases::all().measuring() && seen->max_iterations != Cases::all().iterations()) {
    Line().text("layout").number(seen->max_iterations).number(Cases::all().iterations()).send();
    google().unknown_layout = true;
    return;
  }
  Cases::all().enter();
}

void ICOUNT_WRAP(ZuZZN9benchmark5State17FinishKeepRunningEv)(void* state) {
  using namespace icount_hooks;
  const bool measured = Cases::all().in_region();
  Cases::all().leave();
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  icount_hooks::call_original(original, state);
  const auto* seen = static_cast<const GoogleState*>(state);
  if (google().unknown_layout || seen->max_iterations != Cases::all().iterations()) return;
  if (measured) {
    Cases::all().ran(seen->max_iterations, seen->batch_leftover);
    Cases::all().report();
  }
  if (google().in_function == 0) show_iterations(state);
}

void ICOUNT_WRAP(ZuZZN9benchmark5State11PauseTimingEv)(void* state) {
  OrigFn original;
  icount_hooks::Cases::all().pause();
  VALGRIND_GET_ORIG_FN(original);
  icount_hooks::call_original(original, state);
}

void ICOUNT_WRAP(ZuZZN9benchmark5State12ResumeTimingEv)(void* state) {
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  icount_hooks::call_original(original, state);
  icount_hooks::Cases::all().resume();
}

// What a case says in a process of its own. Versions up to 1.7 take a C text.
#define ICOUNT_WRAP_TEXT(name, word, is_string)                                                           \
  void ICOUNT_WRAP(name)(void* state, void* said) {                                                       \
    OrigFn original;                                                                                      \
    VALGRIND_GET_ORIG_FN(original);                                                                       \
    const char* const text = is_string ? *static_cast<char**>(said) : static_cast<char*>(said);           \
    if (text && icount_hooks::CaseProcess::is_child()) icount_hooks::send_text(word, text, strlen(text)); \
    icount_hooks::call_original(original, state, said);                                                   \
  }
ICOUNT_WRAP_TEXT(ZuZZN9benchmark5State8SetLabelEPKc, "label", false)
ICOUNT_WRAP_TEXT(ZuZZN9benchmark5State8SetLabelERKNSZaE, "label", true)
ICOUNT_WRAP_TEXT(ZuZZN9benchmark5State13SkipWithErrorEPKc, "error", false)
ICOUNT_WRAP_TEXT(ZuZZN9benchmark5State13SkipWithErrorERKNSZaE, "error", true)
ICOUNT_WRAP_TEXT(ZuZZN9benchmark5State15SkipWithMessageERKNSZaE, "skipped", true)

// The functions that get the State: the user's own, the function behind a capture's lambda, LambdaBenchmark<F>::Run and
// Fixture::Run. Others of such a name may have up to six arguments, and others in floating-point registers, which these
// hooks leave alone.
#define ICOUNT_WRAP_FUNCTION(name)                                                                                  \
  __attribute__((target("general-regs-only"))) void* ICOUNT_WRAP(name)(void* a, void* b, void* c, void* d, void* e, \
                                                                       void* f) {                                   \
    OrigFn original;                                                                                                \
    VALGRIND_GET_ORIG_FN(original);                                                                                 \
    if (icount_hooks::is_google_function(a, b)) return icount_hooks::call_google_function(original, a, b);          \
    void* result;                                                                                                   \
    CALL_FN_W_6W(result, original, a, b, c, d, e, f);                                                               \
    return result;                                                                                                  \
  }
ICOUNT_WRAP_FUNCTION(ZuZZZaRN9benchmark5StateE)
ICOUNT_WRAP_FUNCTION(ZuZZZaRN9benchmark5StateEEZuZaZuFUNESZaZu)
ICOUNT_WRAP_FUNCTION(ZuZZN9benchmarkZa3RunERNSZuZaStateE)
ICOUNT_WRAP_FUNCTION(ZuZZN9benchmark8internal15LambdaBenchmarkZa3RunESZaZu)

}  // extern "C"
