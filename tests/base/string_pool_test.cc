#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "icount/base/hash.h"
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

TEST(StringPoolTest, IdsCountInTheOrderOfFirstSight) {
  StringPool pool;
  EXPECT_EQ(pool.size(), 1u);
  EXPECT_EQ(pool.intern(""), kEmptyString);
  EXPECT_EQ(pool.intern("a"), 1u);
  EXPECT_EQ(pool.intern("b"), 2u);
  EXPECT_EQ(pool.intern("a"), 1u);
  EXPECT_EQ(pool.view(2), "b");
  EXPECT_EQ(pool.size(), 3u);
}

TEST(StringPoolTest, ManyAndLongStringsKeepTheirPlace) {
  StringPool pool;
  const std::string_view first = pool.view(pool.intern("first"));
  for (int i = 0; i < 5000; ++i) EXPECT_EQ(pool.intern("name " + std::to_string(i)), static_cast<StringId>(i + 2));
  const std::string longer(1 << 20, 'x');
  EXPECT_EQ(pool.view(pool.intern(longer)), longer);
  EXPECT_EQ(pool.intern("name 4999"), 5001u);
  EXPECT_EQ(first, "first");
  EXPECT_EQ(first.data(), pool.view(1).data()) << "views stay valid";
}

TEST(StringPoolTest, CopiesAreDeepAndMovesKeepViews) {
  StringPool pool;
  pool.intern("a");
  StringPool copy = pool;
  EXPECT_NE(copy.view(1).data(), pool.view(1).data());
  EXPECT_EQ(copy.intern("a"), 1u);
  EXPECT_EQ(copy.intern("b"), 2u);
  EXPECT_EQ(pool.size(), 2u);
  pool = copy;
  EXPECT_EQ(pool.intern("b"), 2u);
  const char* const at = copy.view(1).data();
  const StringPool moved = std::move(copy);
  EXPECT_EQ(moved.view(1).data(), at);
}

TEST(StringPoolTest, AnUnknownTextHasAnIdOfItsOwn) {
  StringPool pool;
  const StringId unknown = pool.add_unknown();
  EXPECT_EQ(pool.view(unknown), "");
  EXPECT_NE(unknown, kEmptyString);
  EXPECT_EQ(pool.intern(""), kEmptyString);
  EXPECT_EQ(pool.intern("x"), unknown + 1);
  EXPECT_EQ(pool.intern("x"), unknown + 1);
}

TEST(StringPoolTest, UnknownTextsSurviveCopiesAndGrowth) {
  StringPool pool;
  const StringId unknown = pool.add_unknown();
  std::vector<StringId> ids;
  for (int i = 0; i < 2000; ++i) ids.push_back(pool.intern("name " + std::to_string(i)));
  StringPool copy;
  copy = pool;
  const StringPool& itself = copy;
  copy = itself;
  EXPECT_EQ(copy.size(), pool.size());
  EXPECT_EQ(copy.view(unknown), "");
  for (int i = 0; i < 2000; ++i) EXPECT_EQ(copy.intern("name " + std::to_string(i)), ids[static_cast<size_t>(i)]);
  EXPECT_EQ(copy.intern(""), kEmptyString) << "an unknown text is not the empty one";
}

}  // namespace
}  // namespace icount
