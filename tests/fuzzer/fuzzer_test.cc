#include "icount/fuzzer/fuzzer.h"

#include <gtest/gtest.h>

#include <map>

#include "icount/base/error.h"
#include "icount/fuzzer/op_fuzzers.h"
#include "icount/fuzzer/parameter.h"
#include "support/error_of.h"

namespace icount {
namespace {

FuzzedTensor tensor_of(std::string name, std::vector<SizeTerm> size) {
  FuzzedTensor tensor;
  tensor.name = std::move(name);
  tensor.size = std::move(size);
  return tensor;
}

FuzzedParameter alias_parameter(std::string name, std::string to) {
  return table_parameter(std::move(name), {{ParameterAlias{std::move(to)}, 1.0}});
}

FuzzerSpec spec_of(std::vector<FuzzedParameter> parameters, std::vector<TensorSpec> tensors = {}) {
  FuzzerSpec spec;
  spec.parameters = std::move(parameters);
  spec.tensors = std::move(tensors);
  return spec;
}

TEST(ParameterAliasTest, ChainsAreFollowedInAnyOrder) {
  Fuzzer fuzzer(spec_of({alias_parameter("a", "b"), alias_parameter("b", "c"),
                         uniform_parameter("c", int64_t{4}, int64_t{4}), alias_parameter("d", "a")}),
                0);
  const Sample sample = fuzzer.sample(0);
  for (const char* name : {"a", "b", "c", "d"}) EXPECT_EQ(sample.parameters.integer(name), 4);
}

TEST(ParameterAliasTest, CyclesAndUnknownTargetsAreNamed) {
  expect_usage(
      [] {
        Fuzzer(spec_of({alias_parameter("a", "b"), alias_parameter("b", "c"), alias_parameter("c", "b")}), 0).take(1);
      },
      "parameter aliases form a cycle: a -> b -> c -> b");
  expect_usage([] { Fuzzer(spec_of({alias_parameter("a", "a")}), 0).take(1); },
               "parameter aliases form a cycle: a -> a");
  expect_usage([] { Fuzzer(spec_of({alias_parameter("a", "zz")}), 0).take(1); },
               "parameter 'a' is an alias of 'zz', but there is no such parameter");
}

TEST(FuzzerTest, AlongAParameterTheOthersStay) {
  FuzzedTensor x = tensor_of("x", {"n", "m", "k"});
  x.probability_contiguous = 0;
  FuzzerSpec spec = spec_of({uniform_parameter("n", int64_t{1}, int64_t{9}),
                             uniform_parameter("m", int64_t{1}, int64_t{1000}), alias_parameter("k", "n")},
                            {x});
  const int64_t sizes[] = {10, 20, 40};
  const auto samples = Fuzzer(spec, 7).along("n", sizes);
  ASSERT_EQ(samples.size(), 3u);
  const int64_t m = samples[0].parameters.integer("m");
  EXPECT_EQ(m, Fuzzer(spec, 7).sample(0).parameters.integer("m"));
  for (size_t i = 0; i < 3; ++i) {
    const auto& tensor = std::get<DenseTensor>(samples[i].tensors[0]);
    EXPECT_EQ(tensor.size, (std::vector<int64_t>{sizes[i], m, sizes[i]}));
    EXPECT_EQ(tensor.order, std::get<DenseTensor>(samples[0].tensors[0]).order);
  }
  // What one of the sizes forbids is drawn again for all.
  spec.constraints = {product_at_most({"n", "m"}, 40 * (m - 1))};
  const auto others = Fuzzer(spec, 7).along("n", sizes);
  EXPECT_LT(others[0].parameters.integer("m"), m);
  EXPECT_EQ(others[0].parameters.integer("m"), others[2].parameters.integer("m"));
  expect_usage([&] { Fuzzer(spec, 7).along("q", sizes); }, "no parameter 'q'; the table has n, m, k");
}

TEST(FuzzerTest, NamesMustDiffer) {
  const FuzzedParameter a = uniform_parameter("a", int64_t{1}, int64_t{2});
  expect_usage([&] { Fuzzer(spec_of({a, a}), 0); }, "two parameters are named 'a'");
  expect_usage([&] { Fuzzer(spec_of({a}, {tensor_of("a", {"a"})}), 0); },
               "the name 'a' is used by a parameter and by a tensor");
  expect_usage(
      [&] {
        Fuzzer(spec_of({a}, {tensor_of("x", {"a"}), tensor_of("x", {"a"})}), 0);
      },
      "two tensors are named 'x'");
}

TEST(FuzzerTest, UnknownAndUnfitSizesAreNamed) {
  expect_usage([] { Fuzzer(spec_of({}, {tensor_of("x", {"q4"})}), 0).take(1); },
               "tensor 'x': size or step 'q4' is neither a number nor a parameter");
  expect_usage(
      [] { Fuzzer(spec_of({uniform_parameter("a", 0.0, 1.0)}, {tensor_of("x", {"a"})}), std::uint64_t{3}).take(1); },
      [] {
        Fuzzer fuzzer(spec_of({uniform_parameter("a", 0.0, 1.0)}), 3);
        return "tensor 'x': parameter 'a' is " + to_text(fuzzer.sample(0).parameters.at("a")) +
               ", where a size or step needs an integer";
      }());
  expect_usage([] { Fuzzer(spec_of({}, {tensor_of("x", {int64_t{-3}})}), 0).take(1); },
               "tensor 'x': a size of -3 is negative");
  FuzzedTensor stepped = tensor_of("x", {int64_t{3}});
  stepped.steps = {int64_t{0}};
  expect_usage([&] { Fuzzer(spec_of({}, {stepped}), 0).take(1); }, "tensor 'x': a step of 0 is below 1");
  stepped.steps = {int64_t{1}, int64_t{2}};
  expect_usage([&] { Fuzzer(spec_of({}, {stepped}), 0); }, "tensor 'x': 2 steps for 1 sizes");
  FuzzedTensor odds = tensor_of("x", {int64_t{3}});
  odds.probability_contiguous = 1.5;
  expect_usage([&] { Fuzzer(spec_of({}, {odds}), 0); },
               "tensor 'x': probability_contiguous is 1.5; it must be from 0 to 1");
  FuzzedTensor crossed = tensor_of("x", {int64_t{3}});
  crossed.min_elements = 5;
  crossed.max_elements = 4;
  expect_usage([&] { Fuzzer(spec_of({}, {crossed}), 0); }, "tensor 'x': min_elements 5 is above max_elements 4");
}

TEST(FuzzerTest, WhatRejectsMostIsNamedFirst) {
  FuzzerSpec spec =
      spec_of({uniform_parameter("a", int64_t{1}, int64_t{9}), uniform_parameter("b", int64_t{1}, int64_t{9})});
  FuzzedTensor tensor = tensor_of("x", {"a"});
  tensor.min_elements = 10;
  spec.tensors.emplace_back(tensor);
  spec.constraints.push_back(remainder_is("b", 9, 0));  // lets one in nine through
  try {
    Fuzzer(spec, 1).take(1);
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string message = error.what();
    const std::string start =
        "no valid parameters in 1000 attempts for sample 0 of seed 1: constraint 'b mod 9 == 0' rejected ";
    ASSERT_EQ(message.substr(0, start.size()), start);
    const int by_constraint = std::stoi(message.substr(start.size()));
    const size_t second = message.find("; tensor 'x': min_elements 10 rejected ");
    ASSERT_NE(second, std::string::npos) << message;
    EXPECT_EQ(by_constraint + std::stoi(message.substr(message.find("rejected ", second) + 9)), 1000);
    EXPECT_GT(by_constraint, 500);
    EXPECT_NE(message.find("; loosen the first one"), std::string::npos) << message;
  }
}

TEST(FuzzerTest, SeedsOfTheCompatibleModeHave32Bits) {
  FuzzerSpec spec = spec_of({uniform_parameter("a", int64_t{1}, int64_t{9})});
  EXPECT_NO_THROW(Fuzzer(spec, uint64_t{1} << 32));
  spec.mode = FuzzMode::kCompatible;
  EXPECT_NO_THROW(Fuzzer(spec, (uint64_t{1} << 32) - 1));
  EXPECT_THROW(Fuzzer(spec, uint64_t{1} << 32), Error);
  EXPECT_THROW(Fuzzer(spec, ~uint64_t{0}), Error);
}

// Each limit accepts the last good value and refuses the first bad one.
TEST(TensorLimitTest, BothSidesOfEachLimit) {
  const auto violated = [](FuzzedTensor tensor, std::vector<int64_t> size, FuzzMode mode = FuzzMode::kCorrected) {
    return violated_limit(tensor, Extents{size, std::vector<int64_t>(size.size(), 1)}, mode);
  };
  FuzzedTensor tensor = tensor_of("x", {"a"});
  tensor.max_elements = 12;
  EXPECT_EQ(violated(tensor, {3, 4}), std::nullopt);
  EXPECT_EQ(violated(tensor, {13}), Limit::kMaxElements);
  tensor = tensor_of("x", {"a"});
  tensor.min_elements = 12;
  EXPECT_EQ(violated(tensor, {12}), std::nullopt);
  EXPECT_EQ(violated(tensor, {11}), Limit::kMinElements);
  tensor = tensor_of("x", {"a"});
  tensor.max_allocation_bytes = 96;
  tensor.dtype = DType::kComplex64;
  EXPECT_EQ(violated(tensor, {12}), std::nullopt);
  EXPECT_EQ(violated(tensor, {13}), Limit::kMaxAllocationBytes);
  EXPECT_EQ(violated(tensor, {24}, FuzzMode::kCompatible), std::nullopt) << "PyTorch counts complex numbers half";
  EXPECT_EQ(violated(tensor, {25}, FuzzMode::kCompatible), Limit::kMaxAllocationBytes);
}

TEST(TensorLimitTest, ProductsBeyond64BitsDoNotSlipThrough) {
  FuzzedTensor tensor = tensor_of("x", {"a"});
  tensor.max_elements = 1000;
  const Extents huge{{int64_t{1} << 32, int64_t{1} << 32}, {1, 1}};  // 2^64 wraps to 0
  EXPECT_EQ(violated_limit(tensor, huge, FuzzMode::kCompatible), Limit::kMaxElements);
  tensor.max_elements.reset();
  tensor.max_allocation_bytes = 1000;
  EXPECT_EQ(violated_limit(tensor, huge, FuzzMode::kCompatible), Limit::kMaxAllocationBytes);
  EXPECT_EQ(saturating_product({int64_t{1} << 40, int64_t{1} << 40, 0}, 3), 0);
  EXPECT_EQ(saturating_product({int64_t{1} << 40, -(int64_t{1} << 40)}, 1), INT64_MIN);
}

TEST(TensorLimitTest, SampleBytesCountAllTensorsTogether) {
  FuzzerSpec spec = spec_of({}, {tensor_of("x", {int64_t{8}}), tensor_of("y", {int64_t{8}})});
  spec.max_sample_bytes = 64;
  EXPECT_NO_THROW(Fuzzer(spec, 0).take(1));
  spec.max_sample_bytes = 63;
  expect_usage([&] { Fuzzer(spec, 0).take(1); },
               "no valid parameters in 1000 attempts for sample 0 of seed 0: max_sample_bytes 63 rejected "
               "1000; loosen the first one");
}

TEST(TensorSpecTest, DimensionsAreCutAndPadded) {
  FuzzerSpec spec = spec_of({uniform_parameter("dim", int64_t{1}, int64_t{4})});
  FuzzedTensor tensor = tensor_of("x", {int64_t{5}, int64_t{6}});
  tensor.steps = {int64_t{2}};
  tensor.dim_parameter = "dim";
  spec.tensors.emplace_back(tensor);
  std::map<int64_t, std::vector<int64_t>> sizes;
  for (const Sample& sample : Fuzzer(spec, 2).take(40)) {
    const auto& x = std::get<DenseTensor>(sample.tensors[0]);
    sizes[sample.parameters.integer("dim")] = x.size;
    ASSERT_EQ(x.steps.size(), x.size.size());
    EXPECT_EQ(x.steps[0], 2);
  }
  EXPECT_EQ(sizes[1], (std::vector<int64_t>{5}));
  EXPECT_EQ(sizes[2], (std::vector<int64_t>{5, 6}));
  EXPECT_EQ(sizes[3], (std::vector<int64_t>{5, 6, 1}));
  EXPECT_EQ(sizes[4], (std::vector<int64_t>{5, 6, 1, 1}));
}

TEST(TensorSpecTest, ContiguityFollowsItsProbability) {
  for (const double p : {0.0, 0.25, 1.0}) {
    FuzzedTensor tensor = tensor_of("x", {int64_t{5}, int64_t{6}, int64_t{7}});
    tensor.probability_contiguous = p;
    int64_t contiguous = 0;
    const int64_t n = 4000;
    for (const Sample& sample : Fuzzer(spec_of({}, {tensor}), 6).take(n))
      contiguous += std::get<DenseTensor>(sample.tensors[0]).is_contiguous;
    EXPECT_NEAR(static_cast<double>(contiguous) / n, p, 6 * std::sqrt(p * (1 - p) / n));
  }
}

// A strict parameter keeps its spread however lopsided the rejection is; the others give way.
TEST(FuzzerTest, StrictParametersAreNotSkewedByRejection) {
  for (const bool strict : {true, false}) {
    FuzzerSpec spec = spec_of({table_parameter("dim", {{int64_t{1}, 0.5}, {int64_t{3}, 0.5}}, strict),
                               uniform_parameter("k", int64_t{1}, int64_t{100})});
    FuzzedTensor tensor = tensor_of("x", {"k", "k", "k"});
    tensor.dim_parameter = "dim";
    tensor.max_elements = 100;  // k up to 4 when dim is 3
    spec.tensors.emplace_back(tensor);
    int64_t three = 0;
    const int64_t n = 2000;
    for (const Sample& sample : Fuzzer(spec, 12).take(n)) three += sample.parameters.integer("dim") == 3;
    const double share = static_cast<double>(three) / static_cast<double>(n);
    if (strict)
      EXPECT_NEAR(share, 0.5, 6 * std::sqrt(0.25 / n));
    else
      EXPECT_LT(share, 0.1);
  }
}

TEST(OpFuzzerTest, TablesAndBoundsHoldOverManySeeds) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Fuzzer fuzzer(make_op_fuzzer(OpFuzzer::kUnary, {}), seed);
    for (const Sample& sample : fuzzer.take(20)) {
      const auto& x = std::get<DenseTensor>(sample.tensors[0]);
      ASSERT_GE(x.numel, 4096);
      ASSERT_LE(x.numel, 32 << 20);
      ASSERT_EQ(static_cast<int64_t>(x.size.size()), sample.parameters.integer("dim"));
      for (size_t d = 0; d < x.size.size(); ++d) {
        const std::string number = std::to_string(d);
        const int64_t k = sample.parameters.integer("k" + number);
        ASSERT_EQ(x.size[d], k);
        ASSERT_TRUE(k == sample.parameters.integer("k_any_" + number) ||
                    k == sample.parameters.integer("k_pow2_" + number));
        ASSERT_GE(k, 16);
        ASSERT_LE(k, 16 << 20);
      }
    }
  }
}

