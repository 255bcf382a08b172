// The schema for editors against the reader itself: for each kind of table both know the same fields.
#include <set>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/base/toml_value.h"
#include "icount/suite/definition_file.h"
#include "support/golden.h"
#include "support/places.h"

namespace icount {
namespace {

const std::string kRoot = source_dir();

Json load_schema() { return parse_json(load_text(kRoot + "/suite/suite.schema.json"), "suite.schema.json"); }

/// The fields that the reader names when it meets one that nothing resembles.
std::set<std::string> fields_of_reader(const std::string& head) {
  try {
    parse_suite(head + "zzzzzzzzzzzzzzzzzzzz = 1\n", "s.toml");
  } catch (const Error& error) {
    const std::string message = error.what();
    const std::string mark = "has no field 'zzzzzzzzzzzzzzzzzzzz'; it may hold ";
    const size_t begin = message.find(mark) + mark.size();
    std::set<std::string> fields;
    std::string list = message.substr(begin, message.find('\n', begin) - begin);
    for (size_t at = 0; at != std::string::npos;) {
      const size_t comma = list.find(", ", at);
      fields.insert(list.substr(at, comma == std::string::npos ? comma : comma - at));
      at = comma == std::string::npos ? comma : comma + 2;
    }
    return fields;
  }
  ADD_FAILURE() << "the reader took an unknown field: " << head;
  return {};
}

std::set<std::string> fields_of_schema(const Json& table) {
  std::set<std::string> fields;
  for (const auto& [name, field] : table["properties"].items()) fields.insert(name);
  return fields;
}

TEST(SchemaTest, KnowsTheFieldsThatTheReaderKnows) {
  const Json schema = load_schema();
  EXPECT_EQ(fields_of_schema(schema), fields_of_reader(""));
  for (std::string table : {"group", "stmts", "modules", "variants", "timer_args", "programs", "bench", "tests"}) {
    EXPECT_EQ(fields_of_schema(schema["$defs"][table]), fields_of_reader("[[" + table + "]]\n")) << table;
  }
  for (std::string table : {"library", "run", "limits"})
    EXPECT_EQ(fields_of_schema(schema["$defs"][table]), fields_of_reader("[" + table + "]\n")) << table;
  EXPECT_EQ(fields_of_schema(schema["$defs"]["setup"]), fields_of_reader("[setup.a]\n"));
}

/// Whether each key of a suite's tables is one that the schema allows there.
void check_keys(const Json& schema, const Json& definition, const Json& value, const std::string& path) {
  if (definition.contains("$ref"))
    return check_keys(schema, schema["$defs"][definition["$ref"].get<std::string>().substr(8)], value, path);
  if (value.is_array() && definition.contains("items")) {
    for (const Json& item : value) check_keys(schema, definition["items"], item, path + "[]");
  }
  if (!value.is_object() || !definition.contains("properties")) return;
  for (const auto& [key, field] : value.items()) {
    EXPECT_TRUE(definition["properties"].contains(key)) << path << "." << key;
    if (definition["properties"].contains(key))
      check_keys(schema, definition["properties"][key], field, path + "." + key);
  }
}

TEST(SchemaTest, AllowsTheShippedSuites) {
  for (std::string file :
       {"/suite/standard.toml", "/examples/run_length/suite.toml", "/examples/torch_ops/suite.toml"}) {
    Problems problems;
    check_keys(load_schema(), load_schema(), to_json(parse_toml(load_text(kRoot + file), file, problems)), file);
    EXPECT_TRUE(problems.empty());
  }
}

}  // namespace
}  // namespace icount
