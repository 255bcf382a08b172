#include "icount/fuzzer/setup_source.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "icount/fuzzer/op_fuzzers.h"

namespace icount {
namespace {

DenseTensor strided_tensor() {
  DenseTensor x;
  x.name = std::string("x");
  x.size = {4, 3};
  x.steps = {1, 2};
  x.order = {1, 0};
  x.allocation = {4, 6};
  x.strides = {1, 8};
  x.is_permuted = true;
  x.is_contiguous = false;
  x.numel = 12;
  return x;
}

Sample sample_of(FuzzMode mode, SampleTensor tensor) {
  Sample sample;
  sample.mode = mode;
  sample.torch_seed = 42;
  sample.tensors.push_back(std::move(tensor));
  return sample;
}

TEST(SetupSourceTest, DenseCorrected) {
  const Sample sample = sample_of(FuzzMode::kCorrected, strided_tensor());
  EXPECT_EQ(make_setup(sample, {}, SetupLanguage::kCpp),
            "torch::manual_seed(42);\n"
            "torch::Tensor x = torch::rand({6, 4}, torch::kFloat).permute({1, 0});\n"
            "x = x.slice(1, 0, 6, 2);\n");
  EXPECT_EQ(make_setup(sample, {}, SetupLanguage::kPython),
            "torch.manual_seed(42)\n"
            "x = torch.rand([6, 4], dtype=torch.float32).permute([1, 0])\n"
            "x = x[:, ::2]\n");
}

TEST(SetupSourceTest, DenseCompatibleCopiesAsPyTorchDoesAndSkipsWhatCameBefore) {
  const Sample sample = sample_of(FuzzMode::kCompatible, strided_tensor());
  TorchPosition position;
  advance(position, sample);  // 24 words
  position.skips.back().words += int64_t{3} << 20;
  position.skips.push_back({0, 7, DType::kFloat64});
  EXPECT_EQ(make_setup(sample, position, SetupLanguage::kCpp),
            "torch::manual_seed(42);\n"
            "for (int i = 0; i < 3; ++i) torch::rand({1048576}, torch::kFloat);\n"
            "torch::rand({24}, torch::kFloat);\n"
            "torch::randn({7}, torch::kDouble);\n"
            "torch::Tensor x = torch::rand({4, 6}, torch::kFloat).permute({1, 0}).contiguous().permute({1, 0});\n"
            "x = x.slice(1, 0, 6, 2);\n");
}

TEST(SetupSourceTest, IntegersTruthValuesAndHalves) {
  const auto fill_of = [](DType dtype) {
    DenseTensor x;
    x.name = std::string("x");
    x.dtype = dtype;
    x.size = x.allocation = {5};
    x.steps = {1};
    x.order = {0};
    return make_setup(sample_of(FuzzMode::kCorrected, x), {}, SetupLanguage::kCpp).substr(24);
  };
  EXPECT_EQ(fill_of(DType::kInt64), "torch::Tensor x = torch::randint(1, 127, {5}, torch::kLong);\n");
  EXPECT_EQ(fill_of(DType::kBool), "torch::Tensor x = torch::randint(0, 2, {5}, torch::kBool);\n");
  EXPECT_EQ(fill_of(DType::kFloat16), "torch::Tensor x = torch::rand({5}, torch::kFloat).to(torch::kHalf);\n");
  EXPECT_EQ(fill_of(DType::kComplex64), "torch::Tensor x = torch::rand({5}, torch::kComplexFloat);\n");
}

TEST(SetupSourceTest, WhatCannotBeWrittenIsRefused) {
  DenseTensor x = strided_tensor();
  x.name = "x; exit(1)";
  EXPECT_THROW(make_setup(sample_of(FuzzMode::kCorrected, x), {}, SetupLanguage::kCpp), Error);
  SparseTensor sparse{"s", DType::kInt32, {8, 8}, 2, 3, 0.1, false, 64};
  try {
    make_setup(sample_of(FuzzMode::kCompatible, sparse), {}, SetupLanguage::kCpp);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "sparse tensor 's': torch.utils.benchmark makes no uncoalesced values of int32; use the corrected mode");
  }
  EXPECT_NO_THROW(make_setup(sample_of(FuzzMode::kCorrected, sparse), {}, SetupLanguage::kCpp));
}

TEST(SetupSourceTest, ByIndexIsTheSameAsBySample) {
  OpFuzzerOptions options;
  options.mode = FuzzMode::kCompatible;
  Fuzzer fuzzer(make_op_fuzzer(OpFuzzer::kSparseBinary, options), 5);
  const std::vector<Sample> samples = fuzzer.take(3);
  TorchPosition position;
  advance(position, samples[0]);
  advance(position, samples[1]);
  EXPECT_EQ(make_setup(fuzzer, 2, SetupLanguage::kPython), make_setup(samples[2], position, SetupLanguage::kPython));
}

}  // namespace
}  // namespace icount
