#include "icount/timer/count_google.h"

#include <fmt/format.h>
#include <string>
#include <vector>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/base/text.h"
#include "icount/stats/result.h"
#include "icount/timer/case_memory.h"
#include "icount/timer/google_benchmark.h"

namespace icount {
namespace {

/// The cases of a binary with Google Benchmark, as it lists them, and those that are asked for.
struct GoogleCases {
  std::vector<GoogleCase> cases;
  std::vector<std::string> labels;  ///< of the results: equal names told apart
  bool is_whole = true;             ///< what the user's filter leaves is what is counted
};

std::string list_output(const BenchSession& session, const std::string& filter) {
  std::vector<std::string> arguments = {"--benchmark_list_tests=true"};
  if (!filter.empty()) arguments.push_back("--benchmark_filter=" + filter);
  const ProcessOutcome outcome = session.run_natively(arguments);
  if (outcome.ok()) return outcome.output;
  const std::string said = std::string(trim(outcome.errors.empty() ? outcome.output : outcome.errors));
  throw Error(ErrorKind::kTool,
              fmt::format("cannot list the cases of {} with --benchmark_list_tests: {}{}; pass arguments that it needs "
                          "after --",
                          session.command_text(), describe_end(outcome),
                          said.empty() ? "" : ": " + escape_for_terminal(split_lines(said).front())));
}

/// Asks the binary. Cases that can't be counted are added to `refused`. Error{kTool} when it does not list them,
/// Error{kUsage} when the filter matches none, Error{kCannotJudge} when there is none.
/// What the binary itself prints, it prints too when no case is listed.
GoogleCases load_google_cases(const BenchSession& session, std::vector<RefusedCase>& refused) {
  GoogleCases found;
  const std::string none[] = {"icount: no case has this name"};
  std::map<std::string, int> own_lines;
  const std::string without_cases = list_output(session, exact_filter(none));
  for (const std::string_view line : split_lines(without_cases)) ++own_lines[std::string(line)];
  const std::string listed = list_output(session, session.options().filter);
  for (GoogleCase& one : parse_google_list(listed)) {
    if (const auto own = own_lines.find(one.name); own != own_lines.end() && own->second-- > 0) continue;
    if (one.threads > 1)
      refused.push_back(
          {one.name,
           fmt::format("it runs on {} threads, whose order changes the count; count it with one thread", one.threads)});
    else
      found.cases.push_back(std::move(one));
  }
  std::map<std::string, int> seen;
  for (const GoogleCase& one : found.cases) {
    const int number = ++seen[one.name];
    found.labels.push_back(number == 1 ? one.name : fmt::format("{} #{}", one.name, number));
  }
  if (!found.cases.empty() || !refused.empty()) return found;
  if (!session.options().filter.empty())
    throw Error(ErrorKind::kUsage,
                fmt::format("no case of {} matches --filter {}", session.command_text(), session.options().filter));
  throw Error(ErrorKind::kCannotJudge, fmt::format("{} lists no case", session.command_text()));
}

/// Leaves out what was not asked for. Cases of one name stay together, a filter cannot tell them apart.
void choose_google_cases(const BenchSession& session, const std::vector<RefusedCase>& refused, GoogleCases& found) {
  const size_t before = found.cases.size();
  std::set<std::string> wanted;
  for (size_t i = 0; i < found.cases.size(); ++i)
    if (session.is_wanted({found.labels[i]})) wanted.insert(found.cases[i].name);
  std::vector<GoogleCase> kept;
  std::vector<std::string> labels;
  for (size_t i = 0; i < before; ++i) {
    if (!wanted.contains(found.cases[i].name)) continue;
    kept.push_back(found.cases[i]);
    labels.push_back(found.labels[i]);
  }
  found.is_whole = kept.size() == before && refused.empty();
  found.cases = std::move(kept);
  found.labels = std::move(labels);
}

/// Cases that one process measures, as indices into the list of all.
struct Job {
  std::vector<size_t> cases;
  int64_t once = 0;     ///< above 0: one region of so many iterations
  bool inside = false;  ///< the hooks call the user's functions themselves
};

/// What is known of a case beside its cost.
struct CaseFacts {
  GoogleReport report;
  int64_t complexity_n = 0;
};

class GoogleCounting {
 public:
  GoogleCounting(BenchSession& session, BenchCount& count) : session_(session), count_(count) {}

  void count() {
    GoogleCases chosen = load_google_cases(session_, count_.refused);
    choose_google_cases(session_, count_.refused, chosen);
    cases_ = std::move(chosen.cases);
    labels_ = std::move(chosen.labels);
    is_whole_ = chosen.is_whole;
    facts_.resize(cases_.size());
    repeats_.resize(cases_.size());
    for (int repeat = 0; repeat < session_.options().repeats; ++repeat) measure_once();
    make_results();
    if (session_.options().memory) measure_memory();
  }

