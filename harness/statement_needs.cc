#include "icount/harness/statement_needs.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/text.h"
#include "icount/harness/python_stub.h"

namespace icount {
namespace {

bool is_name_byte(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Calls visit(identifier, text behind it) until it says true.
template <typename Visit>
bool any_name(std::string_view text, const Visit& visit) {
  for (size_t at = 0; at < text.size();) {
    if (!is_name_byte(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && is_name_byte(text[end])) ++end;
    if (visit(text.substr(at, end - at), text.substr(end))) return true;
    at = end;
  }
  return false;
}

bool is_libtorch_name(std::string_view name) {
  for (const std::string_view whole : {"torch", "c10", "caffe2", "ATen", "Tensor", "TensorList", "IValue", "libtorch"})
    if (name == whole) return true;
  for (const std::string_view prefix : {"TORCH_", "C10_", "AT_", "libtorch_", "_ZN2at", "_ZN3c10", "_ZN5torch"})
    if (name.starts_with(prefix)) return true;
  return false;
}

bool text_names_libtorch(std::string_view text) {
  return any_name(text, [](std::string_view name, std::string_view rest) {
    return is_libtorch_name(name) || (name == "at" && rest.starts_with("::"));
  });
}

}  // namespace

bool names_libtorch(const TimerArgs& args) {
  if (args.language == Language::kTorchScript || !args.backward.empty() || !args.module_path.empty()) return true;
  for (const GlobalValue& global : args.globals)
    if (global.kind == GlobalValue::Kind::kTensorFile || global.kind == GlobalValue::Kind::kModuleFile) return true;
  return text_names_libtorch(args.stmt) || text_names_libtorch(args.setup) || text_names_libtorch(args.global_setup);
}

bool is_about_libtorch(std::string_view message) {
  for (const std::string_view undeclared : {"'at'",
                                            "\xE2\x80\x98"
                                            "at\xE2\x80\x99"})
    if (message.find(undeclared) != std::string_view::npos) return true;
  return text_names_libtorch(message);
}

void LibTorchNeeds::decide(std::vector<TimerArgs>& statements, const ToolchainOptions& options,
                           const Environment& environment) {
  bool any = false;
  for (size_t i = 0; i < statements.size(); ++i) {
    TimerArgs& args = statements[i];
    if (!args.torch) continue;
    const bool python = args.language == Language::kPython;
    args.torch = python ? needs_torch(args) : names_libtorch(args);
    any |= args.torch && !python;
    if (!args.torch && !python) left_out_.insert(i);
  }
  if (!any || !options.torch_dir.empty() || !environment.get("ICOUNT_TORCH").value_or("").empty()) return;
  try {
    found_ = probe_libtorch(options, environment);
  } catch (const Error& error) {
    missing_ = error.what();
    for (size_t i = 0; i < statements.size(); ++i) {
      TimerArgs& args = statements[i];
      if (!args.torch || args.language != Language::kCpp || !args.backward.empty()) continue;
      args.torch = false;
      left_out_.insert(i);
    }
  }
}

bool LibTorchNeeds::wants_second_build(size_t statement, std::string_view message) {
  if (!missing_.empty() || !is_about_libtorch(message) || left_out_.erase(statement) == 0) return false;
  again_.push_back(statement);
  return true;
}

std::vector<size_t> LibTorchNeeds::take_second_builds() {
  std::sort(again_.begin(), again_.end());
  return std::exchange(again_, {});
}

std::string LibTorchNeeds::explain_failure(size_t statement, std::string_view message) const {
  return !missing_.empty() && left_out_.contains(statement) && is_about_libtorch(message) ? missing_ : std::string();
}

namespace {

/// An #include "..." line, or one of a header in a folder: what it brings is not known.
bool includes_unknown(std::string_view text) {
  for (const std::string_view line : split_lines(text)) {
    const std::string_view content = trim(line);
    if (!content.starts_with('#') || content.find("include") == std::string_view::npos) continue;
    if (content.find('"') != std::string_view::npos || content.find('/') != std::string_view::npos) return true;
  }
  return false;
}

bool is_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// The parts of names in lower case: "par", "unseq" of par_unseq, "thread", "pool" of ThreadPool.
std::vector<std::string> name_parts(std::string_view text) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!is_part(text[i])) continue;
    const bool is_upper = std::isupper(static_cast<unsigned char>(text[i])) != 0;
    const bool begins =
        i == 0 || !is_part(text[i - 1]) || (is_upper && std::islower(static_cast<unsigned char>(text[i - 1])));
    if (begins) parts.emplace_back();
    parts.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  }
  return parts;
}

bool names_threads(std::string_view text) {
  // Short ones are parts of many a word (particle, compute): they count alone.
  constexpr std::array<std::string_view, 5> kWhole = {"omp", "tbb", "par", "fork", "vfork"};
  constexpr std::array<std::string_view, 4> kWithin = {"thread", "async", "parallel", "openmp"};
  const auto is_word = [&](const std::string& part) {
    return std::find(kWhole.begin(), kWhole.end(), part) != kWhole.end() ||
           std::any_of(kWithin.begin(), kWithin.end(),
                       [&](std::string_view word) { return part.find(word) != std::string::npos; });
  };
  const std::vector<std::string> parts = name_parts(text);
  return std::any_of(parts.begin(), parts.end(), is_word);
}

bool imports(std::string_view text) {
  const std::vector<std::string> parts = name_parts(text);
  return std::find(parts.begin(), parts.end(), "import") != parts.end();
}

}  // namespace

bool may_use_threads(const TimerArgs& args, std::span<const std::string> flags) {
  if (args.language == Language::kPython)
    return needs_torch(args) || imports(args.global_setup) || imports(args.setup) || imports(args.stmt);
  if (args.language == Language::kTorchScript || !flags.empty() || names_libtorch(args)) return true;
  const std::array<const std::string*, 3> texts = {&args.global_setup, &args.setup, &args.stmt};
  return std::any_of(texts.begin(), texts.end(),
                     [](const std::string* text) { return names_threads(*text) || includes_unknown(*text); });
}

std::string_view describe_no_threads(Language language) {
  return language == Language::kPython ? "it does not name torch"
                                       : "it names neither LibTorch nor OpenMP nor threads of its own";
}

}  // namespace icount
