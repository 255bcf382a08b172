// Compatible mode against the samples recorded from PyTorch.
#include <gtest/gtest.h>

#include "fuzzer/golden_fuzzer.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/fuzzer/fuzzer.h"
#include "icount/fuzzer/op_fuzzers.h"
#include "support/golden.h"

namespace icount {
namespace {

std::vector<Json> cases_of(const std::string& kind) {
  std::vector<Json> cases;
  for (const Json& golden : load_cases("fuzzer.json"))
    if (golden["kind"] == kind) cases.push_back(golden);
  EXPECT_FALSE(cases.empty()) << kind;
  return cases;
}

// Samples without the tensors' values, which need LibTorch (tensor_torch_test.cc).
Json without_values(Json samples) {
  for (Json& sample : samples)
    for (auto& [name, tensor] : sample["tensors"].items()) tensor.erase("values");
  return samples;
}

void expect_samples(Fuzzer& fuzzer, int64_t n, const Json& expected) {
  const std::vector<Sample> samples = fuzzer.take(n);
  const Json wanted = without_values(expected["samples"]);
  ASSERT_EQ(samples.size(), wanted.size());
  for (size_t k = 0; k < samples.size(); ++k) {
    ASSERT_EQ(golden_form(samples[k]).dump(), wanted[k].dump()) << "sample " << k;
    if (expected.contains("torch_seed")) {
      ASSERT_EQ(samples[k].torch_seed, expected["torch_seed"]);
    }
  }
  EXPECT_EQ(fuzzer.rejections(), expected["rejections"]);
  EXPECT_EQ(fuzzer.total_generated(), expected["total_generated"]);
  EXPECT_EQ(fuzzer.rejection_rate(), expected["rejection_rate"]);
}

TEST(CompatibleFuzzerTest, OpFuzzerSamples) {
  for (const std::string kind : {"op_fuzzer", "op_fuzzer_values"})
    for (const Json& golden : cases_of(kind)) {
      SCOPED_TRACE(golden["name"]);
      Fuzzer fuzzer(golden_op_fuzzer(golden["input"]), golden["input"]["seed"]);
      expect_samples(fuzzer, golden["input"]["n"], golden["expect"]);
    }
}

TEST(CompatibleFuzzerTest, CustomFuzzerSamples) {
  for (const std::string kind : {"custom_fuzzer", "tensor_values"})
    for (const Json& golden : cases_of(kind)) {
      SCOPED_TRACE(golden["name"]);
      Fuzzer fuzzer(golden_spec(golden["input"]), golden["input"]["seed"]);
      expect_samples(fuzzer, golden["input"]["n"], golden["expect"]);
    }
}

TEST(CompatibleFuzzerTest, EachTakeRestartsAndCountersGoOn) {
  for (const Json& golden : cases_of("take_again")) {
    SCOPED_TRACE(golden["name"]);
    Fuzzer fuzzer(golden_spec(golden["input"]), golden["input"]["seed"]);
    EXPECT_EQ(fuzzer.rejection_rate(), golden["expect"]["before"]["rejection_rate"]);
    const Json& takes = golden["input"]["takes"];
    for (size_t i = 0; i < takes.size(); ++i) expect_samples(fuzzer, takes[i], golden["expect"]["takes"][i]);
  }
}

TEST(CompatibleFuzzerTest, WhatPyTorchRefusesIsRefused) {
  for (const Json& golden : cases_of("fuzzer_raises")) {
    SCOPED_TRACE(golden["name"]);
    const Json& input = golden["input"];
    try {
      Fuzzer fuzzer(golden_spec(input), static_cast<uint64_t>(input["seed"].get<int64_t>()));
      fuzzer.take(input["n"]);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage) << error.what();
    }
  }
}

Json bound_json(const FuzzedParameter& parameter, const Bound& bound) {
  if (parameter.distribution.kind() == Distribution::Kind::kTable) return nullptr;
  return std::visit([](auto value) { return Json(value); }, bound);
}

Json parameter_json(const FuzzedParameter& parameter) {
  Json json{{"name", parameter.name},
            {"minval", bound_json(parameter, parameter.distribution.low())},
            {"maxval", bound_json(parameter, parameter.distribution.high())},
            {"strict", parameter.strict}};
  if (parameter.distribution.kind() == Distribution::Kind::kTable) {
    json["distribution"] = Json::array();
    for (const auto& [value, probability] : parameter.distribution.entries()) {
      const auto* alias = std::get_if<ParameterAlias>(&value);
      const Json shown = alias ? Json{{"alias", alias->to}} : Json(std::get<int64_t>(value));
      json["distribution"].push_back(Json::array({shown, probability}));
    }
  } else {
    json["distribution"] = parameter.distribution.kind() == Distribution::Kind::kUniform ? "uniform" : "loguniform";
  }
  return json;
}

// density and coalesced stand in tables of numbers and truth values.
Json table_json(const FuzzedParameter& parameter) {
  if (parameter.name != "density" && parameter.name != "coalesced") return parameter_json(parameter);
  Json json{{"name", parameter.name},
            {"minval", nullptr},
            {"maxval", nullptr},
            {"strict", parameter.strict},
            {"distribution", Json::array()}};
  for (const auto& [value, probability] : parameter.distribution.entries()) {
    const Json shown = parameter.name == "density" ? Json(std::get<double>(value)) : Json(std::get<bool>(value));
    json["distribution"].push_back(Json::array({shown, probability}));
  }
  return json;
}

Json terms_json(const std::vector<SizeTerm>& terms) {
  if (terms.empty()) return nullptr;
  Json json = Json::array();
  for (const SizeTerm& term : terms) json.push_back(std::get<std::string>(term));
  return json;
}

Json limit_json(const std::optional<int64_t>& limit) { return limit ? Json(*limit) : Json(nullptr); }

Json tensor_json(const TensorSpec& spec) {
  const auto* sparse = std::get_if<FuzzedSparseTensor>(&spec);
  const FuzzedTensor& tensor = sparse ? sparse->shape : std::get<FuzzedTensor>(spec);
  return Json{{"name", tensor.name},
              {"size", terms_json(tensor.size)},
              {"steps", terms_json(tensor.steps)},
              {"probability_contiguous", tensor.probability_contiguous},
              {"min_elements", limit_json(tensor.min_elements)},
              {"max_elements", limit_json(tensor.max_elements)},
              {"max_allocation_bytes", limit_json(tensor.max_allocation_bytes)},
              {"dim_parameter", tensor.dim_parameter},
              {"dtype", "torch." + std::string(to_text(tensor.dtype))}};
}

TEST(CompatibleFuzzerTest, OpFuzzerDefinitions) {
  for (const Json& golden : cases_of("op_fuzzer_definition")) {
    SCOPED_TRACE(golden["name"]);
    const FuzzerSpec spec = golden_op_fuzzer(golden["input"]);
    const Json& expected = golden["expect"];
    ASSERT_EQ(spec.parameters.size(), expected["parameters"].size());
    for (size_t i = 0; i < spec.parameters.size(); ++i)
      EXPECT_EQ(table_json(spec.parameters[i]).dump(), expected["parameters"][i].dump());
    ASSERT_EQ(spec.tensors.size(), expected["tensors"].size());
    for (size_t i = 0; i < spec.tensors.size(); ++i)
      EXPECT_EQ(tensor_json(spec.tensors[i]).dump(), expected["tensors"][i].dump());
  }
}

// The recorded defects: what 2.13 refuses by mistake works here, what it accepts and then fails on is refused
// at once. The two of LibTorch's constructors are in tensor_torch_test.cc.
TEST(CompatibleFuzzerTest, DefectsOfTheReference) {
  int seen = 0;
  for (const Json& golden : cases_of("reference_defect")) {
    SCOPED_TRACE(golden["name"]);
    const std::string name = golden["name"];
    const Json& input = golden["input"];
    if (name.find("normalised_table_rejected") != std::string::npos) {
      EXPECT_NO_THROW(golden_parameter(input["parameter"]));
    } else if (name.find("op_fuzzer_unusable") != std::string::npos) {
      EXPECT_NO_THROW(Fuzzer(golden_op_fuzzer(input), input["seed"]).take(1));
    } else if (name.find("unnormalised_table") != std::string::npos) {
      EXPECT_THROW(golden_parameter(input["parameter"]), Error);
    } else {
      continue;
    }
    ++seen;
  }
  EXPECT_GE(seen, 3);
}

// Corrected mode against samples computed by an independent script (tests/testdata/fuzzer/README.md).

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
