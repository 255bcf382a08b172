// A wall-clock session: one child takes over both descriptors and talks with the client itself.
#pragma once

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stub_child.h"
#include "stub_device.h"
#include "stub_line.h"
#include "stub_objects.h"
#include "stub_progress.h"
#include "stub_threads.h"

namespace icount_stub {

/// What a statement prints in a session goes to the server's log; without a limit a talkative one would fill the
/// disk.
inline void empty_long_log() {
  constexpr off_t kMost = 1 << 20;
  struct stat log;
  if (fstat(1, &log) == 0 && S_ISREG(log.st_mode) && log.st_size > kMost && ftruncate(1, 0) != 0) return;
}

/// The region of a block begins: what the device does until here is not its own.
inline void note_phase(const char* line) {
  if (strcmp(line, "phase region") == 0) device_block().begin();
}

/// Runs a block whose clock waits for the device; false where the statement's child is to end.
inline bool run_device_block(const Job& job) {
  Progress& now = progress();
  now.quiet = false;
  now.on_report = note_phase;
  const bool good = run_aligned(job);
  now.on_report = nullptr;
  now.quiet = true;
  if (good && device_block().end()) now.seconds = now_seconds() - now.begun;
  return good;
}

/// The child of a wall-clock session talks with the client itself.
[[noreturn]] inline void run_session(Job job) {
  static LineReader requests;
  progress().quiet = true;
  report("phase region");
  if (job.threads != 1) ICOUNT_STUB_SET_THREADS(job.threads);
  if (job.objects)
    for_each_object([&job](const char* path, const char* id) {
      reply_line().add("object %" PRId64 " %s ", job.id, id);
      reply_line().add_escaped(path, static_cast<int>(strlen(path))).send(kReplies);
    });
  reply_line().add("ready %" PRId64, job.id).send(kReplies);
  while (requests.fill(kRequests)) {
    for (char* line; (line = requests.next());) {
      if (strncmp(line, "run ", 4) != 0) {
        report("done");
        _exit(0);
      }
      job.mode = Mode::kWall;
      job.number = strtoll(line + 4, nullptr, 10);
      job.warmup = find_number(line, "warmup", 1);
      job.cold_bytes = find_number(line, "cold", 0);
      Progress& now = progress();
      now.job = job;
      empty_long_log();
      const bool waits = find_number(line, "device", 0) != 0;
      if (!(waits ? run_device_block(job) : run_aligned(job))) _exit(1);
      reply_line().add("seconds %" PRId64 " %" PRId64 " %.17g", job.id, job.number, now.seconds);
      if (has_cuda_context()) reply_line().add(" device=cuda");
      if (waits && device_block().event_seconds() >= 0)
        reply_line().add(" event_seconds=%.17g", device_block().event_seconds());
      reply_line().send(kReplies);
    }
  }
  _exit(0);
}

}  // namespace icount_stub
