// Expansion through the C++ builder: order, set-ups, derived code. The standard set's order is checked in
// standard_test.
#include "icount/suite/expand.h"

#include "icount/base/error.h"
#include "icount/suite/work_order.h"
#include "support/error_of.h"

namespace icount {
namespace {

GroupedStmts product() {
  GroupedStmts stmts;
  stmts.py_stmt = "y = x * w";
  stmts.cpp_stmt = "auto y = x * w;";
  stmts.setup.py_setup = R"(
      x = torch.ones((4, 4))
      w = torch.ones((4, 4), requires_grad=True)
  )";
  stmts.setup.cpp_setup = "auto x = torch::ones({4, 4});";
  stmts.setup.global_setup = "#include <map>";
  stmts.signature = "f(x, w) -> y";
  stmts.torchscript = true;
  stmts.autograd = true;
  stmts.num_threads = {1, 2};
  return stmts;
}

std::vector<Benchmark> expand(Definition definition, const ExpandOptions& options = {}) {
  return materialize(Definitions().add("a", std::move(definition)), "test", options);
}

std::string line(const Benchmark& b) {
  return std::string(to_text(b.autolabels.runtime)) + "|" + std::string(to_text(b.autolabels.autograd)) + "|" +
         std::string(to_text(b.autolabels.language)) + "|" + std::to_string(b.timer_args.num_threads);
}

std::string message_of(const Definitions& definitions) {
  return error_of(ErrorKind::kMalformed, [&] { materialize(definitions, "test"); });
}

TEST(ExpandTest, RuntimeThenAutogradThenLanguageThenThreads) {
  std::vector<std::string> lines;
  for (const Benchmark& benchmark : expand(product())) lines.push_back(line(benchmark));
  std::vector<std::string> expected;
  for (std::string runtime : {"Eager", "TorchScript"})
    for (std::string autograd : {"Forward", "Forward + Backward"})
      for (std::string language : {"Python", "C++"})
        for (std::string threads : {"1", "2"})
          expected.push_back(runtime + "|" + autograd + "|" + language + "|" + threads);
  EXPECT_EQ(lines, expected);
}

TEST(ExpandTest, EagerStatementsAreTheAuthorsWithBackwardBelow) {
  auto benchmarks = expand(product());
  EXPECT_EQ(benchmarks[0].timer_args.stmt, "y = x * w");
  EXPECT_EQ(benchmarks[0].timer_args.setup, "x = torch.ones((4, 4))\nw = torch.ones((4, 4), requires_grad=True)");
  EXPECT_EQ(benchmarks[0].timer_args.global_setup, "");
  EXPECT_EQ(benchmarks[2].timer_args.language, Language::kCpp);
  EXPECT_EQ(benchmarks[4].timer_args.stmt, "y = x * w\ny.backward()");
  EXPECT_EQ(benchmarks[6].timer_args.stmt, "auto y = x * w;\ny.backward();");
}

TEST(ExpandTest, TheGlobalSetupReachesCppInBothRuntimes) {
  auto benchmarks = expand(product());
  EXPECT_EQ(benchmarks[2].timer_args.global_setup, "#include <map>");
  EXPECT_TRUE(benchmarks[10].timer_args.global_setup.ends_with("#include <torch/script.h>\n#include <map>"));
}

TEST(ExpandTest, TorchScriptComesFromTheDerivedFunctionWithThreeWarmUps) {
  auto benchmarks = expand(product());
  EXPECT_EQ(benchmarks[8].timer_args.stmt, "y = jit_model(x, w)");
  EXPECT_NE(
      benchmarks[8].timer_args.setup.find("CompilationUnit(\"def model(x, w):\\n    y = x * w\\n    return y\\n\")"),
      std::string::npos);
  EXPECT_TRUE(benchmarks[8].timer_args.setup.ends_with("for _ in range(3):\n    y = jit_model(x, w)"));
  EXPECT_EQ(benchmarks[10].timer_args.stmt,
            "std::vector<torch::jit::IValue> ivalue_inputs = {x, w};\nauto y = jit_model.forward(ivalue_inputs);");
  EXPECT_EQ(benchmarks[14].timer_args.stmt,
            "std::vector<torch::jit::IValue> ivalue_inputs = {x, w};\nauto y = "
            "jit_model.forward(ivalue_inputs);\ny.toTensor().backward();");
  EXPECT_NE(benchmarks[10].timer_args.setup.find(
                "\"def forward(self, x, w):\\n\"\n    \"    y = x * w\\n\"\n    \"    return y\\n\""),
            std::string::npos);
  EXPECT_FALSE(benchmarks[10].model) << "LibTorch compiles it, no file is needed";
}

TEST(ExpandTest, FunctionsOfPythonsFunctionalModuleBecomeOperatorsForLibTorch) {
  GroupedStmts stmts = product();
  stmts.py_stmt = "y = torch.nn.functional.normalize(torch.nn.functional.gelu(x), dim=0)";
  auto benchmarks = expand(stmts);
  const std::string& cpp = benchmarks[10].timer_args.setup;
  EXPECT_NE(cpp.find("y = self.functional_normalize(torch.gelu(x), dim=0)\\n"), std::string::npos) << cpp;
  EXPECT_NE(cpp.find("def functional_normalize(self, input: Tensor"), std::string::npos);
  EXPECT_NE(benchmarks[8].timer_args.setup.find("torch.nn.functional.gelu(x)"), std::string::npos)
      << "Python keeps its own words";
}

TEST(ExpandTest, WithoutTorchScriptOnlyEagerIsLeft) {
  ExpandOptions options;
  options.torchscript = false;
  EXPECT_EQ(expand(product(), options).size(), 8u);
}

TEST(ExpandTest, WithoutAnOutputTheInvocationAssignsNothing) {
  GroupedModules modules;
  modules.py_model_setup = "model = make()";
  modules.cpp_model_setup = "auto model = make();";
  modules.signature = "f(x) -> None";
  auto benchmarks = expand(modules);
  EXPECT_EQ(benchmarks[0].timer_args.stmt, "model(x)");
  EXPECT_EQ(benchmarks[1].timer_args.stmt, "model->forward(x);");
  EXPECT_EQ(benchmarks[1].timer_args.setup, "auto model = make();");
}

TEST(ExpandTest, ModulesShareOneArtifactPerLabel) {
  GroupedModules modules;
  modules.py_model_setup = "model = torch.nn.ReLU()";
  modules.cpp_model_setup = "auto model = torch::nn::ReLU();";
  modules.setup.py_setup = "x = torch.ones((1,))";
  modules.signature = "f(x) -> y";
  modules.torchscript = true;
  ExpandOptions options;
  options.model_dir = "/models";
  auto benchmarks = materialize(Definitions().add(Label{"nn Modules", "ReLU-6"}, modules), "test", options);
  ASSERT_EQ(benchmarks.size(), 4u);
  EXPECT_FALSE(benchmarks[0].model);
  ASSERT_TRUE(benchmarks[2].model && benchmarks[3].model);
  EXPECT_EQ(*benchmarks[2].model, *benchmarks[3].model);
  EXPECT_EQ(benchmarks[2].model->name, "nn_modules_relu_6");
  EXPECT_EQ(benchmarks[2].model->py_source, "x = torch.ones((1,))\nmodel = torch.nn.ReLU()");
  std::string path = benchmarks[2].model->path.string();
  EXPECT_TRUE(path.starts_with("/models/nn_modules_relu_6-") && path.ends_with(".pt")) << path;
  // The name under which it is loaded is as long wherever the folder lies: a longer one would move the heap.
  const std::string setup = benchmarks[3].timer_args.setup,
                    opened = "/models" + std::string(250 - path.size() + 1, '/') + path.substr(8);
  EXPECT_EQ(opened.size(), 250u);
  EXPECT_NE(setup.find("torch::jit::load(\"" + opened + "\")"), std::string::npos) << setup;
  options.model_dir = "/another/folder/for/models";
  const auto elsewhere = materialize(Definitions().add(Label{"nn Modules", "ReLU-6"}, modules), "test", options);
  EXPECT_EQ(elsewhere[3].timer_args.setup.size(), setup.size());
  EXPECT_EQ(elsewhere[2].timer_args.setup.size(), benchmarks[2].timer_args.setup.size());
  options.model_identity = "another torch";
  auto others = materialize(Definitions().add(Label{"nn Modules", "ReLU-6"}, modules), "test", options);
  EXPECT_NE(others[2].model->path, benchmarks[2].model->path);
}

TEST(ExpandTest, ExplicitTimerArgsPassThrough) {
  TimerArgs args;
  args.stmt = "f();";
  args.num_threads = 3;
  auto benchmarks = expand(args);
  ASSERT_EQ(benchmarks.size(), 1u);
  EXPECT_EQ(work_order_key(benchmarks[0]),
            R"({"label": ["a"], "autolabels": {"runtime": "", "autograd": "", "language": "C++"}, "num_threads": 3})");
}

TEST(ExpandTest, LabelsOfNestedKeysAreJoinedAndEmptyKeysAddNothing) {
  TimerArgs args;
  args.stmt = "f();";
  auto benchmarks = materialize(
      Definitions().add("a", Definitions().add(Label{}, Definitions().add(Label{"b", "c"}, args)).add("d", args)),
      "test");
  ASSERT_EQ(benchmarks.size(), 2u);
  EXPECT_EQ(benchmarks[0].label, (Label{"a", "b", "c"}));
  EXPECT_EQ(benchmarks[1].label, (Label{"a", "d"}));
}

TEST(ExpandTest, KeysEscapeWhatIsNotAscii) {
  TimerArgs args;
  args.stmt = "f();";
  auto benchmarks = materialize(Definitions().add("\xC3\xA9 \"q\" \xF0\x9F\x98\x80\x7F\t", args), "test");
  EXPECT_EQ(
      work_order_key(benchmarks[0]),
      R"({"label": ["\u00e9 \"q\" \ud83d\ude00\u007f\t"], "autolabels": {"runtime": "", "autograd": "", "language": "C++"}, "num_threads": 1})");
}

