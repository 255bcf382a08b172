#include "icount/harness/globals.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"
#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/base/text_encodings.h"

namespace icount {

std::string cpp_string_literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?')
      out += fmt::format("\\{}", c);
    else if (byte < 32 || byte > 126)
      out += fmt::format("\\{:03o}", byte);
    else
      out += c;
  }
  return out + "\"";
}

namespace {

// Lists and dicts among the globals of a statement, written as JSON: what they are in C++. Python reads the JSON
// itself.

Json parse(std::string_view name, std::string_view text) {
  try {
    return parse_json(text, fmt::format("global '{}'", name));
  } catch (const Error& error) {
    throw Error(ErrorKind::kUsage, error.what());
  }
}

[[noreturn]] void refuse(std::string_view name, std::string_view why) {
  throw Error(ErrorKind::kUsage, fmt::format("global '{}': {}", name, why));
}

constexpr std::string_view kInteger = "int64_t", kNumber = "double";

std::string cpp_type(std::string_view name, const Json& value);

/// Whole numbers beside others are double: one that no double has would be rounded.
void check_exact(std::string_view name, const Json& numbers) {
  for (const Json& number : numbers) {
    if (!number.is_number_integer()) continue;
    const int64_t whole = number.get<int64_t>();
    const double rounded = static_cast<double>(whole);
    if (rounded >= 0x1p63 || static_cast<int64_t>(rounded) != whole)
      refuse(name, fmt::format("its numbers are double in C++, and {0} is none: write {1:.1f} to have it rounded, or "
                               "give the whole numbers as a global of their own",
                               whole, rounded));
  }
}

/// The one type of all elements.
std::string element_type(std::string_view name, const Json& value) {
  std::string type;
  for (const Json& element : value) {
    const std::string next = cpp_type(name, element);
    const bool are_numbers = (type == kInteger && next == kNumber) || (type == kNumber && next == kInteger);
    if (type.empty() || are_numbers)
      type = are_numbers ? kNumber : std::string_view(next);
    else if (type != next)
      refuse(name, fmt::format("its elements are of several C++ types: {} and {}", type, next));
  }
  if (type == kNumber) check_exact(name, value);
  if (type.empty()) refuse(name, "an empty list or dict has no type in C++; define it in the set-up");
  return type;
}

std::string cpp_type(std::string_view name, const Json& value) {
  if (value.is_boolean()) return "bool";
  if (value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX))
    refuse(name, "a whole number is beyond 64 bits");
  if (value.is_number_integer()) return std::string(kInteger);
  if (value.is_number()) return std::string(kNumber);
  if (value.is_string()) return "std::string";
  if (value.is_array()) return fmt::format("std::vector<{}>", element_type(name, value));
  if (value.is_object()) return fmt::format("std::map<std::string, {}>", element_type(name, value));
  refuse(name, "null has no type in C++");
}

/// The value as an expression, a list or dict in braces; whole numbers stay as they are beside others.
std::string cpp_value(const Json& value) {
  if (value.is_string()) return fmt::format("std::string({})", cpp_string_literal(value.get<std::string>()));
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer() && value.get<int64_t>() == INT64_MIN) return "INT64_MIN";
  if (!value.is_structured()) return dump_json(value, -1);
  std::string text = "{";
  for (const auto& [key, element] : value.items()) {
    if (text.size() > 1) text += ", ";
    text += value.is_array() ? cpp_value(element)
                             : fmt::format("{{std::string({}), {}}}", cpp_string_literal(key), cpp_value(element));
  }
  return text + "}";
}

/// Error{kUsage} "global 'NAME': ..." unless `text` is a JSON list or object.
void check_json_global(std::string_view name, std::string_view text) {
  if (!parse(name, text).is_structured()) refuse(name, "json is for lists and dicts: [1, 2] or {\"a\": 1}");
}

/// A definition: std::vector<int64_t>, <double>, <bool> or <std::string> for lists, of vectors for lists of lists, and
/// std::map<std::string, T> for objects. Error{kUsage} for what has no such type: an empty list, null, elements of
/// several types (whole numbers beside others are double, and must be exact as such).
std::string cpp_json_definition(std::string_view name, std::string_view text) {
  const Json value = parse(name, text);
  return fmt::format("{} {} {};\nicount::keep({});\n", cpp_type(name, value), name, cpp_value(value), name);
}

using Kind = GlobalValue::Kind;

