#include "icount/harness/stub_protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "icount/base/error.h"
#include "icount/base/process.h"
#include "icount/base/text.h"
#include "icount/base/text_encodings.h"

namespace icount {
namespace {

std::string unescape_word(std::string_view word, std::string_view line) {
  std::string text;
  for (size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '\\') {
      text += word[i];
      continue;
    }
    const bool whole =
        i + 3 < word.size() && word[i + 1] == 'x' && hex_value(word[i + 2]) >= 0 && hex_value(word[i + 3]) >= 0;
    if (!whole)
      throw Error(ErrorKind::kTool, fmt::format("the stub server sent a damaged line: {}", escape_for_terminal(line)));
    text += static_cast<char>(hex_value(word[i + 2]) * 16 + hex_value(word[i + 3]));
    i += 3;
  }
  return text;
}

std::string_view to_text(JobMode mode) {
  switch (mode) {
    case JobMode::kDry:
      return "dry";
    case JobMode::kWall:
      return "wall";
    case JobMode::kCallgrind:
      return "callgrind";
    case JobMode::kToggle:
      return "toggle";
  }
  return "";
}

JobStatus parse_status(const std::string& text) {
  constexpr std::string_view kNames[] = {"done",    "threw",     "signal", "exited",
                                         "timeout", "cancelled", "forked", "unfit"};
  for (size_t i = 0; i < std::size(kNames); ++i)
    if (text == kNames[i]) return static_cast<JobStatus>(i);
  throw Error(ErrorKind::kTool, fmt::format("the stub server sent an unknown status '{}'", text));
}

std::string key_or(const StubReply& reply, const std::string& key, const std::string& otherwise) {
  const auto at = reply.keys.find(key);
  return at == reply.keys.end() ? otherwise : at->second;
}

int64_t number_or(const StubReply& reply, const std::string& key, int64_t otherwise) {
  return parse_int64(key_or(reply, key, "")).value_or(otherwise);
}

}  // namespace

bool StubHello::has(std::string_view feature) const {
  return std::find(features.begin(), features.end(), feature) != features.end();
}

std::string escape_word(std::string_view text) {
  std::string word;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 32 && byte < 127 && c != '\\')
      word += c;
    else
      word += fmt::format("\\x{:02x}", byte);
  }
  return word;
}

StubReply parse_reply(std::string_view line) {
  StubReply reply;
  for (const std::string_view word : split(line, ' ')) {
    if (word.empty()) continue;
    const size_t equals = word.find('=');
    if (reply.verb.empty())
      reply.verb = word;
    else if (equals == std::string_view::npos)
      reply.words.push_back(unescape_word(word, line));
    else
      reply.keys[std::string(word.substr(0, equals))] = unescape_word(word.substr(equals + 1), line);
  }
  return reply;
}

StubHello parse_hello(std::string_view line) {
  const StubReply reply = parse_reply(line);
  if (reply.verb != "hello" || reply.words.size() < 2 || reply.words[0] != "icount-stub")
    throw Error(ErrorKind::kTool, fmt::format("not a stub server: it answered \"{}\"", escape_for_terminal(line)));
  StubHello hello;
  hello.version = static_cast<int>(parse_int64(reply.words[1]).value_or(0));
  if (hello.version != kStubProtocolVersion)
    throw Error(ErrorKind::kTool,
                fmt::format("the stub speaks version {} of the protocol, this icount version {}; build the stub again",
                            reply.words[1], kStubProtocolVersion));
  hello.pid = static_cast<int>(number_or(reply, "pid", 0));
  hello.benchmarks = number_or(reply, "benchmarks", 0);
  hello.language = key_or(reply, "language", "");
  hello.valgrind = number_or(reply, "valgrind", 0) != 0;
  hello.cpu = key_or(reply, "cpu", "unknown");
  hello.lost_threads = static_cast<int>(number_or(reply, "lost_threads", 0));
  const std::string features = key_or(reply, "features", "");
  for (const std::string_view feature : split(features, ','))
    if (!feature.empty()) hello.features.emplace_back(feature);
  return hello;
}

std::string describe_lost_threads(int lost_threads, std::string_view measured) {
  if (lost_threads <= 0) return {};
  return fmt::format(
      "a global set-up started {}, which {} not {}: statements run in a forked process, which has only the calling "
      "thread; start threads in the set-up",
      counted(lost_threads, "thread"), lost_threads == 1 ? "is" : "are", measured);
}

