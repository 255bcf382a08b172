// The words of the stub protocol (docs/stub_protocol.md) as values: jobs out, replies in. Pure; harness/stub_client
// carries them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

inline constexpr int kStubProtocolVersion = 1;
inline constexpr int kStubRequestDescriptor = 3;
inline constexpr int kStubReplyDescriptor = 4;
/// StubJob::benchmark of the region without a statement.
inline constexpr int64_t kEmptyBenchmark = -1;

enum class JobMode { kDry, kWall, kCallgrind, kToggle };

struct StubJob {
  int64_t id = 0;
  int64_t benchmark = 0;
  JobMode mode = JobMode::kDry;
  int64_t number = 1;
  int64_t warmup = -1;  ///< -1: the server's default, min(number, 10)
  int64_t then = 0;
  int64_t repeats = 1;
  int threads = 1;
  double limit_seconds = 0;
  bool per_thread = false;  ///< a part for every thread at each marker; wants --separate-threads=yes
  bool align = true;        ///< the child's stack begins at a multiple of 64 kB
  std::string program{};    ///< a file that holds the benchmark, when the server itself does not (feature "load")
  bool objects = false;     ///< also say which shared objects are loaded at the job's end
};

/// How the server says a child ended.
enum class JobStatus { kDone, kThrew, kSignal, kExited, kTimeout, kCancelled, kForked, kUnfit };

/// A shared object of a measured process.
struct LoadedObject {
  std::string path;      ///< as the loader has it
  std::string build_id;  ///< in hex, as it lies in memory; empty: it has none
};

/// A Python function that has machine code of its own in the measured process (stubs/python_recording.py).
struct CompiledFunction {
  uint64_t address = 0;  ///< of its code; 0: there is none, and `name` says why
  int64_t line = 0;      ///< where its definition begins
  std::string file;
  std::string name;
};

struct JobOutcome {
  int64_t id = 0;
  int pid = 0;
  JobStatus status = JobStatus::kDone;
  int signal = 0;
  int code = 0;
  std::string note;    ///< an exception's message, "returned", how many processes were made
  std::string phase;   ///< setup, warmup, region, end
  std::string output;  ///< tail of what it printed
  int64_t output_bytes = 0;
  double seconds = 0;                       ///< wall mode
  std::string device;                       ///< "cuda" when a dry or wall run made a context there; empty otherwise
  bool prepared = false;                    ///< it began with a snapshot, not with its set-up
  bool unlinked_code = false;               ///< at its end memory of a memfd or a deleted file was mapped as code
  bool multi_threaded = false;              ///< when the region began, the process had had a second thread
  int64_t stray_bytes = 0;                  ///< that the statement wrote to the descriptor of its reports
  std::vector<LoadedObject> objects;        ///< when StubJob::objects asked for them
  std::vector<CompiledFunction> functions;  ///< of servers that record Python calls
};

struct StubHello {
  int version = 0;
  int pid = 0;
  int64_t benchmarks = 0;
  std::string language;
  bool valgrind = false;
  std::vector<std::string> features;
  std::string cpu;       ///< processor features that the program sees: "sse4.2,avx,avx2"
  int lost_threads = 0;  ///< threads that global set-ups started; children do not have them

  bool has(std::string_view feature) const;
};

/// What is said when global set-ups started threads; empty when they did not. `measured`: "counted", "timed".
std::string describe_lost_threads(int lost_threads, std::string_view measured);

/// A line taken apart: verb, positional words, key=value words; \xNN undone in all of them.
struct StubReply {
  std::string verb;
  std::vector<std::string> words;
  std::map<std::string, std::string> keys;
};

/// One word in the protocol's escaping.
std::string escape_word(std::string_view text);

/// Error{kTool} naming the line when an escape is damaged.
StubReply parse_reply(std::string_view line);

/// Error{kTool} when the line is no hello or speaks another version of the protocol.
StubHello parse_hello(std::string_view line);

/// From a reply with the verb "object".
LoadedObject parse_object(const StubReply& reply);

/// From a reply with the verb "function"; one without a name for a damaged line.
CompiledFunction parse_function(const StubReply& reply);

/// From a reply with the verb "ended"; Error{kTool} for an unknown status.
JobOutcome parse_ended(const StubReply& reply);

/// "job 3 benchmark=0 mode=callgrind ...", without LF.
std::string make_job_line(const StubJob& job);

/// One line for people: "ended by signal 11 (SIGSEGV) in the region", "threw std::runtime_error: no".
std::string describe_job_end(const JobOutcome& outcome, double limit_seconds);

}  // namespace icount
