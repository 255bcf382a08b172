#include "icount/fuzzer/table_file.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/fuzzer/fuzzer.h"
#include "icount/fuzzer/op_fuzzers.h"
#include "icount/fuzzer/setup_source.h"
#include "support/error_of.h"
#include "support/places.h"

namespace icount {
namespace {

constexpr std::string_view kUnary = R"(
[[parameter]]
name = "n"
distribution = "loguniform"
min = 4
max = 64

[[parameter]]
name = "m"
table = [[1, 0.5], [{alias = "n"}, 0.5]]
strict = true

[[tensor]]
name = "x"
size = ["n", "m", 2]
steps = [1, 2]
dtype = "float64"
probability_contiguous = 0.75
max_elements = 4096

[[constraint]]
kind = "product_at_most"
of = ["n", "m"]
value = 1000
)";

TEST(TableFileTest, SaysWhatTheSameSpecificationInCppSays) {
  FuzzerSpec spec;
  spec.parameters.push_back(log_uniform_parameter("n", int64_t{4}, int64_t{64}));
  spec.parameters.push_back(table_parameter("m", {{int64_t{1}, 0.5}, {ParameterAlias{"n"}, 0.5}}, true));
  FuzzedTensor tensor;
  tensor.name = std::string("x");
  tensor.size = {"n", "m", int64_t{2}};
  tensor.steps = {int64_t{1}, int64_t{2}};
  tensor.dtype = DType::kFloat64;
  tensor.probability_contiguous = 0.75;
  tensor.max_elements = 4096;
  spec.tensors.emplace_back(tensor);
  spec.constraints.push_back(product_at_most({"n", "m"}, 1000));
  Fuzzer expected(spec, 21), actual(parse_fuzzer_table(kUnary, "u.toml"), 21);
  const std::vector<Sample> wanted = expected.take(50), read = actual.take(50);
  for (size_t k = 0; k < wanted.size(); ++k) ASSERT_EQ(sample_json(read[k]).dump(), sample_json(wanted[k]).dump());
  EXPECT_EQ(actual.rejections(), expected.rejections());
}

TEST(TableFileTest, SparseTensorsAndModes) {
  const FuzzerSpec spec = parse_fuzzer_table(R"(mode = "compatible"
max_sample_bytes = 4096
[[parameter]]
name = "density"
table = [[0.1, 1.0]]
[[parameter]]
name = "flag"
table = [[true, 0.5], [false, 0.5]]
[[tensor]]
name = "s"
layout = "sparse"
size = [8, 8]
coalesced = "flag"
)",
                                             "s.toml");
  EXPECT_EQ(spec.mode, FuzzMode::kCompatible);
  EXPECT_EQ(spec.max_sample_bytes, 4096);
  const auto& sparse = std::get<FuzzedSparseTensor>(spec.tensors.at(0));
  EXPECT_EQ(sparse.coalesced, "flag");
  EXPECT_EQ(sparse.density, "density");
}

struct BadTable {
  std::string_view text;
  std::string_view message;
};

