// A child in flight, as the server sees it: its pipes, the end of what it printed, what it reported, its time limit,
// and how it ended.
#pragma once

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <initializer_list>

#include "stub_job.h"
#include "stub_line.h"
#include "stub_progress.h"
#include "stub_reports.h"

namespace icount_stub {

constexpr int kTail = 2000;  // bytes of a child's output that go into its reply
constexpr double kGraceSeconds = 1.0;

class Slot {
 public:
  bool is_free() const { return pid_ == 0; }
  bool is_session() const { return session_; }
  pid_t pid() const { return pid_; }
  int output() const { return output_; }
  int report() const { return report_; }
  int64_t job_id() const { return job_.id; }

  /// Takes the child in. `output` and `report` are our ends of its pipes; output is -1 in a session.
  void take(const Job& job, bool session, pid_t child, int output, int report) {
    job_ = job;
    session_ = session;
    pid_ = child;
    output_ = output;
    report_ = report;
    ends_at_ = job.limit > 0 ? now_seconds() + job.limit : 0;
    killed_at_ = 0;
    cancelled_ = false;
    output_bytes_ = 0;
    tail_used_ = 0;
    reports_.clear();
    for (const int fd : {output, report})
      if (fd >= 0) fcntl(fd, F_SETFL, O_NONBLOCK);
  }

  void close_ends() const {
    if (output_ >= 0) close(output_);
    if (report_ >= 0) close(report_);
  }

  void cancel() {
    if (killed_at_ > 0) return;
    cancelled_ = true;
    terminate();
  }

  /// Reads what has come, keeps the time limit, tells the client of the end. Whether it has ended: then it is free.
  bool look_after() {
    drain();
    const double now = now_seconds();
    if (killed_at_ > 0 && now - killed_at_ >= kGraceSeconds)
      kill(-pid_, SIGKILL);
    else if (killed_at_ == 0 && ends_at_ > 0 && now >= ends_at_)
      terminate();
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
    kill(-pid_, SIGKILL);  // what the statement left running
    drain();
    tell_end(status);
    close_ends();
    pid_ = 0;
    return true;
  }

 private:
  void terminate() {
    killed_at_ = now_seconds();
    kill(-pid_, SIGTERM);
  }

  /// Reads what the child wrote without waiting. A pipe at its end is closed.
  void drain() {
    const auto pass_on = [this](const char* line) {
      if (strncmp(line, "object ", 7) == 0)
        tell_object(line + 7);
      else
        tell_function(line + 9);
    };
    drain(output_, [this](const char* bytes, int size) { keep_tail(bytes, size); });
    drain(report_, [&](const char* bytes, int size) { reports_.take(bytes, size, pass_on); });
  }
  template <typename Take>
  static void drain(int& fd, Take&& take) {
    char buffer[4096];
    for (ssize_t n = 0; fd >= 0 && (n = read(fd, buffer, sizeof buffer)) != -1;) {
      if (n > 0) {
        take(buffer, static_cast<int>(n));
      } else {
        close(fd);
        fd = -1;
      }
    }
  }

  void keep_tail(const char* bytes, int size) {
    output_bytes_ += size;
    if (size > kTail) {
      bytes += size - kTail;
      size = kTail;
    }
    if (tail_used_ + size > 2 * kTail) {
      const int keep = 2 * kTail - size;
      memmove(tail_, tail_ + tail_used_ - keep, static_cast<size_t>(keep));
      tail_used_ = keep;
    }
    memcpy(tail_ + tail_used_, bytes, static_cast<size_t>(size));
    tail_used_ += size;
  }

  /// `object` is "BUILDID PATH".
  void tell_object(const char* object) const {
    const int id = static_cast<int>(strcspn(object, " "));
    const char* path = object + id + (object[id] ? 1 : 0);
    reply_line().add("object %" PRId64 " %.*s ", job_.id, id, object);
    reply_line().add_escaped(path, static_cast<int>(strlen(path))).send(kReplies);
  }

  /// `function` is "ADDRESS LINE FILE NAME"; as one word, for nobody knows here who wrote it.
  void tell_function(const char* function) const {
    reply_line().add("function %" PRId64 " ", job_.id);
    reply_line().add_escaped(function, static_cast<int>(strlen(function))).send(kReplies);
  }

  void tell_end(int status) const {
    Line& line = reply_line();
    line.add("ended %" PRId64 " pid=%d", job_.id, static_cast<int>(pid_));
    const char* note = reports_.forked || reports_.threw || reports_.unfit ? reports_.note : nullptr;
    if (cancelled_ || killed_at_ > 0) note = nullptr;
    if (cancelled_) {
      line.add(" status=cancelled");
    } else if (killed_at_ > 0) {
      line.add(" status=timeout signal=%d", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    } else if (reports_.unfit) {
      line.add(" status=unfit");
    } else if (reports_.forked) {
      line.add(" status=forked");
    } else if (reports_.threw) {
      line.add(" status=threw");
    } else if (WIFSIGNALED(status)) {
      line.add(" status=signal signal=%d", WTERMSIG(status));
    } else if (WEXITSTATUS(status) != 0 || !reports_.done) {
      line.add(" status=exited code=%d", WEXITSTATUS(status));
      if (reports_.returned) note = "returned";
    } else {
      line.add(" status=done");
    }
    if (note) line.add(" note=").add_escaped(note, static_cast<int>(strlen(note)));
    add_details(line);
    line.send(kReplies);
  }

  void add_details(Line& line) const {
    if (*reports_.seconds) line.add(" seconds=%s", reports_.seconds);
    if (*reports_.device) line.add(" device=%s", reports_.device);
    if (reports_.prepared) line.add(" prepared=1");
    if (reports_.unlinked_code) line.add(" unlinked_code=1");
    if (reports_.multi_threaded) line.add(" multi_threaded=1");
    if (reports_.stray_bytes() > 0) line.add(" stray_bytes=%" PRId64, reports_.stray_bytes());
    const char* phase = reports_.done ? "end" : *reports_.phase ? reports_.phase : "setup";
    const int shown = tail_used_ < kTail ? tail_used_ : kTail;
    line.add(" phase=%s output_bytes=%" PRId64 " output=", phase, output_bytes_);
    line.add_escaped(tail_ + tail_used_ - shown, shown);
  }

  Job job_;
  pid_t pid_ = 0;  // 0: free
  int output_ = -1;
  int report_ = -1;
  double ends_at_ = 0;    // SIGTERM then; 0: no limit
  double killed_at_ = 0;  // when we sent SIGTERM
  bool cancelled_ = false;
  bool session_ = false;
  int64_t output_bytes_ = 0;
  char tail_[2 * kTail];
  int tail_used_ = 0;
  Reports reports_;
};

}  // namespace icount_stub
