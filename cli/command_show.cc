// `icount show FILE`: what one profile or saved result says, as tables or JSON.
#include "icount/cli/commands.h"

#include <fmt/format.h>

#include <optional>
#include <ostream>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/text.h"
#include "icount/callgraph/symbol_name.h"
#include "icount/cli/name_options.h"
#include "icount/cli/write_document.h"
#include "icount/console/options.h"
#include "icount/console/shared_options.h"
#include "icount/inputs/load_asm.h"
#include "icount/inputs/load_profile.h"
#include "icount/inputs/run_files.h"
#include "icount/report/annotated_source.h"
#include "icount/report/asm_text.h"
#include "icount/report/processes_text.h"
#include "icount/report/profile_text.h"
#include "icount/store/result_file.h"

namespace icount {
namespace {

constexpr OptionSpec kShowOptions[] = {
    {"inclusive", "", "sort by inclusive cost: a function and everything it calls; correct for recursive calls too"},
    {"by", "function|file|object|line", "what one row is (default function)"},
    {"callers", "NAME", "who calls NAME, how often and what the calls cost; parameters may be left out"},
    {"callees", "NAME", "whom NAME calls, how often and what the calls cost"},
    {"blocks", "NAME",
     "the blocks and loops of NAME: executions, iterations per entry, lines; for profiles with --dump-instr=yes "
     "--collect-jumps=yes"},
    {"asm", "NAME",
     "the instructions of NAME with their executions, where its object file is still the build that was counted"},
    {"source", "NAME", "the source of NAME, each line with its executions and cost, where the files are still here"},
    {"top", "N", "rows to show; 0 shows all (default 25; JSON always has all)"},
    {"event", "EVENT", "the event to show and sort by (default: the file's first)"},
    kTransformOption,
    kFilterOption,
    kDenoiseOption,
    {"label", "LABEL", "which result to use, where a saved file holds several"},
    {"format", "text|markdown|json", "form of the output (default text)"},
    kPathsOption,
    {"raw", "", "print names and paths as they are in the file, never shortened"},
};

constexpr ExampleSpec kShowExamples[] = {
    {"icount show callgrind.out.1234", "the most expensive functions of a profile"},
    {"icount show --inclusive --top 10 callgrind.out.1234", "the ten functions with the highest inclusive cost"},
    {"icount show --callers malloc callgrind.out.1234", "the callers of malloc, and the cost of their calls"},
    {"icount show --blocks longest_match callgrind.out.1234", "the loops of a function and how often they iterate"},
    {"icount show --asm longest_match callgrind.out.1234", "its instructions, each with its executions"},
    {"icount show --source longest_match run.icount", "its source, each line with its executions"},
    {"icount show --format json run.xz | jq .totals", "everything, for another program to read"},
};

struct ShowOptions {
  std::string file, event, label, callers, callees, blocks, assembly, source;
  OutputFormat format = OutputFormat::kText;
  ProfileTextOptions table;
  std::optional<NameRules> transform;
};

ShowOptions read_show_options(const ParsedOptions& parsed) {
  ShowOptions options;
  if (!parsed.arguments().empty()) options.file = parsed.arguments()[0];
  options.event = parsed.text("event");
  options.label = parsed.text("label");
  options.callers = parsed.text("callers");
  options.callees = parsed.text("callees");
  options.blocks = parsed.text("blocks");
  options.assembly = parsed.text("asm");
  options.source = parsed.text("source");
  options.format = static_cast<OutputFormat>(parsed.choice("format", {"text", "markdown", "json"}));
  options.table.table.by = static_cast<GroupBy>(parsed.choice("by", {"function", "file", "object", "line"}));
  options.table.table.inclusive = parsed.has("inclusive");
  options.table.top = static_cast<size_t>(parsed.integer("top", 25, 0, 1'000'000'000));
  options.table.raw = parsed.has("raw");
  options.transform = read_name_rules(parsed, "transform");
  options.table.filter = read_function_filter(parsed);
  if (!options.table.filter.keeps_all() && options.table.table.by != GroupBy::kFunction)
    parsed.problem("--filter and --denoise work by function only");
  parsed.excludes("callers", "callees");
  parsed.excludes("blocks", "asm");
  parsed.excludes("source", "asm");
  parsed.excludes("source", "blocks");
  for (const char* inside : {"blocks", "asm", "source"}) {
    for (const char* other : {"callers", "callees", "by", "inclusive", "transform", "filter", "denoise"})
      parsed.excludes(inside, other);
    if (parsed.has(inside) && parsed.text(inside).empty()) parsed.problem(fmt::format("--{} needs a name", inside));
    if (parsed.has(inside) && options.format == OutputFormat::kMarkdown)
      parsed.problem(fmt::format("--{} prints text or JSON, not Markdown", inside));
  }
  for (const char* one : {"callers", "callees"}) {
    if (parsed.has(one) && parsed.text(one).empty()) parsed.problem(fmt::format("--{} needs a name", one));
    for (const char* other : {"by", "inclusive", "filter", "denoise"}) parsed.excludes(one, other);
    if (parsed.has(one) && options.format != OutputFormat::kText)
      parsed.problem(fmt::format("--{} prints text only; --format json has all edges", one));
  }
  if (options.table.table.inclusive && options.table.table.by != GroupBy::kFunction)
    parsed.problem("--inclusive works by function only: a file or a line has no calls of its own");
  parsed.check();
  return options;
}

/// What `show` speaks about: a profile, and the processes where it is a saved result of a program that started others.
struct Shown {
  LoadedProfile profile;
  Result processes;
};

/// The one result of a saved file that was asked for.
Shown load_saved(std::string_view bytes, const ShowOptions& options) {
  LoadedResults loaded = parse_result_file(bytes, options.file);
  const Result& result = pick_result(loaded.file, options.label, {.file = options.file, .option = "label"});
  const auto graph = unpack_graph(result, options.file);
  if (!graph)
    throw Error(ErrorKind::kMalformed, fmt::format("{}: '{}' has no cost graph{}", options.file, result_key(result),
                                                   result.error.empty() ? "" : "; it failed: " + result.error));
  std::vector<std::string> warnings = loaded.warnings;
  if (!result.taken_over.empty())
    warnings.push_back(fmt::format("{} was taken over from {}, not measured", result_key(result), result.taken_over));
  warnings.insert(warnings.end(), result.notes.begin(), result.notes.end());
  return {{.graph = *graph, .command = result_label(result), .warnings = std::move(warnings)}, result};
}

Shown load(const ShowOptions& options) {
  const FileBytes bytes = load_run_file(options.file);
  if (looks_like_result_file(bytes.view())) return load_saved(bytes.view(), options);
  if (!options.label.empty())
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: --label applies to saved results, but this is a profile", options.file));
  return {parse_profile_graph(bytes, options.file, options.table.table.by == GroupBy::kLine), {}};
}

/// The functions that a name means. Error{kUsage} with the nearest name when there is none.
std::vector<FunctionIndex> find_named(const CostGraph& graph, const std::string& name, const ShowOptions& options) {
  std::vector<FunctionIndex> found = find_functions(graph, name, options.table.table.event);
  if (!found.empty()) return found;
  std::vector<std::string> names;
  for (FunctionIndex f = 0; f < graph.functions.size(); ++f)
    names.insert(names.end(), {std::string(graph.name(f)), plain_name(graph.name(f))});
  const std::string near = nearest_word(name, names);
  throw Error(ErrorKind::kUsage, fmt::format("{}: no function '{}'{}", options.file, name,
                                             near.empty() ? "" : "; did you mean '" + near + "'?"));
}

constexpr size_t kMostFunctions = 10;

void warn_of_many(const CommandContext& context, const std::string& name, size_t found, std::string_view shown) {
  context.warn(fmt::format("'{}' matches {} functions; showing the {} with the highest self cost", name, found, shown));
}

void show_calls(const CostGraph& graph, const ShowOptions& options, const CommandContext& context) {
  const bool callers = !options.callers.empty();
  const std::string& name = callers ? options.callers : options.callees;
  const std::vector<FunctionIndex> found = find_named(graph, name, options);
  for (size_t i = 0; i < found.size() && i < kMostFunctions; ++i) {
    if (i > 0) context.out << '\n';
    render_calls_text(context.out, graph, found[i], callers, options.table, context.terminal.style);
  }
  if (found.size() > kMostFunctions) warn_of_many(context, name, found.size(), std::to_string(kMostFunctions));
}

/// What is known inside the functions called `name`: `of_profile` and `of_result` make it, `to_json` and `render` put
/// it out.
template <typename OfProfile, typename OfResult, typename ToJson, typename Render>
ExitCode show_insides(ShowOptions options, const std::string& name, CommandContext& context, OfProfile of_profile,
                      OfResult of_result, ToJson to_json, Render render) {
  const FileBytes bytes = load_run_file(options.file);
  const bool saved = looks_like_result_file(bytes.view());
  const LoadedProfile profile =
      saved ? load_saved(bytes.view(), options).profile : parse_profile_graph(bytes, options.file);
  for (const std::string& warning : profile.warnings) context.warn(warning);
  const size_t event = options.table.table.event = find_event(profile.graph, options.event, options.file);
  const std::vector<FunctionIndex> found = find_named(profile.graph, name, options);
  const auto insides =
      saved ? of_result(profile.graph, event, found) : of_profile(bytes, options.file, profile, event, found);
  if (options.format == OutputFormat::kJson) {
    context.out << dump_json(to_json(insides.front())) << '\n';
    if (insides.size() > 1) warn_of_many(context, name, insides.size(), "one");
    return ExitCode::kOk;
  }
  for (size_t i = 0; i < insides.size() && i < kMostFunctions; ++i) {
    if (i > 0) context.out << '\n';
    render(context.out, insides[i], options.table.raw, context.terminal.style);
  }
  if (insides.size() > kMostFunctions) warn_of_many(context, name, insides.size(), std::to_string(kMostFunctions));
  return ExitCode::kOk;
}

ExitCode run_show(const ParsedOptions& parsed, CommandContext& context) {
  ShowOptions options = read_show_options(parsed);
  if (!options.blocks.empty())
    return show_insides(options, options.blocks, context, load_shapes, make_shapes, blocks_to_json, render_blocks_text);
  if (!options.assembly.empty())
    return show_insides(options, options.assembly, context, load_asm, make_asm, asm_to_json, render_asm_text);
  if (!options.source.empty()) {
    const auto of_result = [&](const CostGraph& graph, size_t event, const std::vector<FunctionIndex>& functions) {
      return make_source(options.file, graph, event, functions);
    };
    return show_insides(options, options.source, context, load_source, of_result, source_to_json, render_source_text);
  }
  Shown shown = load(options);
  if (options.transform) shown.profile.graph = transformed(shown.profile.graph, *options.transform);
  const LoadedProfile& profile = shown.profile;
  for (const std::string& warning : profile.warnings) context.warn(warning);
  options.table.table.event = find_event(profile.graph, options.event, options.file);
  if (options.table.table.by == GroupBy::kLine && profile.graph.lines.empty())
    throw Error(
        ErrorKind::kUsage,
        fmt::format("{}: has no line numbers; profile with --dump-line=yes and debug information (-g)", options.file));
  const ProfileHeading heading{options.file, profile.command};
  if (options.format == OutputFormat::kJson) {
    Json json = profile_to_json(profile.graph, options.table.filter);
    if (!shown.processes.processes.empty()) json["processes"] = processes_to_json(shown.processes);
    context.out << dump_json(json) << '\n';
  } else if (options.format == OutputFormat::kMarkdown) {
    render_profile_markdown(context.out, profile.graph, heading, options.table);
    const Document processes = make_processes_document(shown.processes, 0);
    if (!processes.empty()) context.out << '\n';
    processes.render_markdown(context.out);
  } else if (!options.callers.empty() || !options.callees.empty()) {
    show_calls(profile.graph, options, context);
  } else {
    render_profile_text(context.out, profile.graph, heading, options.table, context.terminal.style);
    make_processes_document(shown.processes, options.table.raw ? 0 : context.terminal.style.width)
        .render_text(context.out, context.terminal.style);
  }
  return ExitCode::kOk;
}

}  // namespace

const CommandSpec& show_command() {
  static const CommandSpec command = {
      .name = "show",
      .summary = "show a profile: costs by function, file, object or line; callers and callees",
      .arguments = "FILE",
      .description =
          "FILE is a callgrind.out file (plain or compressed with gzip, xz or zstd) or a result that icount saved with "
          "--out. All parts and threads in the file are added up, and those of a run that Callgrind wrote into several "
          "files "
          "(FILE.2, FILE-01), where FILE is the one that it was told to write.\n\nCosts are in Ir (instructions read): "
          "Callgrind's "
          "count of executed instructions. Self cost is what a function's own instructions cost; all self costs add up "
          "to the total. Inclusive cost also contains everything the function calls. Functions that call each other "
          "form a cycle and share its inclusive cost; their rows say so. Calls inside a cycle have a number but no "
          "cost of their own.",
      .options = kShowOptions,
      .examples = kShowExamples,
      .min_arguments = 1,
      .max_arguments = 1,
      .run = run_show,
  };
  return command;
}

}  // namespace icount
