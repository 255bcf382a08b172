#include "icount/harness/stub_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/harness/globals.h"
#include "stub_benchmark_text.h"
#include "stub_child_text.h"
#include "stub_cpu_text.h"
#include "stub_device_text.h"
#include "stub_forks_text.h"
#include "stub_image_file_text.h"
#include "stub_image_text.h"
#include "stub_job_text.h"
#include "stub_kernel_text.h"
#include "stub_line_text.h"
#include "stub_main_text.h"
#include "stub_mappings_text.h"
#include "stub_memory_text.h"
#include "stub_objects_text.h"
#include "stub_prepare_text.h"
#include "stub_progress_text.h"
#include "stub_region_text.h"
#include "stub_reports_text.h"
#include "stub_resume_text.h"
#include "stub_server_text.h"
#include "stub_session_text.h"
#include "stub_slot_text.h"
#include "stub_snapshot_text.h"
#include "stub_symbols_text.h"
#include "stub_threads_text.h"

namespace icount {
namespace {

constexpr std::string_view kNamespace = "icount_stub_";
/// A program that may have one unit only lets it grow to so many times the size of others, before there is a second
/// program.
constexpr size_t kOneUnitSize = 4;
constexpr std::string_view kFunction = "icount_statement(icount_stub::Context&)";

bool is_directive(std::string_view line) {
  const std::string_view text = trim(line);
  return text.starts_with('#') || text.starts_with("%:") || text.starts_with("\?\?=");
}

bool has_directives(std::string_view text) {
  for (const std::string_view line : split_lines(text))
    if (is_directive(line)) return true;
  return text.find("_Pragma") != std::string_view::npos;
}

/// A header of the standard library or of LibTorch: their static objects take nothing from the heap before main. Of
/// other headers nobody knows.
bool is_quiet_header(std::string_view name) {
  for (const std::string_view folder : {"torch/", "ATen/", "c10/", "caffe2/"})
    if (name.starts_with(folder)) return true;
  for (const std::string_view of_c :
       {"assert.h", "ctype.h", "errno.h", "float.h", "immintrin.h", "inttypes.h", "limits.h", "math.h", "stddef.h",
        "stdint.h", "stdio.h", "stdlib.h", "string.h", "time.h", "unistd.h", "x86intrin.h"})
    if (name == of_c) return true;
  return name.find_first_of("./") == std::string_view::npos;
}

/// The user's text on lines of its own. The empty line after it takes a trailing backslash.
void paste(std::string& out, std::string_view text, std::string_view name) {
  out += fmt::format("#line 1 \"{}\"\n", name);
  out += text;
  out += "\n\n#line 1 \"icount-generated\"\n";
}

std::string statement_line(std::string_view text) {
  for (const std::string_view line : split_lines(text))
    if (!trim(line).empty()) return shorten_middle(trim(line), 60);
  return "(empty)";
}

std::string text_name(std::string_view name, size_t index, TextNames names) {
  return names == TextNames::kPlain ? std::string(name) : fmt::format("icount-{}/{}", index, name);
}

/// A text that does not end is an error in the line behind it, and no statement's.
void add_global_setup(std::string& out, std::string_view text, std::string_view name) {
  paste(out, text, name);
  out += fmt::format("#line 1 \"{}\"\nnamespace icount_after_setup {{}}\n", kAfterGlobalSetup);
}

void paste_statement(std::string& out, const TimerArgs& args, size_t index, TextNames names) {
  paste(out, args.stmt, text_name("stmt", index, names));
  if (!args.backward.empty()) paste(out, args.backward + ".backward();", text_name("backward", index, names));
}

/// Warm-up and region share one loop: the statement stands in the text once.
void add_loop(std::string& out, const TimerArgs& args, size_t index, TextNames names) {
  out +=
      "while (icount_context_.next())\n"
      "for (int64_t icount_run_ = 0, icount_runs_ = icount_context_.count(); icount_run_ < icount_runs_; "
      "++icount_run_) {\n";
  paste_statement(out, args, index, names);
  out += "}\n";
}

/// As PyTorch's compiler sees it: the statement twice, and the markers between the loops instead of in a function.
void add_toggle_loop(std::string& out, const TimerArgs& args, size_t index, TextNames names) {
  out +=
      "for (int icount_run_ = 0, icount_runs_ = icount_context_.begin_warmup(); icount_run_ < icount_runs_; "
      "++icount_run_) {\n";
  paste_statement(out, args, index, names);
  const std::string_view loop = args.torch ? "for ([[maybe_unused]] const auto {0} : c10::irange({1})) {{\n"
                                           : "for (int {0} = 0; {0} < {1}; ++{0}) {{\n";
  out += "}\nconst int icount_runs_ = icount_context_.begin_region(), icount_repeats_ = icount_context_.repeats();\n";
  out += fmt::format(fmt::runtime(loop), "icount_repeat_", "icount_repeats_") + "CALLGRIND_TOGGLE_COLLECT;\n";
  out += fmt::format(fmt::runtime(loop), "icount_run_", "icount_runs_");
  paste_statement(out, args, index, names);
  out += "}\nCALLGRIND_TOGGLE_COLLECT;\nCALLGRIND_DUMP_STATS;\n}\nicount_context_.end();\n";
}

void add_benchmark(std::string& out, const TimerArgs& args, size_t index, TextNames names) {
  // The function's own line is filed under the statement, so that a profile names no other file for it.
  out += fmt::format(
      "namespace {}{} {{\n#line 1 \"{}\"\nstatic void icount_statement(icount_stub::Context& icount_context_) {{\n",
      kNamespace, index, text_name("stmt", index, names));
  paste(out, args.setup, text_name("setup", index, names));
  args.toggle_loop ? add_toggle_loop(out, args, index, names) : add_loop(out, args, index, names);
  // A namespace is allowed in a namespace only: unbalanced braces of a statement are an error here, and are not
  // balanced by those of a neighbour.
  out += fmt::format(
      "}}\nstatic const icount_stub::Registration registration({}, {}, &icount_statement);\nnamespace end {{}}\n}}\n",
      index, cpp_string_literal(statement_line(args.stmt)));
}

std::string without_pragma_once(std::string_view header) {
  std::string out;
  for (const std::string_view line : split_lines(header))
    if (line != "#pragma once") out += std::string(line) + "\n";
  return out;
}

/// A handler of the statement's own: exceptions pass through its frames, and the unwinder's search for them goes
/// through a table of all functions of the program.
bool catches(std::string_view stmt) {
  constexpr std::string_view kWord = "catch";
  auto is_name = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  for (size_t at = stmt.find(kWord); at != std::string_view::npos; at = stmt.find(kWord, at + 1)) {
    const bool begins = at == 0 || !is_name(stmt[at - 1]);
    const size_t end = at + kWord.size();
    if (begins && (end == stmt.size() || !is_name(stmt[end]))) return true;
  }
  return false;
}

/// Everything that must be equal for two statements to share a program.
std::string program_key(const TimerArgs& args) {
  if (args.language == Language::kPython) return "python";
  return (args.torch ? "torch:" : "plain:") + (acts_before_main(args.global_setup) ? args.global_setup : std::string());
}

}  // namespace

bool acts_before_main(std::string_view global_setup) {
  constexpr std::string_view kInclude = "include";
  for (const std::string_view line : split_lines(global_setup)) {
    std::string_view content = trim(line);
    if (content.empty()) continue;
    if (!content.starts_with('#')) return true;
    content = trim(content.substr(1));
    if (!content.starts_with(kInclude)) return true;
    content = trim(content.substr(kInclude.size()));
    if (!content.starts_with('<') || !content.ends_with('>') || !is_quiet_header(content.substr(1, content.size() - 2)))
      return true;
  }
  return false;
}

std::vector<StubPlan> plan_stubs(std::span<const TimerArgs> statements, const StubPlanOptions& options) {
  std::vector<StubPlan> plans;
  std::map<std::string, size_t> plan_of;
  std::map<std::pair<size_t, std::string>, size_t> open_unit;  // (plan, global set-up) -> unit that takes more
  for (size_t i = 0; i < statements.size(); ++i) {
    const TimerArgs& args = statements[i];
    const bool python = args.language == Language::kPython;
    const bool own_unit = !python && (has_directives(args.stmt) || has_directives(args.setup));
    const bool one_unit = !python && acts_before_main(args.global_setup);
    const bool own_program = options.isolate || (!python && catches(args.stmt)) || (own_unit && one_unit);
    const std::string key = own_program ? fmt::format("{}", i) : program_key(args);
    auto [at, fresh] = plan_of.emplace(key, plans.size());
    if (!fresh && one_unit && plans[at->second].units[0].size() >= kOneUnitSize * options.unit_size) {
      at->second = plans.size();
      fresh = true;
    }
    if (fresh) plans.push_back({{}, args.torch});
    auto& units = plans[at->second].units;
    if (own_unit) {
      units.push_back({i});
      continue;
    }
    const auto [unit, first] = open_unit.emplace(std::pair(at->second, args.global_setup), units.size());
    if (!first && !one_unit && units[unit->second].size() >= options.unit_size) unit->second = units.size();
    if (unit->second == units.size()) units.emplace_back();
    units[unit->second].push_back(i);
  }
  return plans;
}

std::string make_stub_unit(std::span<const TimerArgs> statements, std::span<const size_t> members, TextNames names) {
  std::string out;
  if (!members.empty() && !statements[members[0]].global_setup.empty()) {
    add_global_setup(out, statements[members[0]].global_setup, text_name("global_setup", members[0], names));
    out += "#line 1 \"icount-generated\"\n";
  }
  if (!members.empty() && statements[members[0]].toggle_loop)
    out += std::string("#include <valgrind/callgrind.h>\n") +
           (statements[members[0]].torch ? "#include <c10/util/irange.h>\n" : "");
  for (const size_t index : members) add_benchmark(out, statements[index], index, names);
  return out;
}

std::string make_global_setup_unit(std::string_view global_setup) {
  std::string out;
  add_global_setup(out, global_setup, "global_setup");
  return out;
}

std::string make_stub_main(bool torch) {
  std::string out;
  if (torch)
    out +=
        "#include <ATen/Parallel.h>\n"
        "#define ICOUNT_STUB_PREPARE() at::set_num_threads(1)\n"
        "#define ICOUNT_STUB_SET_THREADS(n) at::set_num_threads(n)\n";
  out += "#line 1 \"stub_benchmark.h\"\n" + without_pragma_once(stub_benchmark_text());
  return out + make_stub_text("stub_main.h");
}

std::string make_stub_prelude(bool torch) {
  std::string out = "#line 1 \"stub_benchmark.h\"\n" + without_pragma_once(stub_benchmark_text());
  if (torch) out += "#include <torch/torch.h>\n";
  for (const char* header :
       {"algorithm",     "array",         "bitset",   "chrono",    "cmath",  "cstdio",      "cstdlib", "cstring",
        "deque",         "functional",    "iostream", "list",      "map",    "memory",      "numeric", "optional",
        "random",        "set",           "sstream",  "stdexcept", "string", "string_view", "thread",  "tuple",
        "unordered_map", "unordered_set", "utility",  "variant",   "vector"})
    out += fmt::format("#include <{}>\n", header);
  return out;
}

std::string make_whole_stub(std::span<const TimerArgs> statements) {
  bool torch = false;
  std::vector<size_t> members;
  for (size_t i = 0; i < statements.size(); ++i) {
    torch |= statements[i].torch;
    members.push_back(i);
  }
  std::string out = make_stub_prelude(torch) + make_stub_unit(statements, members);
  if (torch)
    out +=
        "#define ICOUNT_STUB_PREPARE() at::set_num_threads(1)\n"
        "#define ICOUNT_STUB_SET_THREADS(n) at::set_num_threads(n)\n";
  return out + make_stub_text("stub_main.h");
}

std::string plain_function_name(std::string_view name) {
  std::string out(name);
  size_t at = 0;
  while ((at = out.find(kNamespace, at)) != std::string::npos) {
    size_t end = at + kNamespace.size();
    while (end < out.size() && out[end] >= '0' && out[end] <= '9') ++end;
    if (end == at + kNamespace.size() || out.compare(end, 2, "::") != 0) {
      at = end;
      continue;
    }
    end += 2;
    const bool statement = out.compare(end, kFunction.size(), kFunction) == 0;
    out.replace(at, end - at + (statement ? kFunction.size() : 0), statement ? "stmt" : "");
  }
  return out;
}

long benchmark_of_name(std::string_view text) {
  const size_t at = text.find(kNamespace);
  if (at == std::string_view::npos) return -1;
  size_t end = at + kNamespace.size();
  long index = -1;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9')
    index = (index < 0 ? 0 : index * 10) + (text[end++] - '0');
  return index;
}

namespace {

struct StubHeader {
  std::string_view name;
  std::string_view (*text)();
};
const StubHeader kHeaders[] = {{"stub_child.h", stub_child_text},       {"stub_cpu.h", stub_cpu_text},
                               {"stub_device.h", stub_device_text},     {"stub_forks.h", stub_forks_text},
                               {"stub_image.h", stub_image_text},       {"stub_image_file.h", stub_image_file_text},
                               {"stub_job.h", stub_job_text},           {"stub_kernel.h", stub_kernel_text},
                               {"stub_line.h", stub_line_text},         {"stub_main.h", stub_main_text},
                               {"stub_mappings.h", stub_mappings_text}, {"stub_memory.h", stub_memory_text},
                               {"stub_objects.h", stub_objects_text},   {"stub_prepare.h", stub_prepare_text},
                               {"stub_progress.h", stub_progress_text}, {"stub_region.h", stub_region_text},
                               {"stub_reports.h", stub_reports_text},   {"stub_resume.h", stub_resume_text},
                               {"stub_server.h", stub_server_text},     {"stub_session.h", stub_session_text},
                               {"stub_slot.h", stub_slot_text},         {"stub_snapshot.h", stub_snapshot_text},
                               {"stub_symbols.h", stub_symbols_text},   {"stub_threads.h", stub_threads_text}};

/// What `#include "stub_job.h"` names; empty for other lines, those of system headers too.
std::string_view included_stub_header(std::string_view line) {
  constexpr std::string_view kBegin = "#include \"stub_";
  const size_t quote = kBegin.find('"') + 1;
  return line.starts_with(kBegin) && line.ends_with('"') ? line.substr(quote, line.size() - quote - 1)
                                                         : std::string_view();
}

/// Adds `name` behind the headers that it includes, each once.
void add_header(std::string_view name, std::set<std::string_view>& added, std::string& out) {
  if (name == "stub_benchmark.h" || !added.insert(name).second) return;
  const auto* header = std::find_if(std::begin(kHeaders), std::end(kHeaders),
                                    [&](const StubHeader& candidate) { return candidate.name == name; });
  ICOUNT_CHECK(header != std::end(kHeaders), "a stub header that is not embedded is included");
  const auto lines = split_lines(header->text());
  for (const std::string_view line : lines)
    if (const std::string_view included = included_stub_header(line); !included.empty())
      add_header(included, added, out);
  out.append("#line 1 \"").append(name).append("\"\n");
  for (const std::string_view line : lines) {
    // The pragma would be the main file's.
    if (line != "#pragma once" && included_stub_header(line).empty()) out.append(line);
    out += '\n';
  }
}

}  // namespace

std::string make_stub_text(std::string_view header) {
  std::string out;
  std::set<std::string_view> added;
  add_header(header, added, out);
  return out;
}

std::vector<std::string> stub_headers() {
  std::vector<std::string> names;
  for (const StubHeader& header : kHeaders) names.emplace_back(header.name);
  return names;
}

}  // namespace icount
