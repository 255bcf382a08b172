// `icount export`: call stacks and profiles in the formats of other viewers (report/exports.h,
// callgrind/writer.h).
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <charconv>
#include <ostream>

#include "icount/base/compression.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/callgrind/writer.h"
#include "icount/console/options.h"
#include "icount/inputs/diff_side.h"
#include "icount/inputs/load_coverage.h"
#include "icount/inputs/load_profile.h"
#include "icount/report/exports.h"
#include "icount/report/profile_text.h"
#include "icount/store/result_file.h"

namespace icount {
namespace {

constexpr OptionSpec kExportOptions[] = {
    {"to", "folded|speedscope|pprof|callgrind|lcov", "the output format (required)"},
    {"out,o", "FILE", "write here instead of to standard output"},
    {"event", "EVENT", "the event to export (default: the first; pprof and callgrind: all)"},
    {"benchmark", "LABEL", "which result to use, where a saved file holds several"},
    {"frames", "N", "keep the N most expensive frames; the others are merged into frames \"… other\" (default 20000)"},
    {"min-share", "P%", "also merge frames that cost less than this share of the total (default 0)"},
    {"raw", "", "do not merge compiler clones (f.isra.0) with their function"},
};

constexpr ExampleSpec kExportExamples[] = {
    {"icount export run.icount --to folded | flamegraph.pl > run.svg",
     "a flame graph; exact if the run was counted with --stacks"},
    {"icount export base.icount head.icount --to folded | flamegraph.pl > diff.svg", "a differential one"},
    {"icount export run.icount --to speedscope -o run.speedscope.json", "for https://www.speedscope.app"},
    {"icount export suite.icount --benchmark 'Math / add' --to pprof -o add.pb.gz",
     "one benchmark of a suite, for go tool pprof"},
    {"icount export cg.out.xz --to callgrind -o cg.out", "all parts and threads in one plain file, for KCachegrind"},
    {"icount export './prog in.txt' --to lcov -o prog.info && genhtml prog.info --branch-coverage -o coverage",
     "which lines, functions and branches ran, of a program built with -g and nothing else"},
};

enum class Target { kFolded, kSpeedscope, kPprof, kCallgrind, kLcov };

bool has_stacks(Target target) { return target != Target::kCallgrind && target != Target::kLcov; }

struct ExportOptions {
  std::vector<std::string> files;
  Target target = Target::kFolded;
  std::string out, event, benchmark;
  StackTreeOptions tree;
};

double read_share(const ParsedOptions& parsed) {
  std::string text = parsed.text("min-share", "0%");
  if (text.ends_with('%')) text.pop_back();
  double share = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), share);
  if (problem != std::errc() || end != text.data() + text.size() || !(share >= 0 && share <= 100))
    parsed.problem("--min-share: not a percentage: '" + parsed.text("min-share") + "'");
  return share / 100;
}

ExportOptions read_export_options(const ParsedOptions& parsed) {
  ExportOptions options;
  options.files = parsed.arguments();
  if (!parsed.has("to")) parsed.problem("--to is missing: folded, speedscope, pprof, callgrind or lcov");
  options.target = static_cast<Target>(parsed.choice("to", {"folded", "speedscope", "pprof", "callgrind", "lcov"}));
  options.out = parsed.text("out");
  if (parsed.has("out") && options.out.empty()) parsed.problem("--out needs a file name");
  options.event = parsed.text("event");
  options.benchmark = parsed.text("benchmark");
  options.tree.max_frames = static_cast<size_t>(parsed.integer("frames", 20000, 10, 10'000'000));
  options.tree.min_share = read_share(parsed);
  options.tree.fold_clones = !parsed.has("raw");
  if (!has_stacks(options.target)) {
    const std::string_view what = options.target == Target::kLcov ? "an lcov file" : "a callgrind.out file";
    for (const char* one : {"frames", "min-share", "raw", "event"})
      if (parsed.has(one)) parsed.problem(fmt::format("--{} applies to call stacks, and {} has none", one, what));
    if (options.files.size() > 1)
      parsed.problem(fmt::format("{} holds one side; export BASE and HEAD separately", what));
  }
  parsed.check();
  return options;
}