struct KindName {
  std::string_view name;
  Kind kind;
};
constexpr std::string_view kBytesOfFile = "file";
constexpr KindName kKindNames[] = {
    {"int", Kind::kInteger}, {"float", Kind::kNumber},      {"bool", Kind::kBool},
    {"str", Kind::kString},  {"bytes", Kind::kBytes},       {kBytesOfFile, Kind::kBytes},
    {"json", Kind::kJson},   {"tensor", Kind::kTensorFile}, {"module", Kind::kModuleFile}};

GlobalValue make(Kind kind, std::string name, std::string value, std::string setup) {
  return {kind, std::move(name), std::move(value), std::move(setup)};
}

bool is_identifier(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  for (const char c : name)
    if (!(c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return false;
  return true;
}

bool is_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

/// The bytes of "00ff"; Error{kUsage} for an odd digit.
std::string parse_hex(std::string_view text, std::string_view name) {
  std::string bytes;
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = hex_value(text[i]);
    const int low = i + 1 < text.size() ? hex_value(text[i + 1]) : -1;
    if (high < 0 || low < 0)
      throw Error(ErrorKind::kUsage,
                  fmt::format("global '{}': bytes must be pairs of hex digits, not '{}'", name, text));
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

bool is_file(Kind kind) { return kind == Kind::kTensorFile || kind == Kind::kModuleFile; }

void check_value(const GlobalValue& global) {
  auto refuse = [&](std::string_view wanted) {
    throw Error(ErrorKind::kUsage,
                fmt::format("global '{}': '{}' is not a {}", global.name, escape_for_terminal(global.value), wanted));
  };
  if (global.kind == Kind::kInteger && !parse_int64(global.value)) refuse("64-bit integer");
  if (global.kind == Kind::kNumber && !is_number(global.value)) refuse("finite number");
  if (global.kind == Kind::kJson) check_json_global(global.name, global.value);
  if (global.kind == Kind::kBool && global.value != "true" && global.value != "false") refuse("bool (true or false)");
}

/// A std::string with exactly these bytes, NUL included.
std::string string_literal(std::string_view text) {
  std::string out = "std::string(\"";
  for (const char c : text) out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  return out + fmt::format("\", {})", text.size());
}

std::string integer_literal(std::string_view text) {
  // The smallest integer has no literal of its own.
  return text == "-9223372036854775808" ? "INT64_MIN" : fmt::format("INT64_C({})", text);
}

/// The smallest text of a path inside an assembler string inside a C++ literal.
std::string assembler_path(const std::string& file) {
  std::string path;
  for (const char c : std::filesystem::absolute(file).string()) {
    if (c == '"' || c == '\\') path += "\\\\\\";
    path += c;
  }
  return path;
}

/// torch::save writes a TorchScript archive, pickle_save and Python's torch.save do not.
bool is_torchscript_archive(std::string_view bytes) { return bytes.find("/constants.pkl") != std::string_view::npos; }

std::string load_file_value(const GlobalValue& global) {
  const EmbeddedFile file = embed_file(global.name, global.value);
  const std::string from = file.setup;
  if (global.kind == Kind::kModuleFile)
    return from + fmt::format(
                      "std::istringstream icount_stream_{0}(std::string({1}, {2}));\nauto {0} = "
                      "torch::jit::load(icount_stream_{0});\n",
                      global.name, file.begin, file.size);
  if (is_torchscript_archive(load_regular_file(global.value)))
    return from + fmt::format("torch::Tensor {0};\ntorch::load({0}, {1}, {2});\n", global.name, file.begin, file.size);
  return from + fmt::format("auto {0} = torch::pickle_load(std::vector<char>({1}, {1} + {2})).toTensor();\n",
                            global.name, file.begin, file.size);
}

void add_value(const GlobalValue& global, CppGlobals& out) {
  if (!global.setup.empty()) out.setup += global.setup + "\n";
  switch (global.kind) {
    case Kind::kInteger:
      out.setup += fmt::format("int64_t {0} = {1};\nicount::keep({0});\n", global.name, integer_literal(global.value));
      break;
    case Kind::kNumber:
      out.setup +=
          fmt::format("double {0} = static_cast<double>({1});\nicount::keep({0});\n", global.name, global.value);
      break;
    case Kind::kBool:
      out.setup += fmt::format("bool {0} = {1};\nicount::keep({0});\n", global.name, global.value);
      break;
    case Kind::kString:
    case Kind::kBytes:
      out.setup += fmt::format("std::string {} = {};\n", global.name, string_literal(global.value));
      break;
    case Kind::kJson:
      out.setup += cpp_json_definition(global.name, global.value);
      break;
    case Kind::kTensorFile:
    case Kind::kModuleFile:
      out.setup += load_file_value(global);
      out.global_setup = "#include <torch/script.h>\n";
      break;
  }
}

}  // namespace

GlobalValue CopyIfCallgrind::integer(std::string name, int64_t value, std::string setup) {
  return make(Kind::kInteger, std::move(name), fmt::format("{}", value), std::move(setup));
}
GlobalValue CopyIfCallgrind::number(std::string name, double value, std::string setup) {
  return make(Kind::kNumber, std::move(name), fmt::format("{}", value), std::move(setup));
}
GlobalValue CopyIfCallgrind::boolean(std::string name, bool value, std::string setup) {
  return make(Kind::kBool, std::move(name), value ? "true" : "false", std::move(setup));
}
GlobalValue CopyIfCallgrind::string(std::string name, std::string value, std::string setup) {
  return make(Kind::kString, std::move(name), std::move(value), std::move(setup));
}
GlobalValue CopyIfCallgrind::bytes(std::string name, std::string value, std::string setup) {
  return make(Kind::kBytes, std::move(name), std::move(value), std::move(setup));
}
GlobalValue CopyIfCallgrind::json(std::string name, std::string text, std::string setup) {
  return make(Kind::kJson, std::move(name), std::move(text), std::move(setup));
}
GlobalValue CopyIfCallgrind::tensor_file(std::string name, std::string path, std::string setup) {
  return make(Kind::kTensorFile, std::move(name), std::move(path), std::move(setup));
}
GlobalValue CopyIfCallgrind::module_file(std::string name, std::string path, std::string setup) {
  return make(Kind::kModuleFile, std::move(name), std::move(path), std::move(setup));
}

GlobalValue parse_global(std::string_view text) {
  const size_t equals = text.find('=');
  const size_t colon = equals == std::string_view::npos ? equals : text.find(':', equals);
  if (colon != std::string_view::npos) {
    const std::string_view kind_name = text.substr(equals + 1, colon - equals - 1);
    for (const auto& [name, kind] : kKindNames) {
      if (name != kind_name) continue;
      GlobalValue global = make(kind, std::string(text.substr(0, equals)), std::string(text.substr(colon + 1)), {});
      if (name == kBytesOfFile)
        global.value =
            in_context(fmt::format("global '{}'", global.name), [&] { return load_regular_file(global.value); });
      else if (kind == Kind::kBytes)
        global.value = parse_hex(global.value, global.name);
      check_globals({&global, 1});
      return global;
    }
  }
  throw Error(
      ErrorKind::kUsage,
      fmt::format("'{}' is not a global; write NAME=KIND:VALUE with a kind of int, float, "
                  "bool, str, bytes (hex), file (bytes, from a path), json (a list or dict), tensor or module (a path)",
                  escape_for_terminal(text)));
}

void check_globals(std::span<const GlobalValue> globals) {
  std::set<std::string_view> names;
  for (const GlobalValue& global : globals) {
    if (!is_identifier(global.name))
      throw Error(ErrorKind::kUsage, fmt::format("'{}' is not a valid name for a global; use letters, digits and _",
                                                 escape_for_terminal(global.name)));
    if (!names.insert(global.name).second)
      throw Error(ErrorKind::kUsage, fmt::format("the global '{}' is given twice", global.name));
    check_value(global);
    if (is_file(global.kind))
      in_context(fmt::format("global '{}'", global.name), [&] { load_regular_file(global.value); });
  }
}

EmbeddedFile embed_file(std::string_view name, const std::string& path) {
  const std::string hash = in_context(fmt::format("'{}'", name), [&] { return content_hash(load_regular_file(path)); });
  const std::string symbol = fmt::format("icount_file_{}", hash);
  EmbeddedFile file;
  file.begin = fmt::format("icount_bytes_{}", name);
  file.size = fmt::format("static_cast<size_t>({0}_end - {0})", file.begin);
  // .ifndef: two statements of a unit, or a function that the compiler doubles; .weak: two units of a program.
  file.setup = fmt::format(
      "asm volatile(\".pushsection .rodata\\n.ifndef {0}\\n.weak {0}\\n.weak {0}_end\\n.balign 64\\n{0}:\\n.incbin "
      "\\\"{1}\\\"\\n{0}_end:\\n"
      ".endif\\n.popsection\\n\");\n"
      "extern const char {2}[] asm(\"{0}\");\nextern const char {2}_end[] asm(\"{0}_end\");\n",
      symbol, assembler_path(path), file.begin);
  return file;
}

CppGlobals make_cpp_globals(std::span<const GlobalValue> globals) {
  check_globals(globals);
  CppGlobals out;
  for (const GlobalValue& global : globals) add_value(global, out);
  return out;
}

}  // namespace icount
