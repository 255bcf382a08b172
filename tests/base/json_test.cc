#include "icount/base/json.h"

#include <gtest/gtest.h>

#include "icount/base/error.h"
#include "support/error_of.h"

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

std::string refusal_of(std::string_view text) {
  try {
    parse_json(text, "x.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(JsonTest, RefusesWhatOtherPartsCantHold) {
  const auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(refusal_of(nested(200)), "accepted");
  EXPECT_EQ(refusal_of("\n " + nested(201)), "x.json:2:202: nested more than 200 deep");
  EXPECT_EQ(refusal_of("\"" + std::string(300, '[') + "\\\"" + std::string(300, '{') + "\\\\\""), "accepted");
  EXPECT_EQ(refusal_of("[\"a\", " + nested(200) + "]"), "x.json:1:206: nested more than 200 deep");
  EXPECT_EQ(refusal_of("[1e999]"), "x.json: a number is out of range for double");
}

TEST(JsonTest, WholeNumbersAreNeverCutOff) {
  EXPECT_EQ(json_whole_number(parse_json("-9223372036854775808", "x")), INT64_MIN);
  EXPECT_EQ(json_whole_number(parse_json("9223372036854775807", "x")), INT64_MAX);
  for (const char* other : {"9223372036854775808", "1.0", "\"1\"", "true", "null"})
    EXPECT_EQ(json_whole_number(parse_json(other, "x")), std::nullopt) << other;
  EXPECT_EQ(json_whole_number_field(parse_json("{\"a\": 3}", "x"), "a", "x"), 3);
  try {
    json_whole_number_field(parse_json("{\"a\": 1e3}", "x"), "a", "x.json");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "x.json: field 'a' is not a 64-bit integer");
  }
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

TEST(JsonTest, AStringWithoutAnEndIsNoJson) {
  for (const std::string text : {"[\"abc", "[\"abc\\\"", "\""})
    EXPECT_TRUE(error_of(ErrorKind::kMalformed, [&] { parse_json(text, "f"); }).ends_with(": not valid JSON")) << text;
  EXPECT_EQ(error_of(ErrorKind::kMalformed, [] { json_field(Json::array(), "k", "f"); }), "f: no field 'k'");
}

}  // namespace
}  // namespace icount