/// What one argument stands for.
struct Side {
  std::string name;
  std::string label;  ///< of the result within its file; empty for a lone one
  std::shared_ptr<const CostGraph> graph;
  std::shared_ptr<const CallStacks> stacks;  ///< null: to be guessed from the graph
};

/// A warning says how much of it is joined; of several events that of the first.
StackTree make_tree(const Side& side, const std::string& event, const ExportOptions& options, CommandContext& context) {
  StackTree tree = in_context(side.name, [&] {
    return side.stacks ? make_stack_tree(*side.stacks, event, options.tree)
                       : make_stack_tree(*side.graph, event, options.tree);
  });
  const std::string& first = side.stacks ? side.stacks->events[0] : side.graph->events[0];
  // Less than what the warning shows is what divisions by halves of an instruction leave.
  if (tree.joined > tree.total / 10000 && (tree.event == first || !options.event.empty()))
    context.warn(
        fmt::format("{}: {} of its {} lies in frames \"… other\", whose stacks are merged; the self cost of each "
                    "function is exact all the same (--frames N keeps more stacks apart)",
                    side.name, percent_of(tree.joined, tree.total), tree.event));
  return tree;
}

Side load_side(const std::string& name, const ExportOptions& options, CommandContext& context) {
  DiffSideOptions load;
  if (options.target == Target::kLcov) load.code = KeptCode::kAll;
  const DiffSide file = load_diff_side(name, load, context);
  if (file.saved && options.target == Target::kLcov)
    throw Error(ErrorKind::kUsage,
                name +
                    ": a saved result keeps only what ran inside its most expensive functions; name the program, a "
                    "quoted command line or a callgrind.out file");
  if (!file.saved && !options.benchmark.empty())
    throw Error(ErrorKind::kUsage, name + ": --benchmark applies to saved results, and this file is not one");
  const Result& result = pick_result(file.file, options.benchmark, {.file = name, .option = "benchmark"});
  Side side{.name = name, .label = file.saved ? result_label(result) : std::string()};
  side.graph = unpack_graph(result, name);
  if (!side.graph)
    throw Error(ErrorKind::kMalformed, fmt::format("{}: '{}' has no cost graph{}", name, result_key(result),
                                                   result.error.empty() ? "" : "; it failed: " + result.error));
  side.stacks = unpack_stacks(result, name);
  if (!side.stacks && has_stacks(options.target))
    context.warn(
        name +
        ": has no recorded call stacks; they are approximated from the calls (count with --stacks 10 to record them)");
  return side;
}

std::string export_pprof(const std::vector<Side>& sides, const ExportOptions& options, CommandContext& context) {
  PprofOptions pprof;
  pprof.benchmark = sides.back().label;
  for (const Side& side : sides)
    pprof.comments.push_back((side.stacks ? "recorded call stacks: " : "approximate call stacks: ") + side.name);
  std::string plain;
  if (sides.size() > 1) {
    plain = render_pprof_diff(make_tree(sides[0], options.event, options, context),
                              make_tree(sides[1], options.event, options, context), pprof);
  } else {
    std::vector<StackTree> trees;
    for (const std::string& event : sides[0].stacks ? sides[0].stacks->events : sides[0].graph->events)
      if (options.event.empty() || options.event == event)
        trees.push_back(make_tree(sides[0], event, options, context));
    if (trees.empty()) make_tree(sides[0], options.event, options, context);  // says which events there are
    plain = render_pprof(trees, pprof);
  }
  return compress_gzip(plain);
}

std::string export_speedscope(const std::vector<Side>& sides, const ExportOptions& options, CommandContext& context) {
  std::vector<NamedTree> trees;
  for (const Side& side : sides) {
    NamedTree named{side.name, make_tree(side, options.event, options, context)};
    if (named.tree.approximate) named.name += " (approximate stacks)";
    trees.push_back(std::move(named));
  }
  const std::string& label = sides.back().label;
  return dump_json(speedscope_to_json(trees, label.empty() ? sides.back().name : label), -1) + "\n";
}

