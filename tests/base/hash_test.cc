#include "icount/base/hash.h"

#include <gtest/gtest.h>

#include "icount/base/string_pool.h"

namespace icount {
namespace {

TEST(HashTest, IsTheDocumentedXxh3) {
  // The published XXH3 values of the empty input (seed 0).
  EXPECT_EQ(content_hash(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(hash64(""), 0x2d06800538d394c2u);
  EXPECT_NE(content_hash("a"), content_hash("b"));
}

TEST(StringPoolTest, EqualTextsShareAnIdThroughGrowthAndCopies) {
  StringPool pool;
  std::vector<StringId> ids;
  for (int i = 0; i < 5000; ++i) ids.push_back(pool.intern("name" + std::to_string(i)));
  EXPECT_EQ(pool.size(), 5001u);
  const StringPool copy = pool;
  const StringPool moved = std::move(pool);
  for (int i = 0; i < 5000; ++i) {
    EXPECT_EQ(copy.view(ids[i]), "name" + std::to_string(i));
    EXPECT_EQ(moved.view(ids[i]), copy.view(ids[i]));
  }
  StringPool again = copy;
  EXPECT_EQ(again.intern("name17"), ids[17]);
  EXPECT_EQ(again.intern(""), kEmptyString);
  const std::string huge(200000, 'h');
  EXPECT_EQ(again.view(again.intern(huge)), huge);
}

}  // namespace
}  // namespace icount
