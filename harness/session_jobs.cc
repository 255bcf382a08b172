#include "icount/harness/session_jobs.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/base/text.h"
#include "icount/harness/stub_protocol.h"

namespace icount {
namespace {

/// The stub has room for 64 children.
constexpr size_t kMostInFlight = 48;

/// "job 3 rest" -> "job", 3, " rest".
struct NumberedLine {
  std::string_view verb;
  int64_t id = 0;
  std::string_view rest;
};
std::optional<NumberedLine> take_apart(std::string_view line) {
  const size_t verb = line.find(' ');
  if (verb == std::string_view::npos) return std::nullopt;
  const size_t end = std::min(line.find(' ', verb + 1), line.size());
  const auto id = parse_int64(line.substr(verb + 1, end - verb - 1));
  if (!id) return std::nullopt;
  return NumberedLine{line.substr(0, verb), *id, line.substr(end)};
}

}  // namespace

std::string SessionJobs::submit(int client, int64_t id, std::string_view words) {
  jobs_[next_] = {client, id, words.find(" benchmark=empty") == std::string_view::npos};
  return fmt::format("job {}{}", next_++, words);
}

std::optional<std::string> SessionJobs::take_request(int client, std::string_view line) {
  const auto request = take_apart(line);
  if (!request) return std::nullopt;
  if (request->verb == "cancel") {
    for (const auto& [own, job] : jobs_)
      if (job.client == client && job.id == request->id) return fmt::format("cancel {}", own);
    return std::nullopt;
  }
  if (request->verb != "job") return std::nullopt;
  if (jobs_.size() < kMostInFlight && waiting_.empty()) return submit(client, request->id, request->rest);
  waiting_.emplace_back(client, line);
  return std::nullopt;
}

std::optional<std::string> SessionJobs::next_waiting() {
  if (waiting_.empty() || jobs_.size() >= kMostInFlight) return std::nullopt;
  const auto [client, line] = std::move(waiting_.front());
  waiting_.pop_front();
  const auto request = take_apart(line);
  return submit(client, request->id, request->rest);
}

std::optional<SessionJobs::Answer> SessionJobs::take_reply(const std::string& line) {
  constexpr std::string_view kRefused = "error job\\x20";
  Answer answer;
  std::string_view rest;
  std::string verb;
  int64_t own = -1;
  if (line.starts_with(kRefused)) {  // "error job\x203:\x20why"
    const size_t colon = line.find(':');
    own = parse_int64(std::string_view(line).substr(kRefused.size(), colon - kRefused.size())).value_or(-1);
    answer.ended = true;
  } else if (const auto reply = take_apart(line)) {
    verb = reply->verb;
    own = reply->id;
    rest = reply->rest;
    answer.ended = verb == "ended";
  }
  const auto job = jobs_.find(own);
  if (job == jobs_.end()) return std::nullopt;
  answer.client = job->second.client;
  answer.line = verb.empty() ? line : fmt::format("{} {}{}", verb, job->second.id, rest);
  if (verb == "ended") {
    const JobOutcome outcome = parse_ended(parse_reply(line));
    answer.pid = outcome.pid;
    answer.done = outcome.status == JobStatus::kDone && job->second.of_statement;
  }
  if (answer.ended) jobs_.erase(job);
  return answer;
}

std::vector<std::string> SessionJobs::forget(int client) {
  std::erase_if(waiting_, [&](const auto& entry) { return entry.first == client; });
  std::vector<std::string> lines;
  for (auto& [own, job] : jobs_) {
    if (job.client != client) continue;
    job.client = -1;
    lines.push_back(fmt::format("cancel {}", own));
  }
  return lines;
}

}  // namespace icount