TEST(OpFuzzerTest, SizeClassesAreOfTheCorrectedMode) {
  OpFuzzerOptions options;
  options.mode = FuzzMode::kCompatible;
  options.size_class = SizeClass::kSmall;
  expect_usage([&] { make_op_fuzzer(OpFuzzer::kUnary, options); },
               "size class small is for the corrected mode; the compatible mode uses torch.utils.benchmark's limits");
  expect_usage([] { parse_size_class("tiny"); }, "unknown size class 'tiny'; use reference, small, medium or large");
  options = {};
  options.probability_regular = -0.1;
  expect_usage([&] { make_op_fuzzer(OpFuzzer::kSpectral, options); },
               "probability_regular is -0.1; it must be from 0 to 1");
}

TEST(ConstraintTest, BothSidesOfEachKind) {
  ParameterSet values(std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"a", "b", "c"}));
  values.value(0) = int64_t{6};
  values.value(1) = int64_t{7};
  values.value(2) = -7.5;
  EXPECT_TRUE(at_most("a", "b").holds(values));
  EXPECT_TRUE(at_most("a", "a").holds(values));
  EXPECT_FALSE(at_most("b", "a").holds(values));
  EXPECT_TRUE(less_than("c", "a").holds(values));
  EXPECT_FALSE(less_than("a", "a").holds(values));
  EXPECT_TRUE(product_at_most({"a", "b"}, 42).holds(values));
  EXPECT_FALSE(product_at_most({"a", "b"}, 41).holds(values));
  EXPECT_TRUE(sum_at_least({"a", "b"}, 13).holds(values));
  EXPECT_FALSE(sum_at_least({"a", "b"}, 14).holds(values));
  EXPECT_TRUE(remainder_is("b", 4, 3).holds(values));
  EXPECT_FALSE(remainder_is("a", 4, 3).holds(values));
  EXPECT_EQ(product_at_most({"a", "b"}, 41).text, "a * b <= 41");
  expect_usage([&] { remainder_is("a", 0, 3); }, "constraint on 'a': the modulus 0 must be above 0");
  expect_usage([&] { sum_at_least({"c"}, 3).holds(values); }, "parameter 'c' is -7.5, where an integer is needed");
  expect_usage([&] { at_most("a", "zz").holds(values); }, "no parameter 'zz'");
}

