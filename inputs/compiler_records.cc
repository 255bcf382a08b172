#include "icount/inputs/compiler_records.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/json.h"
#include "icount/base/text.h"
#include "icount/harness/elf_file.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// gcc's names of passes by their ids, which are addresses.
using PassNames = std::map<std::string, std::string>;

void add_passes(const Json& passes, PassNames& names) {
  for (const Json& pass : passes) {
    names[pass.at("id").get<std::string>()] = pass.at("name").get<std::string>();
    if (pass.contains("children")) add_passes(pass.at("children"), names);
  }
}

/// A message of gcc: its words, and the functions that it names.
struct GccMessage {
  std::string text;  ///< to the end of the line behind the last function
  std::vector<std::string> functions;
};

GccMessage read_message(const Json& record) {
  GccMessage message;
  for (const Json& piece : record.value("message", Json::array())) {
    if (piece.is_string()) {
      message.text += piece.get<std::string>();
    } else if (piece.contains("symtab_node")) {
      const std::string name = piece.at("symtab_node");  // "int f(int)/12"
      message.functions.push_back(record_name(std::string_view(name).substr(0, name.rfind('/'))));
      message.text += '\n';
    }
  }
  return message;
}

/// The line of a message behind the functions that it names: ", --param max-inline-insns-auto limit reached".
std::string reason_in(const GccMessage& message) {
  size_t at = 0;
  for (size_t i = 0; i < message.functions.size(); ++i) at = message.text.find('\n', at) + 1;
  std::string_view rest = std::string_view(message.text).substr(at);
  rest = rest.substr(0, rest.find('\n'));
  return std::string(trim(rest.starts_with(',') ? rest.substr(1) : rest));
}

bool is_of_loop(std::string_view text) {
  return text.starts_with("loop ") || text.starts_with("not vectorized: ") || text.starts_with("loop turned");
}

void add_gcc_record(const Json& record, const PassNames& passes, CompilerRecords& records) {
  const std::string kind = record.value("kind", "");
  const auto pass = passes.find(record.value("pass", ""));
  const std::string name = pass == passes.end() ? std::string() : pass->second;
  if (kind == "success" || kind == "failure") {
    const GccMessage message = read_message(record);
    const bool done = kind == "success";
    // What the early inliner leaves, the later one decides.
    if ((name == "inline" || (name == "einline" && done)) && message.functions.size() == 2) {
      const auto& [first, second] = std::tie(message.functions[0], message.functions[1]);
      // "Inlining CALLEE into CALLER", "not inlinable: CALLER -> CALLEE, why"
      records.inlining.push_back({done ? second : first, done ? first : second, done, done ? "" : reason_in(message)});
    } else if ((name == "vect" || name.find("unroll") != std::string::npos) && is_of_loop(message.text) &&
               record.contains("location")) {
      const Json& location = record.at("location");
      const std::string_view line = std::string_view(message.text).substr(0, message.text.find('\n'));
      // "(header execution count 64530389)" is gcc's guess, which moves with everything around it.
      records.loops.push_back({location.value("file", ""), location.value("line", uint64_t{0}),
                               std::string(trim(line.substr(0, line.find(" (header execution"))))});
    }
  }
  for (const Json& child : record.value("children", Json::array())) add_gcc_record(child, passes, records);
}

/// A scalar of LLVM's YAML: plain, or in quotes.
std::string scalar_of(std::string_view text) {
  text = trim(text);
  if (text.size() < 2 || (text[0] != '\'' && text[0] != '"') || text.back() != text[0]) return std::string(text);
  std::string value;
  const char quote = text[0];
  for (size_t i = 1; i + 1 < text.size(); ++i) {
    if ((quote == '\'' && text.substr(i, 2) == "''") || (quote == '"' && text[i] == '\\')) ++i;
    value += text[i];
  }
  return value;
}

/// "Line: 5," in "{ File: a.cc, Line: 5, Column: 11 }".
std::string_view field_of(std::string_view map, std::string_view key) {
  const size_t at = map.find(fmt::format("{}: ", key));
  if (at == std::string_view::npos) return {};
  const std::string_view rest = map.substr(at + key.size() + 2);
  return rest.substr(0, rest.find_first_of(",}"));
}

struct ClangRecord {
  std::string kind, pass, place, caller, callee, text;
};

/// The words behind `word`, up to where the call stands.
std::string words_behind(const std::string& text, std::string_view word) {
  const size_t at = text.find(word);
  if (at == std::string::npos) return {};
  std::string_view rest = std::string_view(text).substr(at + word.size());
  rest = rest.substr(0, rest.find(" at callsite "));
  if (rest.starts_with('(') && rest.ends_with(')')) rest = rest.substr(1, rest.size() - 2);
  return std::string(trim(rest));
}

void add_clang_record(const ClangRecord& record, CompilerRecords& records) {
  const bool done = record.kind == "Passed";
  if (record.pass == "inline" && !record.callee.empty()) {
    std::string reason = words_behind(record.text, done ? " with " : " because ");
    records.inlining.push_back(
        {record_name(demangle(record.caller)), record_name(demangle(record.callee)), done, std::move(reason)});
  } else if ((record.pass == "loop-vectorize" || record.pass == "loop-unroll") && record.kind != "Missed") {
    // A missed one says in its analysis why.
    const auto line = parse_int64(trim(field_of(record.place, "Line")));
    if (line && *line > 0)
      records.loops.push_back({scalar_of(field_of(record.place, "File")), static_cast<uint64_t>(*line), record.text});
  }
}

}  // namespace

void parse_gcc_records(std::string_view json, CompilerRecords& records) {
  try {
    const Json parsed = Json::parse(json);
    PassNames passes;
    add_passes(parsed.at(1), passes);
    for (const Json& record : parsed.at(2)) add_gcc_record(record, passes, records);
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::kMalformed, fmt::format("gcc's optimization record is not understood: {}", error.what()));
  }
}

void parse_clang_records(std::string_view yaml, CompilerRecords& records) {
  ClangRecord record;
  std::string key, value;
  const auto end_value = [&] {
    if (key == "Pass") record.pass = scalar_of(value);
    if (key == "DebugLoc") record.place = value;
    if (!key.starts_with("- ")) return;
    const std::string text = scalar_of(value);
    if (key == "- Callee") record.callee = text;
    if (key == "- Caller") record.caller = text;
    record.text += text;
  };
  for (const std::string_view line : split_lines(yaml)) {
    if (line.starts_with("--- !")) {
      record = ClangRecord{.kind = std::string(line.substr(5))};
      key.clear();
    } else if (line == "...") {
      end_value();
      key.clear();
      add_clang_record(record, records);
    } else if (const size_t colon = line.find(':');
               colon != std::string_view::npos &&
               (line.starts_with("  - ") || !line.starts_with(' ') || line.starts_with("    DebugLoc:"))) {
      end_value();
      key = std::string(line.starts_with("    ") ? "of an argument" : trim(line.substr(0, colon)));
      value = std::string(line.substr(colon + 1));
    } else {
      value += line;  // a map that goes on
    }
  }
}

CompilerRecords load_compiler_records(const fs::path& folder) {
  CompilerRecords records;
  for (const fs::path& file : files_below(folder)) {
    const std::string name = file.filename().string();
    const bool is_gcc = name.ends_with(".opt-record.json.gz");
    if (!is_gcc && !name.ends_with(".opt.yaml")) continue;
    const FileBytes bytes = load_file(file);
    is_gcc ? parse_gcc_records(bytes.view(), records) : parse_clang_records(bytes.view(), records);
  }
  return records;
}

}  // namespace icount
