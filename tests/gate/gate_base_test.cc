// STORE[:NAME] taken apart.
#include "icount/gate/gate_base.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

TEST(SplitStoreNameTest, PartsOfAnAddressAreNoName) {
  using Parts = std::pair<std::string, std::string>;
  EXPECT_EQ(split_store_name("a/x.sqlite:main"), Parts("a/x.sqlite", "main"));
  EXPECT_EQ(split_store_name("postgresql://u:p@h:5432/db:main"), Parts("postgresql://u:p@h:5432/db", "main"));
  for (const std::string url :
       {"sqlite:history", "postgresql://u:SECRET@h", "postgresql://u@h:5432", "postgres://h/u:p@h", "postgres://h:1"})
    EXPECT_EQ(split_store_name(url), Parts(url, "")) << url;
}

}  // namespace
}  // namespace icount