TEST(TableFileTest, MistakesAreToldWithTheirLine) {
  const std::string_view tensor = "[[tensor]]\nname = \"x\"\nsize = [4]\n";
  const BadTable tables[] = {
      {"mode = [", "t.toml:1:9: "},
      {"", "t.toml:1: fuzzer table: there is no [[tensor]]"},
      {"mode = \"fixed\"\n", "t.toml:1: unknown fuzzer mode 'fixed'; use compatible or corrected"},
      {"[[parameters]]\nname = \"a\"\n",
       "t.toml:1: fuzzer table: unknown field 'parameters'; known: mode, max_sample_bytes, parameter, tensor, "
       "constraint"},
      {"[parameter]\nname = \"a\"\n", "t.toml:1: fuzzer table: 'parameter' must be an array of tables: [[parameter]]"},
      {"\n[[parameter]]\ndistribution = \"uniform\"\n", "t.toml:2: [[parameter]]: field 'name' is missing"},
      {"[[parameter]]\nname = \"a\"\ndistribution = \"gauss\"\nmin = 1\nmax = 2\n",
       "t.toml:3: [[parameter]]: unknown distribution 'gauss'; use uniform, loguniform, or a table"},
      {"[[parameter]]\nname = \"a\"\ndistribution = \"uniform\"\nmin = \"1\"\nmax = 2\n",
       "t.toml:4: [[parameter]]: 'min' must be a number"},
      {"[[parameter]]\nname = \"a\"\ndistribution = \"uniform\"\nmin = 3\nmax = 2\n",
       "t.toml:1: parameter 'a': the bounds are crossed: minval 3 is above maxval 2"},
      {"[[parameter]]\nname = \"a\"\ntable = [[1, 0.5]]\n",
       "t.toml:1: parameter 'a': the probabilities add up to 0.5, not to 1"},
      {"[[parameter]]\nname = \"a\"\ntable = [[1, 0.5],\n  [2]]\n",
       "t.toml:4: [[parameter]]: each entry of 'table' is [value, probability]"},
      {"[[parameter]]\nname = \"a\"\ntable = [[1, 1.0]]\nmin = 3\n",
       "t.toml:4: [[parameter]]: parameter 'a' has a table, so 'min' has no meaning"},
      {"[[parameter]]\nname = \"a\"\ntable = [[{alias = \"b\"}, 1.0]]\n[[tensor]]\nname = \"x\"\nsize = "
       "[4]\n",
       "t.toml:3: [[parameter]]: there is no parameter 'b'"},
      {"[[tensor]]\nname = \"x\"\nsize = [\"k\"]\n", "t.toml:3: [[tensor]]: there is no parameter 'k'"},
      {"[[tensor]]\nname = \"x\"\nsize = [4]\ndtype = \"float8\"\n", "t.toml:1: unknown dtype 'float8'; known: "},
      {"[[tensor]]\nname = \"x\"\nsize = [4]\nmin_elements = 9\nmax_elements = 8\n",
       "t.toml:1: tensor 'x': min_elements 9 is above max_elements 8"},
      {"[[tensor]]\nname = \"x\"\nsize = [4]\nlayout = \"csr\"\n",
       "t.toml:4: [[tensor]]: unknown layout 'csr'; use dense or sparse"},
      {"[[tensor]]\nname = \"x\"\nsize = 4\n", "t.toml:3: [[tensor]]: 'size' must be a list"},
      {"[[tensor]]\nname = \"x\"\nsize = [4]\nmax_elements = 4.5\n",
       "t.toml:4: [[tensor]]: 'max_elements' must be an integer"},
  };
  for (const BadTable& table : tables) {
    const std::string error = error_of(ErrorKind::kMalformed, [&] { parse_fuzzer_table(table.text, "t.toml"); });
    EXPECT_EQ(error.substr(0, table.message.size()), table.message) << table.text;
  }
  const std::string bad_constraint = std::string(tensor) + "[[constraint]]\nkind = \"at_most\"\nof = [\"a\"]\n";
  EXPECT_EQ(error_of([&] { parse_fuzzer_table(bad_constraint, "t.toml"); }),
            "t.toml:6: [[constraint]]: 'at_most' needs 2 parameters in 'of', found 1");
}

TEST(TableFileTest, TheTableOfTheDocumentationWorks) {
  const std::string text = load_text(std::filesystem::path(source_dir()) / "docs/fuzzer.md");
  const size_t first = text.find("```toml\n") + 8;
  const std::string table = text.substr(first, text.find("```", first) - first);
  const std::vector<Sample> samples = Fuzzer(parse_fuzzer_table(table, "docs/fuzzer.md"), 1).take(5);
  EXPECT_EQ(samples.back().tensors.size(), 2u);
}

TEST(TableFileTest, AMissingFileIsAnIoError) {
  try {
    load_fuzzer_table("/nowhere/at/all.toml");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
  }
}

std::string setup_of(const std::string& tensor, SetupLanguage language, const std::string& mode = "corrected") {
  const FuzzerSpec spec =
      parse_fuzzer_table("mode = \"" + mode +
                             "\"\n[[parameter]]\nname = \"n\"\ntable = [[5, 1.0]]\n[[tensor]]\nname = "
                             "\"x\"\nsize = [\"n\", 2]\nprobability_contiguous = 1.0\n" +
                             tensor,
                         "t.toml");
  Fuzzer fuzzer(spec, 1);
  const std::string setup = make_setup(fuzzer, 0, language);
  return setup.substr(setup.find('\n') + 1);  // without the seed
}

TEST(TableFileTest, ConstructorsAndDevicesStandInTheSetUp) {
  EXPECT_EQ(
      setup_of("tensor_constructor = \"torch::full({size}, {n}, {dtype})\"\nsteps = [1, 3]\n", SetupLanguage::kCpp),
      "torch::Tensor x = torch::full({5, 6}, 5, torch::kFloat);\nx = x.slice(1, 0, 6, 3);\n");
  EXPECT_EQ(setup_of("tensor_constructor = \"make({size}, {'a': {n}}, dtype={dtype})\"\n", SetupLanguage::kPython),
            "x = make([5, 2], {'a': 5}, dtype=torch.float32)\n");
  EXPECT_EQ(setup_of("cuda = true\nroll_parameter = \"n\"\n", SetupLanguage::kPython, "compatible"),
            "x = torch.rand([5, 2], dtype=torch.float32).cuda()\n");
}

TEST(TableFileTest, WhatAConstructorCannotBeIsNamed) {
  EXPECT_NE(error_of([] {
              setup_of("tensor_constructor = \"f({size})\"\n", SetupLanguage::kCpp, "compatible");
            }).find("tensor 'x': a tensor_constructor needs mode = \"corrected\""),
            std::string::npos);
  EXPECT_NE(
      error_of([] { setup_of("roll_parameter = \"m\"\n", SetupLanguage::kCpp); }).find("there is no parameter 'm'"),
      std::string::npos);
  EXPECT_NE(error_of([] { setup_of("cuda = 1\n", SetupLanguage::kCpp); }).find("cuda is true or false"),
            std::string::npos);
}

}  // namespace
}  // namespace icount
