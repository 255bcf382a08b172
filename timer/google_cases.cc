#include "icount/timer/google_cases.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "icount/base/error.h"
#include "icount/base/text.h"

namespace icount {
namespace {

std::string list_output(const BenchSession& session, const std::string& filter) {
  std::vector<std::string> arguments = {"--benchmark_list_tests=true"};
  if (!filter.empty()) arguments.push_back("--benchmark_filter=" + filter);
  const ProcessOutcome outcome = session.run_natively(arguments);
  if (outcome.ok()) return outcome.output;
  const std::string said = std::string(trim(outcome.errors.empty() ? outcome.output : outcome.errors));
  throw Error(ErrorKind::kTool,
              fmt::format("cannot list the cases of {} with --benchmark_list_tests: {}{}; arguments that it needs go "
                          "behind --",
                          session.command_text(), describe_end(outcome),
                          said.empty() ? "" : ": " + escape_for_terminal(split_lines(said).front())));
}

}  // namespace

// What the binary itself prints, it prints too when no case is listed.
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

}  // namespace icount
