#include "icount/fuzzer/table_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/toml_value.h"

namespace icount {
namespace {

// One table of a fuzzer's file with its place: every getter names the field and its line when something is wrong, and
// the first mistake ends the reading. Suite files have a reader that collects all mistakes (suite/table_reader.h).

/// A view: the table must outlive it. Whatever is wrong is an Error{kMalformed} "FILE:LINE: WHAT: ...".
class TableFields {
 public:
  /// `what` names the table in messages: "[[tensor]]".
  TableFields(const TomlValue& table, std::string what) : table_(table), what_(std::move(what)) {}

  [[noreturn]] void fail(const TomlValue& at, std::string_view text) const;
  [[noreturn]] void fail(std::string_view text) const { fail(table_, text); }
  /// Fails at the first field that is none of these.
  void allow_only(std::initializer_list<std::string_view> known) const;

  /// nullptr when there is none.
  const TomlValue* find(std::string_view key) const;
  const TomlValue& get(std::string_view key) const;

  std::string text(std::string_view key) const { return text(get(key), key); }
  std::string text(const TomlValue& value, std::string_view key) const;
  std::string text_or(std::string_view key, std::string otherwise) const {
    return find(key) ? text(key) : std::move(otherwise);
  }
  int64_t integer(std::string_view key) const;
  std::optional<int64_t> optional_integer(std::string_view key) const {
    return find(key) ? std::optional(integer(key)) : std::nullopt;
  }
  /// False when absent.
  bool flag(std::string_view key) const;
  /// Whole numbers are numbers, too, as long as a double holds them.
  double number(const TomlValue& value, std::string_view key) const;
  const std::vector<TomlValue>& list(std::string_view key) const;
  std::vector<std::string> texts(std::string_view key) const;

  /// Runs `work`; an Error that leaves it gets this table's place.
  template <typename Work>
  auto at_place(Work&& work) const {
    try {
      return work();
    } catch (const Error& error) {
      fail_at_table(error.what());
    }
  }

 private:
  [[noreturn]] void fail_at_table(std::string_view text) const;

