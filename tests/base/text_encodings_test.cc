#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "icount/base/text_encodings.h"

namespace icount {
namespace {

TEST(Base64Test, TheExamplesOfTheRfc) {
  const std::pair<std::string_view, std::string_view> cases[] = {{"", ""},
                                                                 {"f", "Zg=="},
                                                                 {"fo", "Zm8="},
                                                                 {"foo", "Zm9v"},
                                                                 {"foob", "Zm9vYg=="},
                                                                 {"fooba", "Zm9vYmE="},
                                                                 {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, text] : cases) {
    EXPECT_EQ(to_base64(plain), text);
    EXPECT_EQ(from_base64(text, "x"), plain);
  }
}

TEST(Base64Test, EveryByteSurvives) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(from_base64(to_base64(bytes), "x"), bytes);
}

TEST(Base64Test, AnythingElseIsRefused) {
  for (std::string_view text : {"Zg=", "Z", "Zg==Zg==", "Zm 9", "=m9v", "Zm9\n"})
    EXPECT_THROW(from_base64(text, "x"), Error) << text;
}

}  // namespace
}  // namespace icount