std::string export_folded(const std::vector<Side>& sides, const ExportOptions& options, CommandContext& context) {
  if (sides.size() == 1) return render_folded(make_tree(sides[0], options.event, options, context));
  return render_folded_diff(make_stack_tree_diff(make_tree(sides[0], options.event, options, context),
                                                 make_tree(sides[1], options.event, options, context)));
}

std::string export_lcov(const Side& side, const CommandContext& context) {
  if (!side.graph->code)
    throw Error(ErrorKind::kUsage,
                side.name + ": has no executions by address; profile with --dump-instr=yes --collect-jumps=yes");
  const Coverage coverage = load_coverage(*side.graph);
  for (const std::string& note : coverage.notes) context.warn(note);
  if (coverage.sources.empty())
    throw Error(ErrorKind::kUsage, side.name + ": no source file of the code that ran was found; build with -g");
  return render_lcov(coverage.sources);
}

std::string export_sides(const std::vector<Side>& sides, const ExportOptions& options, CommandContext& context) {
  switch (options.target) {
    case Target::kFolded:
      return export_folded(sides, options, context);
    case Target::kSpeedscope:
      return export_speedscope(sides, options, context);
    case Target::kPprof:
      return export_pprof(sides, options, context);
    case Target::kCallgrind:
      return render_callgrind(*sides[0].graph, sides[0].label.empty() ? sides[0].name : sides[0].label);
    case Target::kLcov:
      return export_lcov(sides[0], context);
  }
  return {};
}

/// Whether somebody reads along who obeys what is printed: a terminal, or a hosted CI, which looks for commands in what
/// its jobs print.
bool is_obeyed(const CommandContext& context) {
  for (const char* name : {"GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"})
    if (!context.environment.get(name).value_or("").empty()) return true;
  return context.terminal.is_terminal;
}

/// A profile for standard output. The formats of text have no escapes, so that a name which is no command stays as it
/// is; JSON means the same.
std::string for_printing(const std::string& bytes, Target target, const CommandContext& context) {
  if (target == Target::kSpeedscope) return json_for_logs(bytes);
  const bool text = target == Target::kFolded || !has_stacks(target);
  return text && is_obeyed(context) ? escape_lines_for_terminal(bytes) : bytes;
}

ExitCode run_export(const ParsedOptions& parsed, CommandContext& context) {
  const ExportOptions options = read_export_options(parsed);
  if (options.target == Target::kPprof && options.out.empty() && context.terminal.is_terminal)
    throw Error(ErrorKind::kUsage, "a pprof profile is binary; write it to a file with -o FILE");
  std::vector<Side> sides;
  for (const std::string& file : options.files) sides.push_back(load_side(file, options, context));
  const std::string bytes = export_sides(sides, options, context);
  if (options.out.empty())
    context.out << for_printing(bytes, options.target, context);
  else
    save_file(options.out, bytes);
  return ExitCode::kOk;
}

}  // namespace

const CommandSpec& export_command() {
  static const CommandSpec command = {
      .name = "export",
      .summary = "write a profile for another viewer: flame graph, speedscope, pprof, KCachegrind, lcov",
      .arguments = "FILE [HEAD]",
      .description =
          "FILE is a callgrind.out file, a result saved with --out (--benchmark chooses one of several), an executable "
          "or a quoted command line. With HEAD the two are compared: folded stacks get two columns, speedscope two "
          "profiles, pprof head minus base.\n\nStacks are exact where they were recorded: by `icount count --stacks "
          "N`, `icount suite run --stacks N` or callgrind's --separate-callers=N. Otherwise icount approximates them "
          "by dividing the cost of a function among its callers, and says so on standard error.\n\nWhat is written "
          "with "
          "--out has every name as it is. On a terminal and in a job of GitHub, Azure or TeamCity, folded stacks and "
          "callgrind.out on standard output show characters and words that would act there (escape sequences, "
          "\"::set-env\", \"##[error]\") as \\xNN.",
      .options = kExportOptions,
      .examples = kExportExamples,
      .min_arguments = 1,
      .max_arguments = 2,
      .run = run_export,
  };
  return command;
}

}  // namespace icount
