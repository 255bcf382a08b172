#include "icount/suite/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "icount/suite/variants.h"

namespace icount {
namespace {

// One [[programs]] entry -> the programs to run: every combination of its parameters, every region.

struct ExpandedProgram {
  Label label;
  ProgramTask task;
};

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

/// The last parameter varies fastest. "{NAME}" is replaced in the command, the input, the environment, the regions and
/// the label; a parameter that the label does not mention adds a part, "NAME VALUE" ("VALUE" for a file). What is wrong
/// (no command, a brace that names no parameter, a parameter that nothing uses) is added to `problems`.
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

/// Walks the tree; a visit per kind.
class Flattener {
 public:
  Flattener(std::vector<FlatDefinition>& result, Problems& problems) : result_(result), problems_(problems) {}

  void walk(const Definitions& definitions, const Label& prefix) {
    for (const Entry& entry : definitions.entries) {
      const Label label = joined(prefix, entry.key);
      std::visit([&](const auto& value) { visit(value, label, entry.place); }, entry.value);
    }
  }

 private:
  void visit(const Definitions& definitions, const Label& label, const Place& place) {
    if (definitions.entries.empty()) problems_.add(place, in_label(label, "the group is empty"));
    walk(definitions, label);
  }

  void visit(const TimerArgs& timer_args, const Label& label, const Place& place) {
    if (timer_args.stmt.empty()) problems_.add(place, in_label(label, "no statement"));
    if (timer_args.num_threads < 1) {
      problems_.add(place, in_label(label, fmt::format("num_threads is {}: thread counts are 1 or more",
                                                       timer_args.num_threads)));
    }
    push(label, timer_args, place);
  }

  void visit(const GroupedVariants& variants, const Label& label, const Place& place) {
    std::vector<std::string> problems;
    std::vector<Variant> parsed = parse_variants(variants, problems);
    report(problems, label, place);
    for (const Variant& variant : parsed) visit(variant.stmts, joined(label, variant.key), place);
  }

  void visit(const GroupedPrograms& programs, const Label& label, const Place& place) {
    std::vector<std::string> problems;
    std::vector<ExpandedProgram> expanded = expand_programs(programs, label, problems);
    report(problems, label, place);
    for (ExpandedProgram& program : expanded) push(program.label, std::move(program.task), place);
  }

  void visit(const BenchBinary& binary, const Label& label, const Place& place) {
    push(label.empty() ? Label{std::filesystem::path(binary.command.front()).filename().string()} : label,
         BenchTask{binary, {}, {}}, place);
  }

  template <typename Grouped>
  void visit(const Grouped& grouped, const Label& label, const Place& place) {
    std::vector<std::string> problems;
    GroupedBenchmark benchmark = make_grouped(grouped, problems);
    report(problems, label, place);
    push(label, std::move(benchmark), place);
  }

  void push(const Label& label, std::variant<TimerArgs, GroupedBenchmark, ProgramTask, BenchTask> value,
            const Place& place) {
    if (label.empty()) problems_.add(place, "a benchmark without a label");
    auto [first, is_new] = places_.emplace(label, place);
    if (!is_new) {
      std::string before = to_text(first->second);
      problems_.add(place, in_label(label, before.empty() ? "the label occurs twice"
                                                          : "the label occurs twice, first at " + before));
    }
    result_.push_back({label, std::move(value), place});
  }

  void report(const std::vector<std::string>& problems, const Label& label, const Place& place) {
    for (const std::string& problem : problems) problems_.add(place, in_label(label, problem));
  }

  static std::string in_label(const Label& label, std::string_view text) {
    return label.empty() ? std::string(text) : fmt::format("\"{}\": {}", to_text(label), text);
  }

  std::vector<FlatDefinition>& result_;
  Problems& problems_;
  std::map<Label, Place> places_;
};

}  // namespace

std::string to_text(const Label& label) { return fmt::format("{}", fmt::join(label, " / ")); }

Label joined(Label label, const Label& further) {
  label.insert(label.end(), further.begin(), further.end());
  return label;
}

std::vector<FlatDefinition> flatten(const Definitions& definitions, Problems& problems) {
  std::vector<FlatDefinition> result;
  Flattener(result, problems).walk(definitions, {});
  return result;
}

}  // namespace icount