  const TomlValue& table_;
  std::string what_;
};

using Kind = TomlValue::Kind;

void TableFields::fail(const TomlValue& at, std::string_view text) const {
  throw Error(ErrorKind::kMalformed, fmt::format("{}:{}: {}: {}", at.place.file, at.place.line, what_, text));
}

void TableFields::fail_at_table(std::string_view text) const {
  throw Error(ErrorKind::kMalformed, fmt::format("{}:{}: {}", table_.place.file, table_.place.line, text));
}

void TableFields::allow_only(std::initializer_list<std::string_view> known) const {
  for (const TomlField& field : table_.fields)
    if (std::find(known.begin(), known.end(), field.key) == known.end())
      fail(field.value, fmt::format("unknown field '{}'; known: {}", field.key, fmt::join(known, ", ")));
}

const TomlValue* TableFields::find(std::string_view key) const {
  const auto found = std::find_if(table_.fields.begin(), table_.fields.end(),
                                  [&](const TomlField& field) { return field.key == key; });
  return found == table_.fields.end() ? nullptr : &found->value;
}

const TomlValue& TableFields::get(std::string_view key) const {
  if (const TomlValue* value = find(key)) return *value;
  fail(fmt::format("field '{}' is missing", key));
}

std::string TableFields::text(const TomlValue& value, std::string_view key) const {
  if (value.kind == Kind::kString) return value.text;
  fail(value, fmt::format("'{}' must be a string", key));
}

int64_t TableFields::integer(std::string_view key) const {
  const TomlValue& value = get(key);
  if (value.kind == Kind::kInteger) return value.integer;
  fail(value, fmt::format("'{}' must be an integer", key));
}

bool TableFields::flag(std::string_view key) const {
  const TomlValue* value = find(key);
  if (!value) return false;
  if (value->kind == Kind::kBool) return value->boolean;
  fail(*value, fmt::format("'{}' must be true or false", key));
}

double TableFields::number(const TomlValue& value, std::string_view key) const {
  constexpr int64_t kWhole = int64_t{1} << 53;
  if (value.kind == Kind::kNumber) return value.number;
  if (value.kind == Kind::kInteger && value.integer >= -kWhole && value.integer <= kWhole)
    return static_cast<double>(value.integer);
  fail(value, fmt::format("'{}' must be a number", key));
}

const std::vector<TomlValue>& TableFields::list(std::string_view key) const {
  const TomlValue& value = get(key);
  if (value.kind == Kind::kArray) return value.items;
  fail(value, fmt::format("'{}' must be a list", key));
}

std::vector<std::string> TableFields::texts(std::string_view key) const {
  std::vector<std::string> texts_found;
  for (const TomlValue& value : list(key)) texts_found.push_back(text(value, key));
  return texts_found;
}

Bound read_bound(const TableFields& fields, std::string_view key) {
  const TomlValue& value = fields.get(key);
  if (value.kind == Kind::kInteger) return value.integer;
  return fields.number(value, key);
}

ParameterValue read_value(const TableFields& fields, const TomlValue& value) {
  if (value.kind == Kind::kInteger) return value.integer;
  if (value.kind == Kind::kNumber) return value.number;
  if (value.kind == Kind::kBool) return value.boolean;
  if (value.kind == Kind::kString) return value.text;
  const bool alias = value.kind == Kind::kTable && value.fields.size() == 1 && value.fields[0].key == "alias" &&
                     value.fields[0].value.kind == Kind::kString;
  if (!alias) fields.fail(value, "a value must be a number, true or false, a string, or {alias = \"name\"}");
  return ParameterAlias{value.fields[0].value.text};
}

std::vector<Distribution::Entry> read_entries(const TableFields& fields) {
  std::vector<Distribution::Entry> entries;
  for (const TomlValue& pair : fields.list("table")) {
    if (pair.items.size() != 2) fields.fail(pair, "each entry of 'table' is [value, probability]");
    entries.emplace_back(read_value(fields, pair.items[0]), fields.number(pair.items[1], "probability"));
  }
  return entries;
}

FuzzedParameter read_parameter(const TableFields& fields) {
  fields.allow_only({"name", "distribution", "min", "max", "table", "strict"});
  const std::string name = fields.text("name");
  const bool strict = fields.flag("strict");
  if (fields.find("table")) {
    for (const std::string_view other : {"distribution", "min", "max"})
      if (fields.find(other))
        fields.fail(*fields.find(other),
                    fmt::format("parameter '{}' has a table, so '{}' has no meaning", name, other));
    std::vector<Distribution::Entry> entries = read_entries(fields);
    return fields.at_place([&] { return table_parameter(name, std::move(entries), strict); });
  }
  const std::string kind = fields.text("distribution");
  if (kind != "uniform" && kind != "loguniform")
    fields.fail(fields.get("distribution"),
                fmt::format("unknown distribution '{}'; use uniform, loguniform, or a table", kind));
  const Bound low = read_bound(fields, "min"), high = read_bound(fields, "max");
  return fields.at_place([&] {
    return kind == "uniform" ? uniform_parameter(name, low, high, strict)
                             : log_uniform_parameter(name, low, high, strict);
  });
}

std::vector<SizeTerm> read_terms(const TableFields& fields, std::string_view key) {
  std::vector<SizeTerm> terms;
  for (const TomlValue& value : fields.list(key)) {
    if (value.kind == Kind::kInteger)
      terms.emplace_back(value.integer);
    else
      terms.emplace_back(fields.text(value, fmt::format("an entry of {}", key)));
  }
  return terms;
}

FuzzedTensor read_shape(const TableFields& fields) {
  FuzzedTensor tensor;
  tensor.name = fields.text("name");
  tensor.size = read_terms(fields, "size");
  if (fields.find("steps")) tensor.steps = read_terms(fields, "steps");
  if (const TomlValue* value = fields.find("probability_contiguous"))
    tensor.probability_contiguous = fields.number(*value, "probability_contiguous");
  tensor.min_elements = fields.optional_integer("min_elements");
  tensor.max_elements = fields.optional_integer("max_elements");
  tensor.max_allocation_bytes = fields.optional_integer("max_allocation_bytes");
  tensor.dim_parameter = fields.text_or("dim", "");
  const std::string dtype = fields.text_or("dtype", "float32");
  tensor.dtype = fields.at_place([&] { return parse_dtype(dtype); });
  if (const TomlValue* value = fields.find("cuda")) {
    if (value->kind != Kind::kBool) fields.fail(*value, "cuda is true or false");
    tensor.cuda = value->boolean;
  }
  tensor.tensor_constructor = fields.text_or("tensor_constructor", "");
  tensor.roll_parameter = fields.text_or("roll_parameter", "");
  return tensor;
}

TensorSpec read_tensor(const TableFields& fields) {
  const std::string layout = fields.text_or("layout", "dense");
  if (layout == "dense") {
    fields.allow_only({"name", "layout", "size", "steps", "probability_contiguous", "min_elements", "max_elements",
                       "max_allocation_bytes", "dim", "dtype", "cuda", "tensor_constructor", "roll_parameter"});
    const FuzzedTensor tensor = read_shape(fields);
    fields.at_place([&] { check_tensor(tensor); });
    return tensor;
  }
  if (layout != "sparse")
    fields.fail(fields.get("layout"), fmt::format("unknown layout '{}'; use dense or sparse", layout));
  fields.allow_only({"name", "layout", "size", "min_elements", "max_elements", "dim", "dtype", "cuda", "sparse_dim",
                     "density", "coalesced"});
  FuzzedSparseTensor tensor;
  tensor.shape = read_shape(fields);
  tensor.sparse_dim = fields.text_or("sparse_dim", "");
  tensor.density = fields.text_or("density", "density");
  tensor.coalesced = fields.text_or("coalesced", "coalesced");
  fields.at_place([&] { check_sparse_tensor(tensor); });
  return tensor;
}

Constraint read_constraint(const TableFields& fields) {
  fields.allow_only({"kind", "of", "value", "modulus"});
  const std::string kind = fields.text("kind");
  const std::vector<std::string> names = fields.texts("of");
  const auto need = [&](size_t count) {
    if (names.size() != count)
      fields.fail(fields.get("of"),
                  fmt::format("'{}' needs {} parameters in 'of', found {}", kind, count, names.size()));
  };
  if (kind == "product_at_most") return product_at_most(names, fields.integer("value"));
  if (kind == "sum_at_least") return sum_at_least(names, fields.integer("value"));
  if (kind == "remainder") {
    need(1);
    const int64_t modulus = fields.integer("modulus"), value = fields.integer("value");
    return fields.at_place([&] { return remainder_is(names[0], modulus, value); });
  }
  if (kind != "at_most" && kind != "less_than")
    fields.fail(
        fields.get("kind"),
        fmt::format("unknown kind '{}'; use at_most, less_than, product_at_most, sum_at_least or remainder", kind));
  need(2);
  return kind == "at_most" ? at_most(names[0], names[1]) : less_than(names[0], names[1]);
}

// Reads the whole file; knows which names there are, so that a misspelt one is told with its line.
class FuzzerTableReader {
 public:
  FuzzerTableReader(const TomlValue& root, std::string_view file) : root_(root), file_(file) {}

