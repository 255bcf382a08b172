#include "icount/suite/grouped.h"

#include <fmt/format.h>

#include <algorithm>

#include "icount/suite/dedent.h"
#include "icount/suite/torchscript.h"

namespace icount {
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
