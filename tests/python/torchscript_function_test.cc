#include "icount/harness/torchscript_source.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"

namespace icount {
namespace {

using Names = std::vector<std::string>;

TEST(TorchScriptFunctionTest, ABodyGetsItsFreeNamesAsParameters) {
  const TorchScriptFunction function =
      make_torchscript_function("y = x * w\nz = torch.relu(y, inplace=flag) + x.sum(dim=0)");
  EXPECT_EQ(function.parameters, (Names{"x", "w", "flag"}));
  EXPECT_EQ(
      function.source,
      "def forward(x, w, flag):\n    y = x * w\n    z = torch.relu(y, inplace=flag) + x.sum(dim=0)\n    return z\n");
  EXPECT_EQ(function.name, "forward");
}

TEST(TorchScriptFunctionTest, ALastExpressionIsReturned) {
  EXPECT_EQ(make_torchscript_function("x + 1").source, "def forward(x):\n    return x + 1\n");
  EXPECT_EQ(make_torchscript_function("torch.mm(x, w)").source, "def forward(x, w):\n    return torch.mm(x, w)\n");
  EXPECT_EQ(make_torchscript_function("return x").source, "def forward(x):\n    return x\n");
}

TEST(TorchScriptFunctionTest, NamesInStringsCommentsAttributesAndLoopsAreNotFree) {
  const TorchScriptFunction function = make_torchscript_function(
      "# a comment with words\nfor i in range(3):\n    x += i\ny: Tensor = x.t() + len('text')\nwhile (y.a ==\n   "
      "b):\n    pass");
  EXPECT_EQ(function.parameters, (Names{"x", "b"}));
  EXPECT_TRUE(function.source.ends_with("    return y\n")) << function.source;
}

TEST(TorchScriptFunctionTest, ANamedOutputIsReturned) {
  EXPECT_EQ(make_torchscript_function("y = x\nz = y", "y").source,
            "def forward(x):\n    y = x\n    z = y\n    return y\n");
}

TEST(TorchScriptFunctionTest, ADefinitionIsTakenAsItIs) {
  const std::string text =
      "def helper(a: Tensor):\n    return a\n\ndef model(x: Tensor, n: List[int], *, k: int = 3):\n    return "
      "helper(x)\n";
  const TorchScriptFunction function = make_torchscript_function(text);
  EXPECT_EQ(function.source, text);
  EXPECT_EQ(function.name, "model");
  EXPECT_EQ(function.parameters, (Names{"x", "n"}));
  EXPECT_EQ(make_torchscript_function("def a(x):\n    return x\ndef b(y):\n    return y").name, "b");
}

TEST(TorchScriptFunctionTest, NothingToReturnIsAnError) {
  for (const char* text : {"", "# only a comment\n"}) EXPECT_THROW(make_torchscript_function(text), Error) << text;
  try {
    make_torchscript_function("pass");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "the TorchScript statement computes nothing that could be returned; end it with an expression or an "
                 "assignment");
  }
}

TEST(TorchScriptFunctionTest, TheStatementIsTheCall) {
  TimerArgs args;
  args.language = Language::kTorchScript;
  args.setup = "auto x = torch::ones({4, 4});";
  args.stmt = "y = x * x";
  const TimerArgs cpp = make_cpp_of_torchscript(args);
  EXPECT_EQ(cpp.language, Language::kCpp);
  EXPECT_EQ(cpp.stmt, "auto icount_output = icount_function({x});");
  EXPECT_TRUE(cpp.setup.starts_with(args.setup + "\n")) << cpp.setup;
  EXPECT_NE(cpp.setup.find("torch::jit::compile(\"def forward(x):\\012    y = x * x\\012    return y\\012\")"),
            std::string::npos)
      << cpp.setup;
  EXPECT_TRUE(cpp.setup.ends_with(
      "for (int icount_call = 0; icount_call < 3; ++icount_call) { auto icount_output = icount_function({x}); }\n"));
  args.backward = "y";
  const TimerArgs trained = make_cpp_of_torchscript(args);
  EXPECT_EQ(trained.stmt, "auto y = icount_function({x}).toTensor();");
  EXPECT_EQ(trained.backward, "y");
  EXPECT_TRUE(trained.setup.ends_with("toTensor(); y.backward(); }\n"));
}

}  // namespace
}  // namespace icount
