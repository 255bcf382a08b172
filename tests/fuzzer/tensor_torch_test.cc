// Real tensors against PyTorch's recorded values: checksums over every element, so that nothing can
// hide.
#include "icount/fuzzer/tensor_torch.h"

#include <ATen/Context.h>
#include <ATen/ops/_sparse_coo_tensor_unsafe.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/record_function.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fuzzer/golden_fuzzer.h"
#include "icount/base/error.h"
#include "support/golden.h"

namespace icount {
namespace {

constexpr int64_t kLimit = int64_t{8} << 30;

// zlib's CRC-32, a nibble at a time.
uint32_t crc32_of(const at::Tensor& contiguous) {
  static constexpr uint32_t kTable[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                          0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                          0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  const auto* bytes = static_cast<const unsigned char*>(contiguous.data_ptr());
  const auto size = static_cast<size_t>(contiguous.numel()) * contiguous.element_size();
  uint32_t crc = 0xffffffff;
  for (size_t i = 0; i < size; ++i) {
    crc = kTable[(crc ^ bytes[i]) & 15] ^ (crc >> 4);
    crc = kTable[(crc ^ (bytes[i] >> 4)) & 15] ^ (crc >> 4);
  }
  return ~crc;
}

std::vector<double> numbers_of(const at::Tensor& tensor) {
  const at::Tensor real = tensor.is_complex() ? at::view_as_real(tensor.contiguous()) : tensor;
  const at::Tensor flat = real.to(at::kDouble).contiguous().view({-1});
  return std::vector<double>(flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel());
}

double compensated_sum(const std::vector<double>& numbers) {
  double sum = 0, lost = 0;
  for (const double number : numbers) {
    const double next = sum + number;
    lost += std::abs(sum) >= std::abs(number) ? (sum - next) + number : (number - next) + sum;
    sum = next;
  }
  return sum + lost;
}

std::vector<double> flat_numbers(const Json& values) {
  std::vector<double> numbers;
  for (const Json& value : values) {
    if (value.is_array())
      for (const Json& part : value) numbers.push_back(part);
    else
      numbers.push_back(value);
  }
  return numbers;
}

void expect_first(const std::vector<double>& numbers, const Json& expected, double tolerance) {
  const std::vector<double> wanted = flat_numbers(expected);
  ASSERT_GE(numbers.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) ASSERT_NEAR(numbers[i], wanted[i], tolerance) << i;
}

void expect_dense_values(const at::Tensor& tensor, const Json& expected) {
  const std::vector<double> numbers = numbers_of(tensor);
  expect_first(numbers, expected["first"], 0);
  EXPECT_DOUBLE_EQ(compensated_sum(numbers), expected["sum"].get<double>());
  EXPECT_EQ(crc32_of(tensor.contiguous()), expected["crc32"].get<uint32_t>());
}

void expect_sparse_values(const at::Tensor& tensor, const Json& expected) {
  ASSERT_EQ(tensor._nnz(), expected["nnz"]);
  const at::Tensor indices = tensor._indices().contiguous();
  EXPECT_EQ(crc32_of(indices), expected["indices_crc32"].get<uint32_t>());
  for (int64_t row = 0; row < indices.size(0); ++row)
    expect_first(numbers_of(indices[row]), expected["indices_first"][row], 0);
  const int64_t half = expected["first_half"];
  const at::Tensor uniform = tensor._values().slice(0, 0, half).contiguous();
  expect_first(numbers_of(uniform), expected["values_first"], 0);
  EXPECT_EQ(crc32_of(uniform), expected["values_crc32"].get<uint32_t>());
  expect_first(numbers_of(tensor._values().slice(0, half)), expected["gaussian_first"], 1e-5);
}

// What LibTorch made against what the sample says.
void expect_as_described(const at::Tensor& tensor, const SampleTensor& described) {
  if (const auto* dense = std::get_if<DenseTensor>(&described)) {
    EXPECT_EQ(tensor.sizes().vec(), dense->size);
    EXPECT_EQ(tensor.strides().vec(), dense->strides);
    EXPECT_EQ(tensor.is_contiguous(), dense->is_contiguous);
    return;
  }
  const auto& sparse = std::get<SparseTensor>(described);
  EXPECT_EQ(tensor.sizes().vec(), sparse.size);
  EXPECT_EQ(tensor.sparse_dim(), sparse.sparse_dim);
  EXPECT_EQ(tensor.dense_dim(), sparse.dense_dim());
  EXPECT_EQ(tensor.is_coalesced(), sparse.is_coalesced);
}

TEST(TensorMakerTest, ValuesOfPyTorch) {
  int checked = 0;
  for (const Json& golden : load_cases("fuzzer.json")) {
    const bool is_op = golden["kind"] == "op_fuzzer_values";
    if (!is_op && golden["kind"] != "tensor_values") continue;
    SCOPED_TRACE(golden["name"]);
    const Json& input = golden["input"];
    Fuzzer fuzzer(is_op ? golden_op_fuzzer(input) : golden_spec(input), input["seed"]);
    TensorMaker maker(kLimit);
    for (const Sample& sample : fuzzer.take(input["n"])) {
      SCOPED_TRACE(sample.index);
      const Json& expected = golden["expect"]["samples"][sample.index]["tensors"];
      const std::vector<NamedTensor> tensors = maker.make(sample);
      for (size_t t = 0; t < tensors.size(); ++t) {
        SCOPED_TRACE(tensors[t].name);
        expect_as_described(tensors[t].tensor, sample.tensors[t]);
        const Json& values = expected[tensors[t].name]["values"];
        if (tensors[t].tensor.is_sparse())
          expect_sparse_values(tensors[t].tensor, values);
        else
          expect_dense_values(tensors[t].tensor, values);
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 0);
}

TEST(TensorMakerTest, SeekingBuildsTheSameAsGoingThrough) {
  for (const OpFuzzer op : {OpFuzzer::kUnary, OpFuzzer::kSpectral, OpFuzzer::kSparseUnary}) {
    SCOPED_TRACE(to_text(op));
    OpFuzzerOptions options;
    options.mode = FuzzMode::kCompatible;
    FuzzerSpec spec = make_op_fuzzer(op, options);
    for (TensorSpec& tensor : spec.tensors) {
      auto* sparse = std::get_if<FuzzedSparseTensor>(&tensor);
      (sparse ? sparse->shape : std::get<FuzzedTensor>(tensor)).max_elements = 1 << 20;
    }
    Fuzzer fuzzer(spec, 11);
    const std::vector<Sample> samples = fuzzer.take(5);
    TensorMaker through(kLimit), jumping(kLimit);
    TorchPosition position;
    for (const Sample& sample : samples) {
      const at::Tensor expected = through.make(sample)[0].tensor;
      jumping.seek(sample, position);
      const at::Tensor actual = jumping.make(sample)[0].tensor;
      EXPECT_TRUE(actual.to_dense().equal(expected.to_dense())) << sample.index;
      advance(position, sample);
    }
  }
}

TEST(TensorMakerTest, CompatibleSamplesOutOfOrderAreRefused) {
  OpFuzzerOptions options;
  options.mode = FuzzMode::kCompatible;
  Fuzzer fuzzer(make_op_fuzzer(OpFuzzer::kUnary, options), 0);
  TensorMaker maker(kLimit);
  try {
    maker.make(fuzzer.sample(2));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "sample 2 of the compatible mode cannot be built after 0 samples; build them in order or seek first");
  }
}

FuzzerSpec one_tensor(FuzzMode mode, DType dtype) {
  FuzzerSpec spec;
  spec.mode = mode;
  spec.parameters.push_back(uniform_parameter("n", int64_t{5}, int64_t{9}));
  FuzzedTensor tensor;
  tensor.name = std::string("x");
  tensor.size = {"n", int64_t{4}, int64_t{3}};
  tensor.steps = {int64_t{2}, int64_t{1}, int64_t{3}};
  tensor.probability_contiguous = 0.3;
  tensor.dtype = dtype;
  spec.tensors.emplace_back(tensor);
  return spec;
}

std::vector<std::string> called;  // of LibTorch's functions, in their order

std::unique_ptr<at::ObserverContext> note_call(const at::RecordFunction& function) {
  called.emplace_back(function.name());
  return nullptr;
}

// Without a device the move fails: what was called until then tells when it was tried.
TEST(TensorMakerTest, TensorsForADeviceMoveThereBeforeTheyArePermutedAndCut) {
  if (at::hasCUDA()) GTEST_SKIP() << "a LibTorch with CUDA: the move may succeed";
  for (const FuzzMode mode : {FuzzMode::kCompatible, FuzzMode::kCorrected}) {
    FuzzerSpec spec = one_tensor(mode, DType::kFloat32);
    auto& tensor = std::get<FuzzedTensor>(spec.tensors[0]);
    tensor.probability_contiguous = 0;
    tensor.cuda = true;
    Fuzzer fuzzer(spec, 5);
    TensorMaker maker(kLimit);
    called.clear();
    const auto handle =
        at::addThreadLocalCallback(at::RecordFunctionCallback(&note_call).scopes({at::RecordScope::FUNCTION}));
    EXPECT_THROW(maker.make(fuzzer.sample(0)), Error);
    at::removeCallback(handle);
    const auto has = [](const char* name) { return std::find(called.begin(), called.end(), name) != called.end(); };
    EXPECT_TRUE(has("aten::rand"));
    EXPECT_TRUE(has("aten::to"));
    for (const char* later : {"aten::permute", "aten::slice"}) EXPECT_FALSE(has(later)) << later;
  }
}

TEST(TensorMakerTest, EveryDtypeHasADefaultFillInBothModes) {
  for (const FuzzMode mode : {FuzzMode::kCompatible, FuzzMode::kCorrected})
    for (int d = 0; d <= static_cast<int>(DType::kComplex128); ++d) {
      const auto dtype = static_cast<DType>(d);
      SCOPED_TRACE(to_text(dtype));
      Fuzzer fuzzer(one_tensor(mode, dtype), 5);
      TensorMaker maker(kLimit);
      for (const Sample& sample : fuzzer.take(6)) {
        const at::Tensor tensor = maker.make(sample)[0].tensor;
        expect_as_described(tensor, sample.tensors[0]);
        EXPECT_EQ(tensor.element_size(), static_cast<size_t>(element_bytes(dtype, FuzzMode::kCorrected)));
        for (const double number : numbers_of(tensor)) {
          ASSERT_GE(number, static_cast<double>(is_continuous(dtype) ? 0 : fill_low(dtype)));
          ASSERT_LE(number, static_cast<double>(is_continuous(dtype) ? 1 : fill_past_last(dtype) - 1));
        }
      }
    }
}

TEST(TensorMakerTest, CorrectedSparseTensorsHoldTheShareTheyClaim) {
  for (const DType dtype : {DType::kFloat32, DType::kInt64, DType::kComplex64, DType::kBool}) {
    OpFuzzerOptions options;
    options.size_class = SizeClass::kSmall;
    options.dtype = dtype;
    Fuzzer fuzzer(make_op_fuzzer(OpFuzzer::kSparseBinary, options), 3);
    TensorMaker maker(1 << 20);
    for (const Sample& sample : fuzzer.take(40)) {
      SCOPED_TRACE(sample.index);
      const std::vector<NamedTensor> tensors = maker.make(sample);
      for (size_t t = 0; t < tensors.size(); ++t) {
        const auto& described = std::get<SparseTensor>(sample.tensors[t]);
        expect_as_described(tensors[t].tensor, described);
        const at::Tensor coalesced = tensors[t].tensor.coalesce();
        EXPECT_EQ(coalesced._nnz(), described.nnz) << "positions are distinct";
        EXPECT_EQ(tensors[t].tensor._nnz(), described.nnz * (described.is_coalesced ? 1 : 2));
        const double cells = static_cast<double>(described.numel) / static_cast<double>(described.block_elements());
        EXPECT_GE(static_cast<double>(described.nnz), described.density * cells);
        EXPECT_LT(static_cast<double>(described.nnz), described.density * cells + 1);
      }
    }
  }
}

TEST(TensorMakerTest, TooLargeIsRefusedBeforeAllocating) {
  OpFuzzerOptions options;
  options.size_class = SizeClass::kLarge;
  Fuzzer fuzzer(make_op_fuzzer(OpFuzzer::kUnary, options), 1);
  const Sample sample = fuzzer.sample(0);
  TensorMaker maker(4096);
  try {
    maker.make(sample);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_NE(std::string(error.what()).find("more than the 4,096 bytes allowed"), std::string::npos) << error.what();
  }
}

// PyTorch fails inside LibTorch on these; here the first is refused with a reason and the second works.
TEST(TensorMakerTest, DefectsOfTheReferenceInConstructors) {
  int seen = 0;
  for (const Json& golden : load_cases("fuzzer.json")) {
    if (golden["kind"] != "reference_defect") continue;
    const Json& input = golden["input"];
    if (!input.contains("size")) continue;
    ++seen;
    Sample sample;
    sample.mode = FuzzMode::kCompatible;
    TensorMaker maker(kLimit);
    if (input.contains("nnz")) {
      SparseTensor tensor{"x",
                          parse_dtype(input["dtype"].get<std::string>()),
                          input["size"],
                          input["sparse_dim"],
                          input["nnz"],
                          0.1,
                          input["coalesced"],
                          16};
      sample.tensors.emplace_back(tensor);
      EXPECT_THROW(maker.make(sample), Error);
    } else {
      DenseTensor tensor;
      tensor.name = std::string("x");
      tensor.dtype = parse_dtype(input["dtype"].get<std::string>());
      tensor.size = tensor.allocation = input["size"].get<std::vector<int64_t>>();
      tensor.steps = {1};
      tensor.order = {0};
      sample.tensors.emplace_back(tensor);
      EXPECT_EQ(maker.make(sample)[0].tensor.scalar_type(), at::kBool);
    }
  }
  EXPECT_GT(seen, 0);
}

}  // namespace
}  // namespace icount
