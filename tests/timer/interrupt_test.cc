// Ctrl-C in the middle of counting: nothing of it stays, neither process nor folder.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "support/places.h"
#include "timer/collect_fixture.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

const std::string kProgram = binary_dir() + "/icount";

/// Command lines of the processes that name `folder`.
std::vector<std::string> processes_that_name(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator("/proc", gone)) {
    try {
      const std::string line = load_text(entry.path() / "cmdline");
      if (line.find(folder.string()) != std::string::npos) found.push_back(line);
    } catch (const std::exception&) {
      // no process, or one that has just ended
    }
  }
  return found;
}

/// icount in a process group of its own, as a shell starts it.
class Running {
 public:
  Running(const fs::path& folder, const std::string& stmt) : log_(folder / "log"), scratch_(folder / "tmp") {
    fs::create_directory(scratch_);
    const fs::path cache = make_collect_options().cache_dir;
    std::vector<std::string> block = {"PATH=/usr/local/bin:/usr/bin:/bin", "TMPDIR=" + scratch_.string(),
                                      "ICOUNT_CACHE=" + cache.string()};
    std::vector<char*> entries;
    for (std::string& entry : block) entries.push_back(entry.data());
    entries.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::setpgid(0, 0);
    ::signal(SIGINT, SIG_DFL);  // a job in the background of a script ignores it
    const int log = ::open(log_.c_str(), O_WRONLY | O_CREAT, 0600);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    ::execle(kProgram.c_str(), kProgram.c_str(), "count", "--no-torch", "--stmt", stmt.c_str(), "--stmt",
             ("int two = 2; icount::keep(two); " + stmt).c_str(), nullptr, entries.data());
    ::_exit(127);
  }
  ~Running() {
    if (pid_ <= 0) return;
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  /// False when it ended, or a minute passed, before its output had `words`.
  bool wait_for(const std::string& words) const {
    for (int i = 0; i < 6000; ++i) {
      if (fs::exists(log_) && load_text(log_).find(words) != std::string::npos) return true;
      if (::waitid(P_PID, static_cast<id_t>(pid_), &ended_, WEXITED | WNOHANG | WNOWAIT) != 0 || ended_.si_pid == pid_)
        return false;
      ::usleep(10000);
    }
    return false;
  }

  std::string log() const { return load_text(log_); }

  void expect_clean_end_by_interrupt() {
    ::kill(-pid_, SIGINT);
    int status = 0;
    EXPECT_EQ(::waitpid(pid_, &status, 0), pid_);
    pid_ = -1;
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status << log();
    EXPECT_TRUE(fs::is_empty(scratch_)) << fs::directory_iterator(scratch_)->path();
    // Children end by the death of their server, which the kernel tells them in its own time.
    std::vector<std::string> left = processes_that_name(scratch_);
    for (int i = 0; i < 500 && !left.empty(); ++i) {
      ::usleep(10000);
      left = processes_that_name(scratch_);
    }
    EXPECT_EQ(left, std::vector<std::string>());
  }

 private:
  fs::path log_;
  fs::path scratch_;
  pid_t pid_ = -1;
  mutable siginfo_t ended_{};
};

TEST(InterruptTest, LeavesNothingBehindWhereverItComes) {
  ICOUNT_NEEDS("valgrind");
  // A text of this process's own, which no cache has.
  const std::string stmt = "std::string s(" + std::to_string(::getpid()) +
                           ", 'x'); icount::keep(s); if (context_is_slow) for (;;) icount::keep(s);";
  struct Moment {
    const char* words;
    int milliseconds;  // after them
  };
  for (const Moment& moment : {Moment{"compiling", 0}, Moment{"compiling", 300}, Moment{"counting", 0},
                               Moment{"counting", 150}, Moment{"counting", 1500}}) {
    SCOPED_TRACE(std::string(moment.words) + " " + std::to_string(moment.milliseconds));
    const ScratchDir folder;
    Running run(folder.path(), "bool context_is_slow = true; icount::keep(context_is_slow); " + stmt);
    ASSERT_TRUE(run.wait_for(moment.words)) << run.log();
    ::usleep(static_cast<useconds_t>(moment.milliseconds) * 1000);
    run.expect_clean_end_by_interrupt();
  }
}

}  // namespace
}  // namespace icount