TEST(ExpandTest, AllMistakesAreToldAtOnce) {
  Definitions definitions;
  GroupedStmts no_output = product();
  no_output.signature = "f(x, w) -> None";
  GroupedStmts no_signature = product();
  no_signature.signature = "";
  no_signature.autograd = false;
  GroupedModules no_model;
  no_model.py_model_setup = "net = torch.nn.ReLU()";
  GroupedStmts threads = product();
  threads.num_threads = {0, 2, 2};
  definitions.add("one", no_output)
      .add("two", no_signature)
      .add("three", no_model)
      .add("four", threads)
      .add("four", product());
  EXPECT_EQ(message_of(definitions),
            "7 problems in test:\n"
            "\"one\": autograd needs a signature with an output, such as \"f(x, w) -> y\"\n"
            "\"two\": torchscript needs a signature, such as \"f(x, w) -> y\"\n"
            "\"three\": the Python model set-up makes no variable \"model\": \"net = torch.nn.ReLU()\"\n"
            "\"three\": modules need a signature, such as \"f(x) -> y\"\n"
            "\"four\": num_threads holds 0: thread counts are 1 or more\n"
            "\"four\": num_threads holds 2 twice\n"
            "\"four\": the label occurs twice");
}

TEST(ExpandTest, AMissingModelAndAMissingPythonStatementAreMistakes) {
  GroupedModules modules;
  modules.signature = "f(x) -> y";
  EXPECT_EQ(message_of(Definitions().add("m", modules)),
            "\"m\": no model: give a Python or a C++ model set-up, or both");
  GroupedStmts stmts = product();
  stmts.py_stmt = "";
  EXPECT_EQ(message_of(Definitions().add("s", stmts)),
            "\"s\": torchscript needs a Python statement, the function is derived from it");
}

}  // namespace
}  // namespace icount
