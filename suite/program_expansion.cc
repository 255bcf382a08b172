#include "icount/suite/program_expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace icount {
namespace {

constexpr size_t kMostPrograms = 100'000;

std::string placeholder(const std::string& name) { return "{" + name + "}"; }

bool mentions(const std::string& text, const std::string& name) {
  return text.find(placeholder(name)) != std::string::npos;
}

bool mentions(const std::vector<std::string>& texts, const std::string& name) {
  return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) { return mentions(text, name); });
}

bool uses(const GroupedPrograms& programs, const std::string& name) {
  return mentions(programs.run.command, name) || mentions(programs.run.input, name) ||
         mentions(programs.run.environment, name);
}

/// One value for each parameter.
class Combination {
 public:
  Combination(const std::vector<ProgramParameter>& parameters, size_t number) : parameters_(parameters) {
    for (size_t i = parameters.size(); i-- > 0;) {
      values_.insert(values_.begin(), parameters[i].values[number % parameters[i].values.size()]);
      number /= parameters[i].values.size();
    }
  }

  /// In one pass, so that a value with braces stays as it is.
  std::string fill(const std::string& text) const {
    std::string filled;
    for (size_t at = 0; at < text.size();) {
      size_t i = 0;
      while (i < parameters_.size() &&
             text.compare(at, parameters_[i].name.size() + 2, placeholder(parameters_[i].name)))
        ++i;
      if (i == parameters_.size()) {
        filled += text[at++];
      } else {
        filled += values_[i];
        at += parameters_[i].name.size() + 2;
      }
    }
    return filled;
  }

  std::vector<std::string> fill(const std::vector<std::string>& texts) const {
    std::vector<std::string> filled;
    for (const std::string& text : texts) filled.push_back(fill(text));
    return filled;
  }

  /// Parts for the parameters that the label does not mention.
  Label label(const Label& label) const {
    Label filled = fill(label);
    for (size_t i = 0; i < parameters_.size(); ++i)
      if (!mentions(label, parameters_[i].name))
        filled.push_back(parameters_[i].name == "file" ? values_[i] : parameters_[i].name + " " + values_[i]);
    return filled;
  }

 private:
  const std::vector<ProgramParameter>& parameters_;
  std::vector<std::string> values_;
};

ProgramRun filled_run(const ProgramRun& run, const Combination& values) {
  ProgramRun filled = run;
  filled.command = values.fill(run.command);
  filled.input = values.fill(run.input);
  filled.environment = values.fill(run.environment);
  return filled;
}

bool check(const GroupedPrograms& programs, std::vector<std::string>& problems) {
  const size_t before = problems.size();
  if (programs.run.command.empty() || programs.run.command.front().empty()) problems.emplace_back("no command");
  std::set<std::string> regions;
  for (const std::string& region : programs.regions)
    if (!regions.insert(region).second) problems.push_back(fmt::format("the region \"{}\" is named twice", region));
  size_t count = 1;
  for (const ProgramParameter& parameter : programs.parameters) {
    if (parameter.values.empty()) {
      problems.push_back(fmt::format("the parameter \"{}\" has no values", parameter.name));
      continue;
    }
    if (!uses(programs, parameter.name))
      problems.push_back(
          fmt::format("nothing in the command, the input or the environment uses the parameter \"{}\": "
                      "{} stands for its value",
                      parameter.name, placeholder(parameter.name)));
    count *= std::min(parameter.values.size(), kMostPrograms);
    if (count > kMostPrograms) {
      problems.push_back(fmt::format("the parameters make more than {} programs", kMostPrograms));
      break;
    }
  }
  return problems.size() == before;
}

}  // namespace

std::vector<ExpandedProgram> expand_programs(const GroupedPrograms& programs, const Label& label,
                                             std::vector<std::string>& problems) {
  std::vector<ExpandedProgram> expanded;
  if (!check(programs, problems)) return expanded;
  size_t count = 1;
  for (const ProgramParameter& parameter : programs.parameters) count *= parameter.values.size();
  for (size_t number = 0; number < count; ++number) {
    const Combination values(programs.parameters, number);
    const ProgramTask task{filled_run(programs.run, values), {}};
    const Label filled = values.label(label);
    if (programs.regions.empty()) expanded.push_back({filled, task});
    for (const std::string& region : programs.regions) {
      expanded.push_back({filled, task});
      expanded.back().task.region = values.fill(region);
      expanded.back().label.push_back(expanded.back().task.region);
    }
  }
  return expanded;
}

}  // namespace icount