LoadedObject parse_object(const StubReply& reply) {
  LoadedObject object;
  if (reply.words.size() > 1 && reply.words[1] != "-") object.build_id = reply.words[1];
  if (reply.words.size() > 2) object.path = reply.words[2];
  return object;
}

CompiledFunction parse_function(const StubReply& reply) {
  CompiledFunction function;
  if (reply.words.size() < 2) return function;
  try {
    const std::vector<std::string> words = parse_reply("function " + reply.words[1]).words;
    if (words.size() < 4) return function;
    function.address = std::strtoull(words[0].c_str(), nullptr, 16);
    function.line = parse_int64(words[1]).value_or(0);
    function.file = words[2];
    function.name = words[3];
  } catch (const Error&) {  // the statement wrote to the descriptor of reports
    return {};
  }
  return function;
}

JobOutcome parse_ended(const StubReply& reply) {
  JobOutcome outcome;
  outcome.id = reply.words.empty() ? -1 : parse_int64(reply.words[0]).value_or(-1);
  outcome.pid = static_cast<int>(number_or(reply, "pid", 0));
  outcome.status = parse_status(key_or(reply, "status", ""));
  outcome.signal = static_cast<int>(number_or(reply, "signal", 0));
  outcome.code = static_cast<int>(number_or(reply, "code", 0));
  outcome.note = key_or(reply, "note", "");
  outcome.phase = key_or(reply, "phase", "");
  outcome.output = key_or(reply, "output", "");
  outcome.output_bytes = number_or(reply, "output_bytes", 0);
  outcome.seconds = std::strtod(key_or(reply, "seconds", "0").c_str(), nullptr);
  outcome.device = key_or(reply, "device", "");
  outcome.prepared = number_or(reply, "prepared", 0) != 0;
  outcome.multi_threaded = number_or(reply, "multi_threaded", 0) != 0;
  outcome.unlinked_code = number_or(reply, "unlinked_code", 0) != 0;
  outcome.stray_bytes = number_or(reply, "stray_bytes", 0);
  return outcome;
}

std::string make_job_line(const StubJob& job) {
  std::string line = fmt::format("job {} benchmark={} mode={} number={} threads={} limit={:.3f}", job.id,
                                 job.benchmark == kEmptyBenchmark ? "empty" : fmt::format("{}", job.benchmark),
                                 to_text(job.mode), job.number, job.threads, job.limit_seconds);
  if (job.warmup >= 0) line += fmt::format(" warmup={}", job.warmup);
  if (!job.align) line += " align=0";
  if (job.per_thread) line += " per_thread=1";
  if (job.objects) line += " objects=1";
  if (job.then > 0) line += fmt::format(" then={}", job.then);
  if (!job.program.empty()) line += " program=" + escape_word(job.program);
  if (job.mode == JobMode::kToggle) line += fmt::format(" repeats={}", job.repeats);
  return line;
}

std::string describe_job_end(const JobOutcome& outcome, double limit_seconds) {
  const std::string where = outcome.phase == "setup"    ? " in the set-up"
                            : outcome.phase == "warmup" ? " in the warm-up"
                            : outcome.phase == "region" ? " in the measured region"
                                                        : " at its end";
  switch (outcome.status) {
    case JobStatus::kDone:
      return "done";
    case JobStatus::kThrew:
      return fmt::format("threw {}{}", first_line(outcome.note), where);
    case JobStatus::kSignal:
      return fmt::format("ended by signal {} ({}){}", outcome.signal, signal_name(outcome.signal), where);
    case JobStatus::kExited:
      if (outcome.note == "returned") return "returned out of the measured loop; a statement must not contain a return";
      if (outcome.code == 0 && outcome.stray_bytes > 0)
        return fmt::format(
            "ended without its last report{}: the statement wrote {} bytes to a file descriptor of icount's; write "
            "only to "
            "descriptors that the statement opened",
            where, outcome.stray_bytes);
      return fmt::format("called exit with status {}{}", outcome.code, where);
    case JobStatus::kTimeout:
      return fmt::format("did not finish within {:g} s and was stopped{}; --timeout sets the limit", limit_seconds,
                         where);
    case JobStatus::kCancelled:
      return "interrupted";
    case JobStatus::kForked:
      return first_line(outcome.note) + ", whose work is not counted";
    case JobStatus::kUnfit:
      return first_line(outcome.note);
  }
  return {};
}

}  // namespace icount
