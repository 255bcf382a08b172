#include "icount/harness/stub_client.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "icount/base/disk_room.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/spawn.h"
#include "icount/base/text.h"

namespace icount {
namespace {

constexpr int kPollMilliseconds = 100;
/// Of a line: a job's end with all the output that is kept of it takes a hundredth.
constexpr size_t kMostLineBytes = size_t{16} << 20;

}  // namespace

StubChannel::StubChannel(StubServerSpec spec) : spec_(std::move(spec)) {
  ::signal(SIGPIPE, SIG_IGN);
  Pipe requests, replies;
  const Descriptor nothing = open_descriptor("/dev/null", O_RDONLY);
  const Descriptor log = open_descriptor(spec_.log, O_WRONLY | O_CREAT | O_APPEND);
  SpawnSpec child;
  child.argv = spec_.launcher;
  child.argv.insert(child.argv.end(), spec_.program.begin(), spec_.program.end());
  child.argv.push_back("--icount-serve");
  child.environment = spec_.surroundings.environment.block();
  child.working_dir = spec_.surroundings.working_dir;
  child.disable_aslr = spec_.surroundings.disable_aslr;
  child.descriptors = {{nothing.get(), STDIN_FILENO},
                       {log.get(), STDOUT_FILENO},
                       {log.get(), STDERR_FILENO},
                       {requests.read_end, kStubRequestDescriptor},
                       {replies.write_end, kStubReplyDescriptor}};
  const Spawned spawned = spawn(child);
  pid_ = spawned.pid;
  aslr_refused_ = spawned.aslr_refused;
  std::swap(requests_, requests.write_end);
  std::swap(replies_, replies.read_end);
  Pipe::close_end(requests.read_end);
  Pipe::close_end(replies.write_end);
}

StubChannel::StubChannel(const StubConnection& connection, std::function<bool()> cancelled) {
  ::signal(SIGPIPE, SIG_IGN);
  spec_.log = connection.folder / "log";
  spec_.cancelled = std::move(cancelled);
  aslr_refused_ = connection.aslr_refused;
  requests_ = connection.descriptor;
  replies_ = ::fcntl(connection.descriptor, F_DUPFD_CLOEXEC, 0);
}

void StubChannel::stop() {
  if (pid_ < 0) {  // already reaped
    Pipe::close_end(requests_);
    Pipe::close_end(replies_);
    return;
  }
  for (const int group : child_groups_) ::kill(-group, SIGKILL);
  static constexpr std::string_view kQuit = "quit\n";
  [[maybe_unused]] const auto sent = ::write(requests_, kQuit.data(), kQuit.size());
  Pipe::close_end(requests_);
  // Its end takes milliseconds; a server that hangs gets no more than a tenth of a second.
  for (int i = 0; i < 100 && ::waitpid(pid_, nullptr, WNOHANG) == 0; ++i) {
    if (i == 99) {
      ::kill(-pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    } else {
      ::usleep(1000);
    }
  }
  ::kill(-pid_, SIGKILL);
  Pipe::close_end(replies_);
  pid_ = -1;
}

std::string StubChannel::log_tail(size_t bytes) const {
  try {
    std::string text = load_text(spec_.log);
    if (text.size() > bytes) text.erase(0, text.find('\n', text.size() - bytes));
    return text;
  } catch (const Error&) {
    return {};
  }
}

std::string StubChannel::last_words() const {
  constexpr size_t kMostLines = 5;
  const std::string log = log_tail();
  std::vector<std::string> words;
  for (const std::string_view line : split_lines(log))
    if (!line.starts_with("==") && !trim(line).empty()) words.push_back(escape_for_terminal(trim(line)));
  if (words.size() > kMostLines) words.erase(words.begin(), words.end() - kMostLines);
  return fmt::format("{}", fmt::join(words, "; "));
}

void StubChannel::lose(const std::string& why) {
  if (pid_ < 0) throw StubServerLost(why);  // its log tells of others as well
  const std::string own = fmt::format("=={}==", pid_);
  const std::string log = log_tail();
  std::string words;
  for (const std::string_view line : split_lines(log)) {
    const bool from_child = line.starts_with("==") && !line.starts_with(own);
    if (!from_child && !trim(line).empty()) words = trim(line);
  }
  throw StubServerLost(words.empty() ? why : fmt::format("{}; its last output: {}", why, words));
}

std::string StubChannel::describe_own_end() {
  if (pid_ < 0) return "it ended";
  int status = 0;
  for (int i = 0; i < 100; ++i) {
    const pid_t done = ::waitpid(pid_, &status, WNOHANG);
    if (done == pid_) break;
    ::usleep(1000);
    status = -1;
  }
  if (status == -1) return "it stopped responding";
  for (const int group : child_groups_) ::kill(-group, SIGKILL);
  pid_ = -1;
  return WIFSIGNALED(status)
             ? fmt::format("it was killed by signal {} ({})", WTERMSIG(status), signal_name(WTERMSIG(status)))
             : fmt::format("it exited with status {}", WEXITSTATUS(status));
}

void StubChannel::send(const std::string& line) {
  const std::string bytes = line + "\n";
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::write(requests_, bytes.data() + at, bytes.size() - at);
    if (n < 0 && errno != EINTR) lose("it is gone");
    if (n > 0) at += static_cast<size_t>(n);
  }
}

std::optional<std::string> StubChannel::read_line(Clock::time_point until) {
  while (true) {
    const size_t end = buffer_.find('\n');
    if (end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    if (spec_.cancelled && spec_.cancelled()) throw Error(ErrorKind::kTool, "interrupted");
    pollfd entry{replies_, POLLIN, 0};
    if (::poll(&entry, 1, kPollMilliseconds) > 0) {
      char bytes[1 << 16];
      const ssize_t n = ::read(replies_, bytes, sizeof bytes);
      if (n > 0) buffer_.append(bytes, static_cast<size_t>(n));
      if (buffer_.size() > kMostLineBytes && buffer_.find('\n') == std::string::npos)
        lose("it sent a line without an end");
      if (n == 0) lose(describe_own_end());
    } else if (Clock::now() >= until) {
      return std::nullopt;
    }
  }
}

std::vector<std::string> StubChannel::take_lines() {
  char bytes[1 << 16];
  const ssize_t n = ::read(replies_, bytes, sizeof bytes);
  if (n == 0) lose(describe_own_end());
  if (n > 0) buffer_.append(bytes, static_cast<size_t>(n));
  std::vector<std::string> lines;
  for (size_t end; (end = buffer_.find('\n')) != std::string::npos; buffer_.erase(0, end + 1))
    lines.push_back(buffer_.substr(0, end));
  if (buffer_.size() > kMostLineBytes) lose("it sent a line without an end");
  return lines;
}

namespace {

constexpr int64_t kSessionId = 0;

/// Why a server of our own did not come up: how it ended, what may have ended it, what it printed.
std::string describe_failed_start(const std::string& end, const StubChannel& channel) {
  std::string text = end;
  if (channel.spec().runs_global_setup)
    text += "; the global set-up runs before main and has to finish there, without an exception, exit or abort";
  if (channel.spec().program.empty()) return text;
  const std::string& program = channel.spec().program.front();
  if (const std::string noexec = describe_noexec(program); !noexec.empty())
    text += fmt::format("; {} {}", program, noexec);
  const std::string words = channel.last_words();
  return words.empty() ? text : fmt::format("{}; it printed: {}", text, words);
}

}  // namespace

StubClient::StubClient(StubServerSpec spec) : channel_(std::move(spec)) {
  const Seconds limit = channel_.spec().start_limit;
  read_hello("the stub server did not start: ", fmt::format("no answer for {:g} s", limit.count()));
}

StubClient::StubClient(const StubConnection& connection, std::function<bool()> cancelled)
    : channel_(connection, std::move(cancelled)) {
  read_hello("", "it sent no hello");
}

void StubClient::read_hello(const std::string& failure, const std::string& silence) {
  try {
    const auto line =
        channel_.read_line(Clock::now() + std::chrono::duration_cast<Clock::duration>(channel_.spec().start_limit));
    if (!line) throw StubServerLost(silence);
    hello_ = parse_hello(*line);
  } catch (const StubServerLost& lost) {
    throw Error(ErrorKind::kTool, failure + describe_failed_start(lost.what(), channel_));
  }
}

/// What can't be read says nothing about which job it belongs to: the server is given up, and a new one asked for each
/// job in flight alone.
template <typename Parse>
auto StubClient::understand(Parse&& parse) -> decltype(parse()) {
  try {
    return parse();
  } catch (const Error& error) {
    channel_.lose(error.what());
  }
}

void StubClient::note_reply(const StubReply& reply) {
  const auto pid = reply.keys.find("pid");
  const int group = pid == reply.keys.end() ? 0 : static_cast<int>(parse_int64(pid->second).value_or(0));
  if (reply.verb == "began" && group > 1) channel_.note_child(group);
  if (reply.verb == "ended") channel_.forget_child(group);
}

StubReply StubClient::expect(const std::vector<std::string>& verbs, Seconds limit) {
  const auto until =
      limit.count() > 0 ? Clock::now() + std::chrono::duration_cast<Clock::duration>(limit) : Clock::time_point::max();
  while (true) {
    const auto line = channel_.read_line(until);
    if (!line) channel_.lose(fmt::format("it did not answer for {:g} s", limit.count()));
    StubReply reply = understand([&] { return parse_reply(*line); });
    note_reply(reply);
    if (reply.verb == "object" && !reply.words.empty()) {
      objects_[parse_int64(reply.words[0]).value_or(-1)].push_back(parse_object(reply));
      continue;
    }
    if (reply.verb == "function" && !reply.words.empty()) {
      functions_[parse_int64(reply.words[0]).value_or(-1)].push_back(parse_function(reply));
      continue;
    }
    if (reply.verb == "error")
      channel_.lose(
          fmt::format("it refused: {}", escape_for_terminal(reply.words.empty() ? *line : reply.words.back())));
    if (std::find(verbs.begin(), verbs.end(), reply.verb) != verbs.end()) return reply;
  }
}

JobOutcome StubClient::take_ended(Seconds limit) {
  const StubReply reply = expect({"ended"}, limit);
  return understand([&] { return parse_ended(reply); });
}

void StubClient::start_instrumentation(Seconds limit) {
  channel_.send("start");
  expect({"started"}, limit);
}

void StubClient::prepare(const std::vector<int64_t>& benchmarks, int64_t warmup, Seconds limit) {
  static constexpr size_t kMostBytes = 60000;  // of a line, which the protocol limits
  for (size_t at = 0; at < benchmarks.size();) {
    std::string line = "prepare";
    const size_t first = at;
    for (; at < benchmarks.size() && line.size() < kMostBytes; ++at) line += fmt::format(" {}", benchmarks[at]);
    channel_.send(fmt::format("{} warmup={} limit={:.3f}", line, warmup, limit.count()));
    // The server stops what takes too long; this is for a server that hangs itself.
    const double all = static_cast<double>(at - first) * limit.count();
    expect({"prepared"}, Seconds(limit.count() > 0 ? all + 60 : 0));
  }
}

void StubClient::submit(const StubJob& job) {
  channel_.send(make_job_line(job));
  in_flight_.insert(job.id);
}

JobOutcome StubClient::wait_ended(Seconds limit) {
  JobOutcome outcome = take_ended(limit);
  in_flight_.erase(outcome.id);
  if (const auto objects = objects_.extract(outcome.id)) outcome.objects = std::move(objects.mapped());
  if (const auto functions = functions_.extract(outcome.id)) outcome.functions = std::move(functions.mapped());
  return outcome;
}

void StubClient::begin_session(int64_t benchmark, int threads, Seconds limit) {
  session_end_.reset();
  session_device_.clear();
  begun_block_.clear();
  channel_.send(fmt::format("session {} benchmark={} threads={} objects=1", kSessionId, benchmark, threads));
  const StubReply reply = expect({"ready", "ended"}, limit);
  session_objects_ = std::exchange(objects_[kSessionId], {});
  if (reply.verb == "ended") session_end_ = understand([&] { return parse_ended(reply); });
}

double StubClient::run_block(int64_t number, int64_t warmup, Seconds limit, int64_t cold_bytes, bool another) {
  if (session_end_) throw StubServerLost("the session has ended");
  const std::string request =
      fmt::format("run {} warmup={} cold={}{}", number, warmup, cold_bytes, waits_for_device_ ? " device=1" : "");
  if (!begun_block_.empty() && begun_block_ != request) finish_block(limit);
  if (begun_block_.empty()) channel_.send(request);
  begun_block_ = request;
  if (another) channel_.send(request);
  const double seconds = finish_block(limit);
  if (another) begun_block_ = request;
  return seconds;
}

double StubClient::finish_block(Seconds limit) {
  begun_block_.clear();
  const StubReply reply = expect({"seconds", "ended"}, limit);
  if (reply.verb == "ended") {
    session_end_ = understand([&] { return parse_ended(reply); });
    throw StubServerLost(describe_job_end(*session_end_, limit.count()));
  }
  if (reply.words.size() < 3) channel_.lose("it answered without a time");
  if (const auto device = reply.keys.find("device"); device != reply.keys.end()) session_device_ = device->second;
  const auto events = reply.keys.find("event_seconds");
  event_seconds_ =
      events == reply.keys.end() ? std::nullopt : std::optional(std::strtod(events->second.c_str(), nullptr));
  return std::strtod(reply.words[2].c_str(), nullptr);
}

JobOutcome StubClient::end_session() {
  if (!session_end_ && !begun_block_.empty()) {
    try {
      finish_block(Seconds(20));
    } catch (const StubServerLost&) {
      if (!session_end_) throw;  // else it ended in the block that nobody wanted
    }
  }
  if (!session_end_) {
    channel_.send("end");
    session_end_ = take_ended(Seconds(20));
  }
  JobOutcome outcome = *session_end_;
  session_end_.reset();
  return outcome;
}

}  // namespace icount
