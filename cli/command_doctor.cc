// `icount doctor`: what is here, what is missing, and does it count right?
#include "icount/cli/commands.h"

#include <algorithm>
#include <ostream>

#include "icount/base/json.h"
#include "icount/cli/doctor.h"
#include "icount/console/options.h"
#include "icount/console/shared_options.h"
#include "icount/report/document.h"

namespace icount {
namespace {

constexpr OptionSpec kDoctorOptions[] = {
    {"torch", "DIR", "an additional LibTorch to check"},
    kValgrindOption,
    {"compiler", "PROGRAM", "the C++ compiler to check"},
    {"no-self-check", "", "do not compile and count the test statement"},
    {"format", "text|json", "form of the output (default text)"},
};

constexpr ExampleSpec kDoctorExamples[] = {
    {"icount doctor", "find out why counting fails on this machine"},
    {"icount doctor --torch /opt/libtorch", "check one LibTorch"},
};

Tone tone_of(DoctorState state) {
  return state == DoctorState::kGood ? Tone::kBetter : state == DoctorState::kBad ? Tone::kWorse : Tone::kNote;
}

void render_text(std::ostream& out, const std::vector<DoctorFinding>& findings, const TextStyle& style) {
  Table table({{"", Align::kLeft}, {"", Align::kLeft}, {"", Align::kLeft}}, Titles::kMarkdownOnly);
  for (const DoctorFinding& finding : findings) {
    table.add_row({{std::string(to_text(finding.state)), tone_of(finding.state)},
                   {finding.what, Tone::kBold},
                   {finding.details}});
    if (!finding.remedy.empty()) table.add_row({{""}, {""}, {"-> " + finding.remedy}});
  }
  table.render_text(out, style);
}

Json to_json(const std::vector<DoctorFinding>& findings) {
  Json json;
  json["schema"] = {{"name", "icount-doctor"}, {"version", 1}};
  json["findings"] = Json::array();
  for (const DoctorFinding& finding : findings)
    json["findings"].push_back({{"what", finding.what},
                                {"state", to_text(finding.state)},
                                {"details", finding.details},
                                {"remedy", finding.remedy}});
  return json;
}

ExitCode run(const ParsedOptions& parsed, CommandContext& context) {
  DoctorOptions options;
  options.toolchain.torch_dir = parsed.text("torch");
  options.toolchain.compiler = parsed.text("compiler");
  options.self_check = !parsed.has("no-self-check");
  const bool as_json = parsed.choice("format", {"text", "json"}) == 1;
  parsed.check();
  options.environment = context.environment;
  options.cancelled = context.cancelled;
  const std::vector<DoctorFinding> findings = run_doctor(options);
  const bool bad = std::any_of(findings.begin(), findings.end(),
                               [](const DoctorFinding& finding) { return finding.state == DoctorState::kBad; });
  if (as_json) {
    context.out << dump_json(to_json(findings)) << '\n';
  } else {
    render_text(context.out, findings, context.terminal.style);
    context.out << (bad ? "\nsomething that counting needs is missing; the lines with an arrow say what to do\n"
                        : "\neverything that counting needs is installed\n");
  }
  return bad ? ExitCode::kFailure : ExitCode::kOk;
}

}  // namespace

const CommandSpec& doctor_command() {
  static const CommandSpec command = {
      .name = "doctor",
      .summary = "check what is installed, say how to install what is missing, and test that counting works",
      .arguments = "",
      .description =
          "Looks for Valgrind, C++ compilers and every LibTorch (--torch, ICOUNT_TORCH, an active Python's torch, the "
          "system's), then compiles and counts a statement whose cost is known, which takes about ten seconds the "
          "first time. The exit code is 1 when something that counting needs is missing.",
      .options = kDoctorOptions,
      .examples = kDoctorExamples,
      .run = run,
  };
  return command;
}

}  // namespace icount
