// Corrected mode against samples computed by an independent script (tests/testdata/fuzzer/README.md).
#include <gtest/gtest.h>

#include "icount/base/file.h"
#include "icount/fuzzer/op_fuzzers.h"
#include "icount/fuzzer/sample_json.h"
#include "support/golden.h"

namespace icount {
namespace {

Json corrected_cases() {
  const auto path = testdata("fuzzer/corrected.json.xz");
  return parse_json(load_file(path).view(), path.string());
}

FuzzerSpec spec_of(const Json& golden) {
  OpFuzzerOptions options;
  options.size_class = parse_size_class(golden["size_class"].get<std::string>());
  options.dtype = parse_dtype(golden["dtype"].get<std::string>());
  return make_op_fuzzer(parse_op_fuzzer(golden["op"].get<std::string>()).value(), options);
}

TEST(CorrectedFuzzerTest, SamplesOfTheIndependentScript) {
  for (const Json& golden : corrected_cases()) {
    SCOPED_TRACE(golden["op"].get<std::string>() + " " + golden["size_class"].get<std::string>() + " " +
                 golden["seed"].get<std::string>());
    Fuzzer fuzzer(spec_of(golden), std::stoull(golden["seed"].get<std::string>()));
    for (const Json& expected : golden["samples"])
      EXPECT_EQ(sample_json(fuzzer.sample(expected["index"])).dump(), expected.dump());
    EXPECT_EQ(fuzzer.rejections(), golden["rejections"]);
    EXPECT_EQ(fuzzer.total_generated(),
              golden["rejections"].get<int64_t>() + static_cast<int64_t>(golden["samples"].size()));
  }
}

TEST(CorrectedFuzzerTest, ASampleDoesNotDependOnWhatWasDrawnBefore) {
  for (const OpFuzzer op :
       {OpFuzzer::kUnary, OpFuzzer::kBinary, OpFuzzer::kSpectral, OpFuzzer::kSparseUnary, OpFuzzer::kSparseBinary}) {
    OpFuzzerOptions options;
    options.size_class = SizeClass::kSmall;
    for (uint64_t seed = 0; seed < 20; ++seed) {
      Fuzzer all(make_op_fuzzer(op, options), seed);
      const std::vector<Sample> samples = all.take(30);
      Fuzzer backwards(make_op_fuzzer(op, options), seed);
      for (int64_t k = 29; k >= 0; k -= 7)
        ASSERT_EQ(sample_json(backwards.sample(k)).dump(), sample_json(samples[static_cast<size_t>(k)]).dump())
            << to_text(op) << ' ' << seed;
    }
  }
}

TEST(CorrectedFuzzerTest, CompatibleSamplesCanBeNamedByIndexToo) {
  OpFuzzerOptions options;
  options.mode = FuzzMode::kCompatible;
  Fuzzer fuzzer(make_op_fuzzer(OpFuzzer::kBinary, options), 8);
  const std::vector<Sample> samples = fuzzer.take(6);
  EXPECT_EQ(sample_json(fuzzer.sample(5)).dump(), sample_json(samples[5]).dump());
  EXPECT_EQ(sample_json(fuzzer.sample(0)).dump(), sample_json(samples[0]).dump());
}

TEST(CorrectedFuzzerTest, BinaryCutsYByItsOwnSteps) {
  Fuzzer fuzzer(make_op_fuzzer(OpFuzzer::kBinary, {}), 4);
  int different = 0;
  for (const Sample& sample : fuzzer.take(50)) {
    const auto& y = std::get<DenseTensor>(sample.tensors[1]);
    for (size_t d = 0; d < y.steps.size(); ++d)
      EXPECT_EQ(y.steps[d], sample.parameters.integer("y_step_" + std::to_string(d)));
    different += y.steps != std::get<DenseTensor>(sample.tensors[0]).steps;
  }
  EXPECT_GT(different, 10);
}

struct ClassLimits {
  SizeClass size_class;
  int64_t min_elements, max_elements, max_bytes;
};

TEST(CorrectedFuzzerTest, SizeClassesHoldTheirLimits) {
  const ClassLimits classes[] = {{SizeClass::kSmall, 1, 4096, 1 << 20},
                                 {SizeClass::kMedium, 4097, 1 << 20, 256 << 20},
                                 {SizeClass::kLarge, (1 << 20) + 1, 32 << 20, int64_t{2} << 30}};
  for (const ClassLimits& limits : classes)
    for (const OpFuzzer op :
         {OpFuzzer::kUnary, OpFuzzer::kBinary, OpFuzzer::kSpectral, OpFuzzer::kSparseUnary, OpFuzzer::kSparseBinary}) {
      OpFuzzerOptions options;
      options.size_class = limits.size_class;
      options.dtype = DType::kComplex128;
      Fuzzer fuzzer(make_op_fuzzer(op, options), 77);
      for (const Sample& sample : fuzzer.take(300)) {
        ASSERT_GE(tensor_numel(sample.tensors[0]), limits.min_elements);
        for (const SampleTensor& tensor : sample.tensors) ASSERT_LE(tensor_numel(tensor), limits.max_elements);
        ASSERT_LE(allocation_bytes(sample), limits.max_bytes) << to_text(op) << ' ' << sample.index;
      }
    }
}

}  // namespace
}  // namespace icount
