#include "base/json.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace icount {
namespace {

TEST(JsonTest, ErrorsNameLineAndColumn) {
  try {
    parse_json("{\n  \"a\": nope\n}", "x.json");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 9), "x.json:2:");
  }
  EXPECT_THROW(parse_json("", "empty"), Error);
}

TEST(JsonTest, KeysKeepTheirOrderAndBadBytesAreReplaced) {
  Json value;
  value["b"] = 1;
  value["a"] = "\xff";
  EXPECT_EQ(dump_json(value, -1), "{\"b\":1,\"a\":\"\xEF\xBF\xBD\"}");
}

TEST(JsonTest, MissingFieldIsNamed) {
  const Json value = parse_json("{\"a\": 1}", "x");
  EXPECT_EQ(json_field(value, "a", "x"), 1);
  try {
    json_field(value, "b", "x.json");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "x.json: no field 'b'");
  }
}

}  // namespace
}  // namespace icount
