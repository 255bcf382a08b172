// Test cases of GoogleTest, Catch2 (versions 2 and 3) and doctest, each in a process of its own, run once. The runner's
// function around a case is where that process begins and ends; the user's bodies within it are the region, one part
// for each where a case runs several times (sections). The parent runs no case.
#pragma once

#include <valgrind/valgrind.h>

#include "bench_child.h"
#include "bench_wrap.h"

namespace icount_hooks {

class TestRun {
 public:
  enum Bodies { kOne, kSeveral };  ///< that a framework calls for a case

  static TestRun& now() {
    static TestRun run;
    return run;
  }

  /// Where a runner begins a case. False where this process does not run it.
  bool begin(const char* name = nullptr, unsigned long size = 0) {
    Cases& cases = Cases::all();
    cases.begin_case(name, size);
    has_body_ = in_body_ = false;
    is_here_ = !plan().is_skipped(cases.index()) && plan().is_measured(cases.index());
    if (is_here_) is_here_ = CaseProcess::begin(cases) != CaseProcess::kParent;
    is_open_ = true;
    return is_here_;
  }

  /// Where it ends; the case's own process does not come back.
  void end() {
    if (is_open_ && is_here_ && has_body_) {
      Cases::all().leave();
      Cases::all().report();
    }
    if (is_open_ && CaseProcess::is_child()) CaseProcess::finish();
    is_open_ = false;
  }

  /// Whether a body that is called now is a case's: not what it calls itself, nor one outside of cases.
  __attribute__((target("general-regs-only"))) bool is_due() const { return is_open_ && !in_body_; }

  /// Calls the case's body where it is run at all.
  void call_body(OrigFn original, void* self, Bodies bodies) {
    if (!is_here_) return;
    Cases& cases = Cases::all();
    in_body_ = true;
    if (has_body_) {
      cases.resume();
    } else {
      has_body_ = true;
      cases.begin_step(kWarmUp);
      cases.enter();
      cases.leave();
      cases.begin_step(kMany);
      cases.enter();
    }
    call_original(original, self);
    if (bodies == kSeveral)
      cases.pause();
    else
      cases.leave();
    in_body_ = false;
  }

  /// What the case said of itself: "error" or "skipped", and why.
  void say(const char* word, const char* text, unsigned long size) {
    if (is_open_ && is_here_) Line().text(word).number(Cases::all().index()).hex(text, size).send();
  }

 private:
  bool is_open_ = false, is_here_ = false, has_body_ = false, in_body_ = false;
};

/// A std::string of libstdc++.
struct Text {
  const char* data;
  unsigned long size;
  char rest[16];
};

/// The beginning of testing::TestInfo, the same since GoogleTest 1.8.1.
struct GoogleTestInfo {
  Text suite, name;
  void *type_parameter, *value_parameter;
  Text file;
  long line;
  const void* fixture;
  unsigned char should_run, is_disabled, matches_filter;

  /// Neither disabled nor left out by a filter; true where it can't be known.
  bool runs() const { return should_run != 0 || is_disabled > 1 || matches_filter > 1; }
};

/// The beginning of testing::TestPartResult.
struct GoogleTestPart {
  enum Type : int { kSuccess, kFailure, kFatalFailure, kSkip } type;
  Text file;
  long line;
  Text summary;
};

inline bool begin_google_test(const GoogleTestInfo* info) {
  char name[2048];
  unsigned long size = 0;
  const auto add = [&](const char* text, unsigned long count) {
    for (unsigned long i = 0; i < count && size < sizeof(name); ++i) name[size++] = text[i];
  };
  add(info->suite.data, info->suite.size);
  add(".", 1);
  add(info->name.data, info->name.size);
  return TestRun::now().begin(name, size);
}

inline void say_that_assertions_failed() {
  constexpr char kText[] = "an assertion failed";
  TestRun::now().say("error", kText, sizeof(kText) - 1);
}

/// RunContext::runTest gives Totals: an error, then how many assertions passed and failed.
inline void* call_catch_test(OrigFn original, void* totals, void* context, void* test, const Text* name) {
  if (!plan().tests) return call_original(original, totals, context, reinterpret_cast<long>(test));
  TestRun::now().begin(name->data, name->size);
  void* const result = call_original(original, totals, context, reinterpret_cast<long>(test));
  if (static_cast<const unsigned long*>(totals)[2] > 0) say_that_assertions_failed();
  TestRun::now().end();
  return result;
}

/// The beginning of doctest::CurrentTestCaseStats, since 2.4.
struct DoctestStats {
  int assertions, failed_assertions;
  double seconds;
  int failure_flags;

