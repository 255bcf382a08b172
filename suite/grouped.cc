#include "icount/suite/grouped.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "icount/base/error.h"
#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/stats/python_text.h"

namespace icount {
std::string_view to_text(RuntimeMode mode) {
  switch (mode) {
    case RuntimeMode::kEager:
      return "Eager";
    case RuntimeMode::kJit:
      return "TorchScript";
    case RuntimeMode::kExplicit:
      return "";
  }
  ICOUNT_CHECK(false, "unknown RuntimeMode");
}

std::string_view to_text(AutogradMode mode) {
  switch (mode) {
    case AutogradMode::kForward:
      return "Forward";
    case AutogradMode::kForwardBackward:
      return "Forward + Backward";
    case AutogradMode::kExplicit:
      return "";
  }
  ICOUNT_CHECK(false, "unknown AutogradMode");
}

std::string_view to_text(AutoLanguage language) {
  switch (language) {
    case AutoLanguage::kPython:
      return "Python";
    case AutoLanguage::kCpp:
      return "C++";
    case AutoLanguage::kProgram:
      return "program";
  }
  ICOUNT_CHECK(false, "unknown AutoLanguage");
}

namespace {

bool is_name(std::string_view text) {
  auto letter = [](unsigned char c) { return std::isalpha(c) || c == '_'; };
  auto other = [&](unsigned char c) { return letter(c) || std::isdigit(c); };
  return !text.empty() && letter(text.front()) && std::all_of(text.begin() + 1, text.end(), other);
}

}  // namespace

std::string Signature::arg_list() const { return fmt::format("{}", fmt::join(args, ", ")); }

Signature parse_signature(std::string_view text, std::vector<std::string>& problems) {
  constexpr std::string_view kHead = "f(";
  constexpr std::string_view kArrow = ") -> ";
  Signature signature;
  if (text.empty()) return signature;
  signature.given = true;
  auto fail = [&](const std::string& why) {
    problems.push_back(fmt::format("signature \"{}\": {}; the form is \"f(x, w) -> y\", or \"-> None\"", text, why));
    return signature;
  };
  if (!text.starts_with(kHead)) return fail("does not start with \"f(\"");
  size_t arrow = text.rfind(kArrow);
  if (arrow == std::string_view::npos || arrow < kHead.size()) return fail("has no \") -> \"");
  std::string_view args = text.substr(kHead.size(), arrow - kHead.size());
  std::string_view output = trim(text.substr(arrow + kArrow.size()));
  if (output.find(',') != std::string_view::npos) return fail("has more than one output, only one is possible");
  if (!is_name(output)) return fail(fmt::format("the output \"{}\" is not a name", output));
  if (output != "None") signature.output = output;
  if (trim(args).empty()) return signature;
  for (std::string_view piece : split(args, ',')) {
    std::string_view arg = trim(piece);
    if (!is_name(arg)) return fail(fmt::format("the argument \"{}\" is not a name", arg));
    signature.args.emplace_back(arg);
  }
  return signature;
}

namespace {

/// "def model(x, w):", the statement as body, and a return of the output (of nothing: None).
std::string torchscript_function(const std::string& py_stmt, const Signature& signature) {
  const std::string output = signature.output.empty() ? "None" : signature.output;
  return fmt::format("def model({}):\n{}\n    return {}\n", signature.arg_list(), python_indent(py_stmt, "    "),
                     output);
}

constexpr int kWarmUps = 3;

/// A literal that Python and C++ read alike: JSON's escapes are valid in both for the bytes below 0x80, the rest is
/// UTF-8.
std::string quoted(const std::string& text) { return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); }

/// One quoted line per line of `text`, each with its line feed: reads well in a saved stub, and C++ joins them.
std::string quoted_lines(const std::string& text) {
  std::string result;
  for (std::string_view line : split_lines(text)) result += fmt::format("\n    {}", quoted(std::string(line) + "\n"));
  return result;
}

/// Python's torch.nn.functional is Python code around operators; LibTorch's compiler knows the operators, as
/// torch.NAME.
constexpr std::string_view kFunctional = "torch.nn.functional.";
/// The one such function that is no operator but small enough to be given along.
constexpr std::string_view kNormalizeCall = "torch.nn.functional.normalize(";
constexpr std::string_view kNormalizeMethod = "self.functional_normalize(";
constexpr std::string_view kNormalize =
    "def functional_normalize(self, input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12):\n"
    "    return input / input.norm(p, dim, True).clamp_min(eps).expand_as(input)\n";

/// The method `forward` of a module for a function made by torchscript_function, in words that LibTorch's compiler has.
std::string forward_method(const std::string& function) {
  constexpr std::string_view kHead = "def model(";
  ICOUNT_CHECK(function.starts_with(kHead), "not made by torchscript_function");
  const bool no_args = function[kHead.size()] == ')';
  std::string methods = fmt::format("def forward(self{}{}", no_args ? "" : ", ", function.substr(kHead.size()));
  if (methods.find(kNormalizeCall) != std::string::npos) methods = std::string(kNormalize) + methods;
  replace_all(methods, kNormalizeCall, kNormalizeMethod);
  replace_all(methods, kFunctional, "torch.");
  return methods;
}

}  // namespace

