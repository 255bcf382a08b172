#include "icount/inputs/measure_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/harness/build_cache.h"
#include "icount/timer/case_memory.h"
#include "icount/timer/count_program.h"
#include "icount/timer/count_results.h"

namespace icount {
namespace {

constexpr double kSlowSeconds = 2;

[[noreturn]] void fail_limit(const std::string& what, int64_t limit) {
  throw Error(ErrorKind::kIo,
              fmt::format("{}: more than the {} bytes that --stdin-limit allows", what, with_thousands(limit)));
}

/// Whether bytes may come: no terminal, and open at all.
bool is_fed(int descriptor) {
  struct stat info {};
  return ::fstat(descriptor, &info) == 0 && ::isatty(descriptor) == 0;
}

void write_all(int fd, const char* bytes, size_t size, const std::filesystem::path& path) {
  while (size > 0) {
    const ssize_t n = ::write(fd, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw Error(ErrorKind::kIo, fmt::format("{}: cannot be written: {}", path.string(), errno_text(errno)));
    bytes += n;
    size -= static_cast<size_t>(n);
  }
}

}  // namespace

ProgramInput::ProgramInput(const ProgramInputOptions& options) {
  if (options.file.empty()) {
    if (is_fed(options.descriptor)) spool(options);
    return;
  }
  struct stat info {};
  const Descriptor file = open_descriptor(options.file, O_RDONLY);
  if (::fstat(file.get(), &info) == 0 && S_ISDIR(info.st_mode))
    throw Error(ErrorKind::kIo, options.file + ": is a folder, not input for a program");
  if (S_ISREG(info.st_mode) && info.st_size > options.limit) fail_limit(options.file, options.limit);
  if (S_ISREG(info.st_mode)) {
    path_ = std::filesystem::absolute(options.file);
    return;
  }
  ProgramInputOptions from_device = options;
  from_device.descriptor = file.get();
  spool(from_device);
}

void ProgramInput::spool(const ProgramInputOptions& options) {
  using Clock = std::chrono::steady_clock;
  folder_.emplace();
  const std::filesystem::path path = folder_->path() / "stdin";
  const Descriptor out = open_descriptor(path, O_WRONLY | O_CREAT | O_EXCL);
  std::vector<char> buffer(1 << 16);
  const auto start = Clock::now();
  int64_t have = 0;
  bool told = false;
  while (true) {
    pollfd entry{options.descriptor, POLLIN, 0};
    const int ready = ::poll(&entry, 1, 100);
    const double waited = std::chrono::duration<double>(Clock::now() - start).count();
    if (options.cancelled && options.cancelled())
      throw Error(ErrorKind::kIo, "interrupted while reading standard input");
    if (options.time_limit_s > 0 && waited >= options.time_limit_s)
      throw Error(ErrorKind::kIo, fmt::format("standard input did not end within {:.3g} s; --timeout sets the limit, "
                                              "</dev/null gives the program an empty input",
                                              options.time_limit_s));
    if (ready == 0 && !told && waited >= kSlowSeconds && options.say) {
      told = true;
      options.say("reading standard input to its end; </dev/null gives the program an empty one");
    }
    if (ready <= 0) continue;
    const ssize_t n = ::read(options.descriptor, buffer.data(), buffer.size());
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0) throw Error(ErrorKind::kIo, fmt::format("standard input: cannot be read: {}", errno_text(errno)));
    if (n == 0) break;
    have += n;
    if (have > options.limit) fail_limit("standard input", options.limit);
    write_all(out.get(), buffer.data(), static_cast<size_t>(n), path);
  }
  if (have > 0) path_ = path;
}

namespace {

ProgramCountOptions make_options(const MeasureProgramOptions& options, CommandContext& context) {
  ProgramCountOptions count;
  count.pins = options.pins;
  count.environment = context.environment;
  count.time_limit = Seconds(options.time_limit_s);
  count.inherit_output = false;
  count.cancelled = context.cancelled;
  count.stacks = options.stacks;
  count.follow_children = options.children != Children::kNone;
  count.per_thread = options.per_thread;
  count.within = options.within;
  count.only_marked = options.only_marked;
  count.input_file = options.input_file;
  count.callgrind_options = options.callgrind_options;
  count.working_dir = options.working_dir;
  count.keep_insides = options.jumps;
  count.code = options.code;
  count.keep_lines = true;  // a later diff proves inlining moves by lines
  if (options.reuse) count.cache_dir = default_cache_dir(context.environment);
  return count;
}

/// What the program printed, said when the beginning of much output is gone.
void pass_output(const ProcessOutcome& outcome, CommandContext& context) {
  if (outcome.output_cut)
    context.warn(fmt::format("the program printed more than {} bytes on a stream; the last ones follow",
                             with_thousands(static_cast<int64_t>(ProcessSpec{}.max_output_bytes))));
  context.err << outcome.output << outcome.errors;
}

}  // namespace

std::vector<Result> measure_program(const MeasureProgramOptions& options, CommandContext& context) {
  std::vector<ProgramCount> counted;
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    counted.push_back(count_program(options.argv, make_options(options, context)));
    pass_output(counted.back().outcome, context);
    if (!ended_with(counted.back().outcome, options.expected_end)) break;
  }
  const bool is_done = ended_with(counted.back().outcome, options.expected_end);
  if (const Chance& chance = counted.back().chance;
      options.again_by_chance && options.repeats == 1 && is_done && !chance.sources.empty() && !chance.changes_files) {
    ProgramCountOptions again = make_options(options, context);
    again.cache_dir.clear();
    ProgramCount second = count_program(options.argv, again);
    if (ended_with(second.outcome, options.expected_end)) counted.push_back(std::move(second));
  }
  std::optional<ProgramMemory> memory;
  if (options.memory && is_done)
    memory = measure_memory(options.argv, make_options(options, context), counted.back(), options.expected_end);
  ProgramResults results =
      make_program_results(options.argv, std::move(counted), options.children != Children::kNone, options.expected_end);
  if (memory) {
    Result& measured = results.regions.empty() ? results.whole : results.regions[0];
    if (!memory->use)
      measured.notes.push_back(memory->unknown);
    else if (results.regions.empty())
      add_memory_figures(*memory->use, measured);
    else
      measured.notes.push_back(fmt::format("the whole program allocates {} bytes, at most {} at a time",
                                           with_thousands(memory->use->bytes),
                                           with_thousands(memory->use->peak_bytes)));
    if (results.whole.processes.size() > 1)
      measured.notes.push_back("--memory measures the heap of the first process only");
  }
  for (Result& region : results.regions)
    region.label.insert(region.label.begin(), options.label.begin(), options.label.end());
  results.whole.label = options.label;
  if (!results.regions.empty()) return std::move(results.regions);
  if (options.children == Children::kSplit && !results.whole.processes.empty()) return split_processes(results.whole);
  return {std::move(results.whole)};
}

}  // namespace icount