 private:
  void measure_once() {
    for (auto& repeat : repeats_) repeat.emplace_back();
    std::deque<Job> jobs = first_jobs();
    while (!jobs.empty()) {
      const Job job = std::move(jobs.front());
      jobs.pop_front();
      for (Job& next : measure(job)) jobs.push_back(std::move(next));
    }
  }

  std::deque<Job> first_jobs() const {
    std::deque<Job> jobs;
    std::map<std::string, size_t> by_name;  // cases of one name cannot be told apart by a filter
    for (size_t i = 0; i < cases_.size(); ++i) {
      // Where the hooks cannot call the cases themselves, a case could meet what an earlier one left behind.
      const bool alone = session_.options().isolate || session_.is_stripped();
      const std::string key = alone ? cases_[i].name : std::string();
      const auto [at, fresh] = by_name.emplace(key, jobs.size());
      if (fresh) jobs.push_back({.inside = !session_.is_stripped()});
      jobs[at->second].cases.push_back(i);
    }
    return jobs;
  }

  std::string filter_of(const Job& job) const {
    if (job.cases.size() == cases_.size() && is_whole_) return session_.options().filter;
    std::vector<std::string> names;
    for (const size_t one : job.cases)
      if (std::find(names.begin(), names.end(), cases_[one].name) == names.end()) names.push_back(cases_[one].name);
    return exact_filter(names);
  }

  std::string plan_of(const Job& job) const {
    std::string plan;
    if (job.inside) plan += "inside 1\n";
    if (job.once > 0) plan += fmt::format("once {}\n", job.once);
    for (size_t i = 0; i < job.cases.size(); ++i) {
      const GoogleCase& one = cases_[job.cases[i]];
      if (!job.inside && one.repetitions > 0 && one.repetitions < 3)
        plan += fmt::format("calls {} {}\n", i, one.repetitions);
      if (one.iterations > 0) plan += fmt::format("limit {} {}\n", i, one.iterations);
    }
    return plan;
  }

  /// Returns what is left to do.
  std::vector<Job> measure(const Job& job) {
    const ScratchDir folder("icount-bench");
    // What a case says is in the events, or the report of three calls gives it away (timer/google_benchmark.h).
    const int repetitions = job.inside ? 1 : 3;
    const BenchRun run =
        session_.run(google_run_arguments(filter_of(job), kBenchOutPath, repetitions), plan_of(job), folder.path());
    const auto reports = parse_google_reports(load_text(folder.path() / kBenchOutFile));
    check_hooks(run, job, reports);
    std::vector<Job> rest;
    for (size_t i = 0; i < run.cases.size(); ++i) {
      const size_t index = job.cases[i];
      MeasuredCase& measured = repeats_[index].back();
      session_.take_regions(folder.path(), run.cases[i], measured);
      session_.take_failure(run, run.cases[i], measured);
      if (reports) facts_[index].report = reports->cases[i];
      GoogleReport& report = facts_[index].report;
      add_facts(run.cases[i], report);
      if (!report.error.empty()) measured.fail("failed", report.error);
      if (!report.skipped.empty()) measured.fail("skipped", report.skipped);
      if (run.cases[i].complexity_n > 0) facts_[index].complexity_n = run.cases[i].complexity_n;
      const bool is_open = !measured.many && measured.status == "done" && (reports || i + 1 < run.cases.size());
      if (is_open && !measured.few && job.inside) rest.push_back({.cases = {index}});
      if (!measured.many && job.once == 0 && measured.few && measured.status == "done")
        rest.push_back(
            {.cases = {index}, .once = iterations_for(measured.few->graph.totals[0] / measured.few->iterations)});
    }
    is_together_ |= run.is_together;
    if (reports) big_o_.insert(reports->big_o.begin(), reports->big_o.end());
    if (reports && run.outcome.ok()) return rest;
    if (reports) {
      count_.notes.push_back(fmt::format("the binary ended with {} after its last case", describe_end(run.outcome)));
      return rest;
    }
    const auto [status, error] = BenchSession::describe_failure(run, session_.options());
    repeats_[job.cases[run.cases.size() - 1]].back().fail(status, error);
    Job others{
        {job.cases.begin() + static_cast<std::ptrdiff_t>(run.cases.size()), job.cases.end()}, job.once, job.inside};
    if (!others.cases.empty()) rest.push_back(std::move(others));
    return rest;
  }

  /// What a case said in its own process.
  static void add_facts(const BenchCaseRun& one, GoogleReport& report) {
    if (!one.label.empty()) report.label = one.label;
    if (!one.error.empty()) report.error = one.error;
    if (!one.skipped.empty()) report.skipped = one.skipped;
    if (one.ran == 0) return;
    report.counters.clear();
    for (const BenchCounter& counter : one.counters)
      report.counters.push_back(make_google_counter(counter.name, counter.flags, counter.value, one.ran));
  }

