#include "icount/harness/session_spec.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/harness/stub_protocol.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".socket";
constexpr std::string_view kName = "the description of a server";

std::vector<std::string> texts(const Json& json, std::string_view key) {
  return json_field(json, key, kName).get<std::vector<std::string>>();
}
std::string text(const Json& json, std::string_view key) { return json_field(json, key, kName).get<std::string>(); }

}  // namespace

std::string session_spec_to_text(const SessionSpec& spec) {
  Json watched = Json::array();
  for (const fs::path& file : spec.watched) watched.push_back(file.string());
  const Json json = {{"key", spec.key},
                     {"description", spec.description},
                     {"socket", spec.socket.string()},
                     {"launcher", spec.launcher},
                     {"program", spec.program},
                     {"environment", spec.environment},
                     {"working_dir", spec.working_dir.string()},
                     {"disable_aslr", spec.disable_aslr},
                     {"watched", std::move(watched)},
                     {"list_watched", spec.list_watched},
                     {"idle_seconds", spec.idle_seconds}};
  return dump_json(json, -1);
}

SessionSpec parse_session_spec(std::string_view json) {
  const Json fields = parse_json(json, kName);
  try {
    SessionSpec spec;
    spec.key = text(fields, "key");
    spec.description = text(fields, "description");
    spec.socket = text(fields, "socket");
    spec.launcher = texts(fields, "launcher");
    spec.program = texts(fields, "program");
    spec.environment = texts(fields, "environment");
    spec.working_dir = text(fields, "working_dir");
    spec.disable_aslr = json_field(fields, "disable_aslr", kName).get<bool>();
    for (const std::string& file : texts(fields, "watched")) spec.watched.emplace_back(file);
    spec.list_watched = texts(fields, "list_watched");
    spec.idle_seconds = json_field(fields, "idle_seconds", kName).get<double>();
    return spec;
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::kMalformed, fmt::format("{}: {}", kName, error.what()));
  }
}

fs::path session_folder(const Environment& environment, const fs::path& cache_dir) {
  const std::string runtime = environment.get("XDG_RUNTIME_DIR").value_or("");
  return runtime.starts_with('/') ? fs::path(runtime) / "icount" : cache_dir / "run";
}

fs::path session_socket(const fs::path& folder, std::string_view key) {
  return folder / fmt::format("{}{}", key, kExtension);
}

void make_session_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    throw Error(ErrorKind::kIo, fmt::format("cannot make the folder {}: {}", folder.string(), errno_text(errno)));
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    throw Error(ErrorKind::kIo, fmt::format("{} is not a folder", folder.string()));
  if (status.st_uid != ::geteuid())
    throw Error(ErrorKind::kIo,
                fmt::format("the folder {} belongs to user {}, not to this one", folder.string(), status.st_uid));
  if ((status.st_mode & 077) != 0)
    throw Error(ErrorKind::kIo, fmt::format("the folder {} is open to others (mode {:04o}); chmod 700 it",
                                            folder.string(), status.st_mode & 07777));
}

std::vector<fs::path> list_session_sockets(const fs::path& folder) {
  std::vector<fs::path> sockets;
  for (const fs::path& entry : folder_entries(folder))
    if (entry.extension() == kExtension) sockets.push_back(entry);
  return sockets;
}

SessionUse session_use(const Environment& environment) {
  const std::string word = environment.get("ICOUNT_SERVER").value_or("");
  if (word == "off") return SessionUse::kOff;
  if (word == "find") return SessionUse::kFind;
  if (word == "on") return SessionUse::kStart;
  if (!word.empty())
    throw Error(ErrorKind::kUsage, fmt::format("ICOUNT_SERVER is '{}'; it must be on, find or off", word));
  const std::string ci = environment.get("CI").value_or("");
  return ci.empty() || ci == "0" || ci == "false" ? SessionUse::kStart : SessionUse::kOff;
}

double session_idle_seconds(const Environment& environment) {
  constexpr double kDefault = 300;
  const std::string word = environment.get("ICOUNT_SERVER_IDLE").value_or("");
  if (word.empty()) return kDefault;
  char* end = nullptr;
  const double seconds = std::strtod(word.c_str(), &end);
  if (*end != 0 || !(seconds > 0) || seconds > 1e9)
    throw Error(ErrorKind::kUsage, fmt::format("ICOUNT_SERVER_IDLE is '{}'; it must be a number of seconds", word));
  return seconds;
}

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