  /// Not where the test has to fail, or may.
  bool has_failed() const {
    constexpr int kShouldAndDid = 64, kExactlyAsOften = 256, kCouldAndDid = 512;
    return failure_flags != 0 && (failure_flags & (kShouldAndDid | kExactlyAsOften | kCouldAndDid)) == 0;
  }
};

}  // namespace icount_hooks

extern "C" {

// testing::TestInfo::Run(): the fixture's constructor, SetUp, TestBody, TearDown.
void ICOUNT_WRAP(ZuZZN7testing8TestInfo3RunEv)(void* info) {
  using namespace icount_hooks;
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  const auto* seen = static_cast<const GoogleTestInfo*>(info);
  const bool is_case = plan().tests && seen->runs();
  if (!is_case || begin_google_test(seen)) call_original(original, info);
  if (is_case) TestRun::now().end();
}

// testing::internal::DefaultGlobalTestPartResultReporter::ReportTestPartResult(TestPartResult const&).
void ICOUNT_WRAP(
    ZuZZN7testing8internal35DefaultGlobalTestPartResultReporter20ReportTestPartResultERKNSZuZa14TestPartResultE)(
    void* reporter, void* said) {
  using namespace icount_hooks;
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  const auto* part = static_cast<const GoogleTestPart*>(said);
  if (part->type != GoogleTestPart::kSuccess)
    TestRun::now().say(part->type == GoogleTestPart::kSkip ? "skipped" : "error", part->summary.data,
                       part->summary.size);
  call_original(original, reporter, said);
}

// Catch::RunContext::runTest(TestCase const&), version 2.
void* ICOUNT_WRAP(ZuZZN5Catch10RunContext7runTestERKNSZu8TestCaseE)(void* totals, void* context, void* test) {
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  return icount_hooks::call_catch_test(original, totals, context, test, static_cast<icount_hooks::Text*>(test));
}
// Catch::RunContext::runTest(TestCaseHandle const&), version 3.
void* ICOUNT_WRAP(ZuZZN5Catch10RunContext7runTestERKNSZu14TestCaseHandleE)(void* totals, void* context, void* test) {
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  return icount_hooks::call_catch_test(original, totals, context, test, *static_cast<icount_hooks::Text**>(test));
}

// doctest's XmlReporter writes the names.
void ICOUNT_WRAP(ZuZZN7doctestZaXmlReporter15testZucaseZustartERKNSZu12TestCaseDataE)(void* reporter, void* test) {
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  icount_hooks::call_original(original, reporter, test);
  if (icount_hooks::plan().tests) icount_hooks::TestRun::now().begin();
}
void ICOUNT_WRAP(ZuZZN7doctestZaXmlReporter13testZucaseZuendERKNSZu20CurrentTestCaseStatsE)(void* reporter,
                                                                                            void* stats) {
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  if (static_cast<const icount_hooks::DoctestStats*>(stats)->has_failed()) icount_hooks::say_that_assertions_failed();
  icount_hooks::TestRun::now().end();
  icount_hooks::call_original(original, reporter, stats);
}

// The bodies. Others of such a name are called as they are, up to six arguments.
#define ICOUNT_WRAP_BODY(name, bodies)                                                                              \
  __attribute__((target("general-regs-only"))) void* ICOUNT_WRAP(name)(void* a, void* b, void* c, void* d, void* e, \
                                                                       void* f) {                                   \
    OrigFn original;                                                                                                \
    VALGRIND_GET_ORIG_FN(original);                                                                                 \
    void* result = nullptr;                                                                                         \
    if (icount_hooks::TestRun::now().is_due())                                                                      \
      icount_hooks::TestRun::now().call_body(original, a, icount_hooks::TestRun::bodies);                           \
    else                                                                                                            \
      CALL_FN_W_6W(result, original, a, b, c, d, e, f);                                                             \
    return result;                                                                                                  \
  }
ICOUNT_WRAP_BODY(ZuZZNZa8TestBodyEv, kOne)
ICOUNT_WRAP_BODY(ZuZZNK5CatchZaTestInvokerZa6invokeEv, kSeveral)
ICOUNT_WRAP_BODY(ZuZZLZaDOCTESTZuANONZuFUNCZuZav, kSeveral)
ICOUNT_WRAP_BODY(ZuZZNZaDOCTESTZuANONZuFUNCZuZaEv, kSeveral)
ICOUNT_WRAP_BODY(ZuZZZaDOCTESTZuANONZuTMPZuZaIZaEvv, kSeveral)

}  // extern "C"
