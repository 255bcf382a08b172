#include "icount/harness/libtorch_needs.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

TimerArgs statement(std::string stmt, std::string setup = {}, std::string global_setup = {}) {
  return {.stmt = std::move(stmt), .setup = std::move(setup), .global_setup = std::move(global_setup)};
}

TEST(LibTorchNeedsTest, TheTextSaysIt) {
  EXPECT_TRUE(names_libtorch(statement("auto y = torch::ones({4});")));
  EXPECT_TRUE(names_libtorch(statement("f();", "at::Tensor x;")));
  EXPECT_TRUE(names_libtorch(statement("f();", "", "#include <ATen/ATen.h>")));
  EXPECT_TRUE(names_libtorch(statement("TORCH_CHECK(true);")));
  EXPECT_TRUE(names_libtorch({.stmt = "y = x * w", .language = Language::kTorchScript}));
  EXPECT_TRUE(names_libtorch({.stmt = "y = f(x);", .backward = "y"}));
  EXPECT_FALSE(
      names_libtorch(statement("v.at(3); int at = 0; my_torch(); icount::keep(at);", "std::vector<int> v(9);")));
}

TEST(LibTorchNeedsTest, AMessageSaysIt) {
  EXPECT_TRUE(is_about_libtorch("fatal error: 'torch/torch.h' file not found"));
  EXPECT_TRUE(is_about_libtorch("undefined reference to `c10::Error::what()'"));
  EXPECT_TRUE(is_about_libtorch("error: use of undeclared identifier 'at'"));
  EXPECT_FALSE(is_about_libtorch("stmt:1:3: error: no member named 'att' in vector; did you mean v.at(1)?"));
}

TEST(LibTorchNeedsTest, WhatIsLeftOutIsBuiltAgainOnceWhenACompileAsksForIt) {
  std::vector<TimerArgs> statements = {statement("f();"), statement("torch::ones({1});"), statement("g();")};
  statements[2].torch = false;
  LibTorchNeeds needs;
  ToolchainOptions options;
  options.torch_dir = "/named";
  needs.decide(statements, options, Environment{});
  EXPECT_FALSE(statements[0].torch);
  EXPECT_TRUE(statements[1].torch);
  EXPECT_FALSE(needs.wants_second_build(0, "syntax error"));
  EXPECT_TRUE(needs.wants_second_build(0, "'torch/torch.h' file not found"));
  EXPECT_FALSE(needs.wants_second_build(0, "'torch/torch.h' file not found"));
  EXPECT_FALSE(needs.wants_second_build(2, "'torch/torch.h' file not found")) << "--no-torch";
  EXPECT_EQ(needs.take_second_builds(), std::vector<size_t>{0});
}

}  // namespace
}  // namespace icount