std::string backward_call(const std::string& output, const AutoLabels& labels) {
  if (labels.language == AutoLanguage::kPython) return output + ".backward()";
  return labels.runtime == RuntimeMode::kJit ? output + ".toTensor().backward();" : output + ".backward();";
}

std::string model_invocation(const Signature& signature, const AutoLabels& labels) {
  ICOUNT_CHECK(labels.runtime != RuntimeMode::kExplicit, "explicit statements are not derived");
  const bool jit = labels.runtime == RuntimeMode::kJit;
  const bool python = labels.language == AutoLanguage::kPython;
  const std::string target =
      signature.output.empty() ? "" : fmt::format("{}{} = ", python ? "" : "auto ", signature.output);
  std::string stmt;
  if (python) {
    stmt = fmt::format("{}{}({})", target, jit ? "jit_model" : "model", signature.arg_list());
  } else if (!jit) {
    stmt = fmt::format("{}model->forward({});", target, signature.arg_list());
  } else {
    stmt = fmt::format("std::vector<torch::jit::IValue> ivalue_inputs = {{{}}};\n{}jit_model.forward(ivalue_inputs);",
                       signature.arg_list(), target);
  }
  if (labels.autograd == AutogradMode::kForwardBackward) stmt += "\n" + backward_call(signature.output, labels);
  return stmt;
}

std::string cpp_compiled_model(const std::string& function) {
  return fmt::format(
      "torch::jit::Module jit_source(\"model\");\n"
      "jit_source.define({});\n"
      "std::stringstream jit_archive;\n"
      "jit_source.save(jit_archive);\n"
      "torch::jit::Module jit_model = torch::jit::load(jit_archive);\n"
      "jit_model.eval();",
      quoted_lines(forward_method(function)));
}

/// The same file by a name of fixed length, "a////////b": the heap of whoever opens it is then the same wherever the
/// folder lies.
std::string path_of_fixed_length(std::string path) {
  constexpr size_t kLength = 250;
  const size_t slash = path.rfind('/');
  if (slash != std::string::npos && path.size() < kLength) path.insert(slash, kLength - path.size(), '/');
  return path;
}

std::string cpp_loaded_model(const std::string& path) {
  return fmt::format("torch::jit::Module jit_model = torch::jit::load({});", quoted(path_of_fixed_length(path)));
}

std::string py_compiled_model(const std::string& function) {
  return fmt::format(
      "import io\n"
      "jit_model = torch.jit.load(io.BytesIO(torch.jit.CompilationUnit({}).model.save_to_buffer()))",
      quoted(function));
}

std::string py_loaded_model(const std::string& path) {
  return fmt::format("jit_model = torch.jit.load({})", quoted(path_of_fixed_length(path)));
}

std::string warm_up(const std::string& stmt, AutoLanguage language) {
  if (language == AutoLanguage::kPython)
    return fmt::format("for _ in range({}):\n{}", kWarmUps, python_indent(stmt, "    "));
  return fmt::format("for (int jit_warm_up = 0; jit_warm_up < {}; ++jit_warm_up) {{\n{}\n}}", kWarmUps,
                     python_indent(stmt, "  "));
}

