// The standard set against PyTorch's recorded keys: same benchmarks, same order, same checksum.
#include "icount/base/json.h"
#include "icount/suite/definition_file.h"
#include "icount/suite/work_order.h"
#include "support/golden.h"
#include "support/places.h"

namespace icount {
namespace {

class StandardSetTest : public ::testing::TestWithParam<size_t> {};

TEST_P(StandardSetTest, GivesTheRecordedKeysInOrder) {
  Json golden = load_cases("suite.json")[GetParam()];
  Suite suite = load_suite(source_dir() + "/suite/standard.toml");
  ExpandOptions options;
  options.torchscript = golden["input"]["torchscript"];
  std::vector<std::string> keys = work_order_keys(materialize_suite(suite, options));
  EXPECT_EQ(keys, golden["expect"]["keys"].get<std::vector<std::string>>());
  EXPECT_EQ(keys.size(), golden["expect"]["count"].get<size_t>());
  EXPECT_EQ(keys_md5(keys), golden["expect"]["md5"].get<std::string>());
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutTorchScript, StandardSetTest, ::testing::Values(0, 1));

}  // namespace
}  // namespace icount