  FuzzerSpec read() {
    const TableFields top(root_, "fuzzer table");
    top.allow_only({"mode", "max_sample_bytes", "parameter", "tensor", "constraint"});
    const std::string mode = top.text_or("mode", "corrected");
    spec_.mode = top.at_place([&] { return parse_fuzz_mode(mode); });
    spec_.max_sample_bytes = top.optional_integer("max_sample_bytes");
    each(top, "parameter", [&](const TableFields& fields) { spec_.parameters.push_back(read_parameter(fields)); });
    each(top, "tensor", [&](const TableFields& fields) {
      spec_.tensors.push_back(read_tensor(fields));
      check_tensor_names(fields);
    });
    each(top, "constraint", [&](const TableFields& fields) {
      spec_.constraints.push_back(read_constraint(fields));
      for (const std::string& name : fields.texts("of")) need_parameter(fields, fields.get("of"), name);
    });
    check_aliases(top);
    if (spec_.tensors.empty()) top.fail("there is no [[tensor]]");
    in_context(file_, [&] { Fuzzer(spec_, 0); });
    return std::move(spec_);
  }

 private:
  template <typename Read>
  void each(const TableFields& top, std::string_view key, Read&& read) const {
    const TomlValue* tables = top.find(key);
    if (!tables) return;
    const std::string wanted = fmt::format("'{}' must be an array of tables: [[{}]]", key, key);
    if (tables->kind != Kind::kArray) top.fail(*tables, wanted);
    for (const TomlValue& table : tables->items) {
      if (table.kind != Kind::kTable) top.fail(table, wanted);
      read(TableFields(table, fmt::format("[[{}]]", key)));
    }
  }

  void need_parameter(const TableFields& fields, const TomlValue& at, const std::string& name) const {
    const auto has_name = [&](const FuzzedParameter& parameter) { return parameter.name == name; };
    if (std::none_of(spec_.parameters.begin(), spec_.parameters.end(), has_name))
      fields.fail(at, fmt::format("there is no parameter '{}'", name));
  }

  void check_tensor_names(const TableFields& fields) const {
    for (const std::string_view key : {"dim", "sparse_dim", "density", "coalesced", "roll_parameter"})
      if (fields.find(key)) need_parameter(fields, fields.get(key), fields.text(key));
    for (const std::string_view key : {"size", "steps"}) {
      if (!fields.find(key)) continue;
      for (const TomlValue& value : fields.list(key))
        if (value.kind == Kind::kString) need_parameter(fields, value, value.text);
    }
  }

  void check_aliases(const TableFields& top) const {
    size_t at = 0;
    each(top, "parameter", [&](const TableFields& fields) {
      for (const auto& [value, probability] : spec_.parameters[at++].distribution.entries())
        if (const auto* alias = std::get_if<ParameterAlias>(&value))
          need_parameter(fields, fields.get("table"), alias->to);
    });
  }

  const TomlValue& root_;
  std::string_view file_;
  FuzzerSpec spec_;
};

}  // namespace

FuzzerSpec parse_fuzzer_table(std::string_view text, std::string_view name) {
  Problems problems;
  const TomlValue root = parse_toml(text, std::string(name), problems);
  problems.throw_if_any(name);
  return FuzzerTableReader(root, name).read();
}

FuzzerSpec load_fuzzer_table(const std::filesystem::path& path) {
  return parse_fuzzer_table(load_text(path), path.string());
}

}  // namespace icount