std::string join_code(const std::string& first, const std::string& second) {
  if (first.empty() || second.empty()) return first + second;
  return first + "\n" + second;
}

std::string jit_global_setup() {
  return "#include <sstream>\n#include <string>\n#include <vector>\n#include <torch/script.h>";
}

namespace {

GroupedSetup dedented(const GroupedSetup& setup) {
  return {dedent_and_strip(setup.py_setup), dedent_and_strip(setup.cpp_setup), dedent_and_strip(setup.global_setup)};
}

std::vector<int> checked_threads(const std::vector<int>& num_threads, std::vector<std::string>& problems) {
  if (num_threads.empty()) problems.push_back("num_threads is empty: name at least one thread count");
  for (size_t i = 0; i < num_threads.size(); ++i) {
    int threads = num_threads[i];
    if (threads < 1) problems.push_back(fmt::format("num_threads holds {}: thread counts are 1 or more", threads));
    if (std::find(num_threads.begin(), num_threads.begin() + i, threads) != num_threads.begin() + i) {
      problems.push_back(fmt::format("num_threads holds {} twice", threads));
    }
  }
  return num_threads;
}

/// The parts that statements and modules have in common.
template <typename Definition>
GroupedBenchmark make_common(const Definition& definition, std::vector<std::string>& problems) {
  GroupedBenchmark result;
  result.setup = dedented(definition.setup);
  result.signature = parse_signature(definition.signature, problems);
  result.torchscript = definition.torchscript;
  result.autograd = definition.autograd;
  result.num_threads = checked_threads(definition.num_threads, problems);
  if (definition.autograd && result.signature.output.empty()) {
    problems.push_back("autograd needs a signature with an output, such as \"f(x, w) -> y\"");
  }
  return result;
}

}  // namespace

GroupedBenchmark make_grouped(const GroupedStmts& stmts, std::vector<std::string>& problems) {
  GroupedBenchmark result = make_common(stmts, problems);
  result.py_fwd_stmt = dedent_and_strip(stmts.py_stmt);
  result.cpp_fwd_stmt = dedent_and_strip(stmts.cpp_stmt);
  if (result.py_fwd_stmt.empty() && result.cpp_fwd_stmt.empty())
    problems.push_back("no statement: give a Python or a C++ one, or both");
  if (!stmts.torchscript) return result;
  if (result.py_fwd_stmt.empty())
    problems.push_back("torchscript needs a Python statement, the function is derived from it");
  if (!result.signature.given) problems.push_back("torchscript needs a signature, such as \"f(x, w) -> y\"");
  result.py_model_setup = torchscript_function(result.py_fwd_stmt, result.signature);
  result.inferred_model_setup = true;
  return result;
}

GroupedBenchmark make_grouped(const GroupedModules& modules, std::vector<std::string>& problems) {
  GroupedBenchmark result = make_common(modules, problems);
  result.py_model_setup = dedent_and_strip(modules.py_model_setup);
  result.cpp_model_setup = dedent_and_strip(modules.cpp_model_setup);
  if (result.py_model_setup.empty() && result.cpp_model_setup.empty()) {
    problems.push_back("no model: give a Python or a C++ model set-up, or both");
  }
  auto check_model = [&](const std::string& setup, std::string_view language) {
    if (setup.empty() || setup.find("model") != std::string::npos) return;
    problems.push_back(fmt::format("the {} model set-up makes no variable \"model\": \"{}\"", language, setup));
  };
  check_model(result.py_model_setup, "Python");
  check_model(result.cpp_model_setup, "C++");
  if (!result.signature.given) problems.push_back("modules need a signature, such as \"f(x) -> y\"");
  if (modules.torchscript && result.py_model_setup.empty())
    problems.push_back("torchscript needs a Python model set-up, Python scripts the model");
  if (!result.py_model_setup.empty())
    result.py_fwd_stmt =
        model_invocation(result.signature, {RuntimeMode::kEager, AutogradMode::kForward, AutoLanguage::kPython});
  if (!result.cpp_model_setup.empty())
    result.cpp_fwd_stmt =
        model_invocation(result.signature, {RuntimeMode::kEager, AutogradMode::kForward, AutoLanguage::kCpp});
  return result;
}

}  // namespace icount