TEST(DTypeTest, NamesAndSizes) {
  EXPECT_EQ(parse_dtype("torch.complex64"), DType::kComplex64);
  EXPECT_EQ(element_bytes(DType::kComplex64, FuzzMode::kCorrected), 8);
  EXPECT_EQ(element_bytes(DType::kComplex64, FuzzMode::kCompatible), 4);
  EXPECT_EQ(element_bytes(DType::kBool, FuzzMode::kCompatible), 1);
  expect_usage([] { parse_dtype("float8"); },
               "unknown dtype 'float8'; known: bool, uint8, int8, int16, int32, int64, float16, bfloat16, float32, "
               "float64, complex64, complex128");
}

TEST(SampleTest, TooLargeForTheMachineIsToldWithShapes) {
  Sample sample;
  sample.seed = 0;
  sample.index = 3;
  DenseTensor x;
  x.name = std::string("x");
  x.size = x.allocation = {65536, 262144};
  sample.tensors.emplace_back(x);
  expect_usage([&] { check_fits(sample, int64_t{8} << 30); },
               "sample 3 of seed 0 needs 68,719,476,736 bytes (x 65536 x 262144 float32), more than the "
               "8,589,934,592 bytes allowed; choose a "
               "smaller size class or lower max_elements");
  EXPECT_NO_THROW(check_fits(sample, int64_t{68719476736}));
  EXPECT_THROW(check_fits(sample, int64_t{68719476735}), Error);
}

}  // namespace
}  // namespace icount
