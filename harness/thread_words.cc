#include "icount/harness/thread_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "icount/base/text.h"
#include "icount/harness/libtorch_needs.h"
#include "icount/harness/python_stub.h"

namespace icount {
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