  /// Whether what the hooks saw can be believed.
  void check_hooks(const BenchRun& run, const Job& job, const std::optional<GoogleReports>& reports) const {
    const auto refuse = [&](const std::string& what) {
      throw Error(ErrorKind::kCannotJudge, fmt::format("cannot count {}: {}", session_.command_text(), what));
    };
    if (run.unknown_layout) refuse("its version of Google Benchmark is not one that icount knows (1.5 to 1.9)");
    if (run.cases.empty() && !run.outcome.ok()) session_.fail_before_cases(run);
    if (run.cases.empty())
      refuse("no hook of Google Benchmark fired; link it with a shared libbenchmark, or without -s, strip and -flto");
    if (run.cases.size() > job.cases.size() || (reports && reports->cases.size() != run.cases.size()))
      refuse(fmt::format("{} cases began, {} were listed and {} reported; --isolate may tell them apart",
                         run.cases.size(), job.cases.size(), reports ? reports->cases.size() : 0));
    for (size_t i = 0; reports && i < run.cases.size(); ++i)
      if (reports->cases[i].name != cases_[job.cases[i]].name)
        refuse(fmt::format("it lists {} and runs {} in that place", cases_[job.cases[i]].name, reports->cases[i].name));
  }

  /// As the hooks choose (harness/hooks/bench_region.h).
  int64_t iterations_for(int64_t cost) const {
    if (session_.options().number > 0) return session_.options().number;
    return cost <= 200'000 ? 100 : cost <= 2'000'000 ? 10 : 3;
  }

  void make_results() {
    std::vector<ComplexityPoint> points;
    for (size_t i = 0; i < cases_.size(); ++i) {
      Json extra = Json::object();
      const GoogleReport& report = facts_[i].report;
      if (!report.label.empty()) extra["case_label"] = report.label;
      for (const GoogleCounter& counter : report.counters) extra["counters"][counter.name] = counter.value;
      count_.results.push_back(session_.make_result(labels_[i], std::move(repeats_[i]), extra));
      const Result& result = count_.results.back();
      if (facts_[i].complexity_n > 0 && result.slope)
        points.push_back({cases_[i].name, static_cast<double>(facts_[i].complexity_n), *result.slope});
    }
    for (const auto& [family, big_o] : big_o_) add_complexity(family, points);
    if (is_together_) count_.notes.emplace_back(kBenchTogether);
  }

  /// The cases that were counted, once more; a run that ends early is followed by one that goes on behind that case.
  void measure_memory() {
    Job job{.inside = true};
    std::set<std::string> names;
    for (size_t i = 0; i < cases_.size(); ++i) {
      if (count_.results[i].counts.empty()) continue;
      if (session_.is_stripped()) count_.results[i].notes.push_back(std::string(kNoMemory) + "the binary is stripped");
      names.insert(cases_[i].name);
    }
    // One that failed may have the name of one that did not.
    for (size_t i = 0; i < cases_.size() && !session_.is_stripped(); ++i)
      if (names.contains(cases_[i].name)) job.cases.push_back(i);
    while (!job.cases.empty()) {
      const ScratchDir folder("icount-bench");
      std::string plan = plan_of(job);
      for (size_t i = 0; i < job.cases.size(); ++i) plan += memory_plan(i, count_.results[job.cases[i]]);
      const BenchRun run =
          session_.run_memory(google_run_arguments(filter_of(job), kBenchOutPath, 1), plan, folder.path());
      const size_t began = std::min(run.cases.size(), job.cases.size());
      for (size_t i = 0; i < began; ++i)
        if (Result& result = count_.results[job.cases[i]]; !result.counts.empty())
          take_memory(folder.path(), run, run.cases[i], result);
      if (began == 0) break;
      job.cases.erase(job.cases.begin(), job.cases.begin() + static_cast<std::ptrdiff_t>(began));
    }
    for (const size_t i : job.cases)
      if (!count_.results[i].counts.empty()) note_missing_memory(count_.results[i]);
  }

  void add_complexity(const std::string& family, const std::vector<ComplexityPoint>& points) {
    std::vector<ComplexityPoint> own;
    for (const ComplexityPoint& point : points)
      if (point.name == family || point.name.starts_with(family + "/")) own.push_back(point);
    if (const auto fit = fit_complexity(own))
      count_.complexities.push_back({family, fit->big_o, fit->coefficient, fit->rms});
  }

  BenchSession& session_;
  BenchCount& count_;
  std::vector<GoogleCase> cases_;
  std::vector<std::string> labels_;  // of the results
  bool is_whole_ = true;             // what the user's filter leaves is what is counted
  bool is_together_ = false;
  std::vector<CaseFacts> facts_;
  std::vector<std::vector<MeasuredCase>> repeats_;
  std::map<std::string, std::string> big_o_;
};

}  // namespace

void count_google(BenchSession& session, BenchCount& count) { GoogleCounting(session, count).count(); }

BenchList list_google(BenchSession& session) {
  BenchList list;
  for (const std::string& label : load_google_cases(session, list.refused).labels) list.labels.push_back({label});
  return list;
}

}  // namespace icount
