#include "icount/harness/torchscript_source.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "icount/base/text.h"
#include "icount/harness/cpp_literal.h"
#include "icount/harness/globals.h"
#include "icount/harness/torchscript_function.h"
#include "icount/harness/torchscript_lines.h"

namespace icount {
namespace {

constexpr std::string_view kDefaultOutput = "icount_output";

/// "[OUT =] [METHOD](ARGUMENTS)" taken apart.
struct ModuleCall {
  std::string output;
  std::string method = "forward";
  std::string arguments;
};

ModuleCall parse_module_call(std::string_view text) {
  ModuleCall call;
  std::string_view rest = trim(text);
  while (rest.ends_with(';')) rest = trim(rest.substr(0, rest.size() - 1));
  size_t name_end = 0;
  while (name_end < rest.size() && is_name_part(rest[name_end])) ++name_end;
  const std::string_view after = trim(rest.substr(name_end));
  if (name_end > 0 && after.starts_with('=') && !after.starts_with("==")) {
    call.output = rest.substr(0, name_end);
    rest = trim(after.substr(1));
    name_end = 0;
    while (name_end < rest.size() && is_name_part(rest[name_end])) ++name_end;
  }
  if (name_end > 0 && name_end < rest.size() && rest[name_end] == '(' && rest.ends_with(')')) {
    call.method = rest.substr(0, name_end);
    call.arguments = rest.substr(name_end + 1, rest.size() - name_end - 2);
  } else {
    call.arguments = rest;
  }
  return call;
}

struct Call {
  std::string setup;
  std::string output;
  std::string expression;
};

Call call_module(const TimerArgs& args) {
  const ModuleCall call = parse_module_call(args.stmt);
  const EmbeddedFile file = embed_file("icount_module", args.module_path);
  Call result;
  result.setup = file.setup + fmt::format(
                                  "std::istringstream icount_stream(std::string({}, {}));\n"
                                  "auto icount_module = torch::jit::load(icount_stream);\nicount_module.eval();\n"
                                  "auto icount_function = icount_module.get_method({});\n",
                                  file.begin, file.size, cpp_string_literal(call.method));
  result.output = call.output;
  result.expression = fmt::format("icount_function({{{}}})", call.arguments);
  return result;
}

/// The line of `text` that has `name` as a word, fit for a comment.
std::string line_with(std::string_view text, std::string_view name) {
  for (const std::string_view line : split_lines(text))
    for (size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
      const size_t end = at + name.size();
      if ((at > 0 && is_name_part(line[at - 1])) || (end < line.size() && is_name_part(line[end]))) continue;
      std::string_view shown = trim(line);
      while (shown.ends_with('\\')) shown = trim(shown.substr(0, shown.size() - 1));
      return std::string(shown);
    }
  return std::string(name);
}

Call call_source(const TimerArgs& args) {
  const TorchScriptFunction function = make_torchscript_function(args.stmt, args.backward);
  Call result;
  for (const std::string& name : function.parameters)
    result.setup += fmt::format("(void)({});{}{}\n", name, kTorchScriptReads, line_with(args.stmt, name));
  // The message begins with a line break, and one line is what a user sees first.
  result.setup += fmt::format(
      "auto icount_unit = [] {{ try {{ return torch::jit::compile({}); }} catch (const std::exception& icount_error) "
      "{{\n"
      "const std::string icount_text = icount_error.what();\n"
      "throw std::runtime_error(\"TorchScript does not compile: \" + "
      "icount_text.substr(icount_text.find_first_not_of(\" \\n\")));\n}} }}();\n"
      "auto& icount_function = icount_unit->get_function({});\n",
      cpp_string_literal(function.source), cpp_string_literal(function.name));
  result.expression = fmt::format("icount_function({{{}}})", fmt::join(function.parameters, ", "));
  return result;
}

}  // namespace

TimerArgs make_cpp_of_torchscript(const TimerArgs& args) {
  const Call call = args.module_path.empty() ? call_source(args) : call_module(args);
  TimerArgs out = args;
  out.language = Language::kCpp;
  out.torch = true;
  out.module_path.clear();
  out.global_setup = "#include <torch/script.h>\n" + args.global_setup;
  std::string output = !args.backward.empty() ? args.backward : call.output;
  if (output.empty()) output = kDefaultOutput;
  out.stmt = fmt::format("auto {} = {}{};", output, call.expression, args.backward.empty() ? "" : ".toTensor()");
  const std::string again = args.backward.empty() ? "" : fmt::format(" {}.backward();", output);
  out.setup = fmt::format("{}\n{}for (int icount_call = 0; icount_call < 3; ++icount_call) {{ {}{} }}\n", args.setup,
                          call.setup, out.stmt, again);
  return out;
}

}  // namespace icount
