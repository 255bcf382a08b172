// A measurement that the client asks for: the words of a `job` request as a value (docs/stub_protocol.md).
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "stub_benchmark.h"
#include "stub_line.h"

namespace icount_stub {

constexpr int kEmptyBenchmark = -1;
constexpr int kNoBenchmark = -2;

enum class Mode { kDry, kWall, kCallgrind, kToggle };

struct Job {
  int64_t id = 0;
  int benchmark = kNoBenchmark;
  Registration* registration = nullptr;  // looked up before the fork: the way through the list is in no child's count
  Mode mode = Mode::kDry;
  int64_t number = 1;
  int64_t warmup = 0;
  int64_t then = 0;
  int64_t repeats = 1;
  int64_t cold_bytes = 0;  // wall: so many bytes are walked through before each run, which is timed alone; 0: warm
  int threads = 1;
  double limit = 0;
  bool align = true;
  bool per_thread = false;  // callgrind: a part for every thread at each marker
  bool objects = false;     // says at its end what is loaded

  /// A count's set-up and warm-up run with one thread; then the threads asked for are set, and it is warmed up again.
  bool sets_threads_late() const { return threads != 1 && mode == Mode::kCallgrind; }
};

/// `words` are the request without its verb: the id, then key=value words.
inline Job parse_job(const char* words) {
  Job job;
  job.id = strtoll(words, nullptr, 10);
  const char* benchmark = find_key(words, "benchmark", "");
  job.benchmark = value_is(benchmark, "empty") ? kEmptyBenchmark : *benchmark ? atoi(benchmark) : kNoBenchmark;
  const char* mode = find_key(words, "mode", "dry");
  job.mode = value_is(mode, "callgrind") ? Mode::kCallgrind
             : value_is(mode, "toggle")  ? Mode::kToggle
             : value_is(mode, "wall")    ? Mode::kWall
                                         : Mode::kDry;
  job.number = find_number(words, "number", 1);
  job.warmup = find_number(words, "warmup", job.number < 10 ? job.number : 10);
  job.then = job.mode == Mode::kCallgrind ? find_number(words, "then", 0) : 0;
  job.repeats = find_number(words, "repeats", 1);
  job.threads = static_cast<int>(find_number(words, "threads", 1));
  job.align = find_number(words, "align", 1) != 0;
  job.per_thread = find_number(words, "per_thread", 0) != 0;
  job.objects = find_number(words, "objects", 0) != 0;
  job.limit = strtod(find_key(words, "limit", "0"), nullptr);
  return job;
}

}  // namespace icount_stub
