#include "icount/suite/labels.h"

#include <fmt/format.h>

#include <map>

#include "icount/suite/program_expansion.h"
#include "icount/suite/variants.h"

namespace icount {
namespace {

/// Walks the tree; a visit per kind.
class Flattener {
 public:
  Flattener(std::vector<FlatDefinition>& result, Problems& problems) : result_(result), problems_(problems) {}

  void walk(const Definitions& definitions, const Label& prefix) {
    for (const Entry& entry : definitions.entries) {
      Label label = prefix;
      label.insert(label.end(), entry.key.begin(), entry.key.end());
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
    for (const Variant& variant : parsed) {
      Label full = label;
      full.insert(full.end(), variant.key.begin(), variant.key.end());
      visit(variant.stmts, full, place);
    }
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

std::vector<FlatDefinition> flatten(const Definitions& definitions, Problems& problems) {
  std::vector<FlatDefinition> result;
  Flattener(result, problems).walk(definitions, {});
  return result;
}

}  // namespace icount
