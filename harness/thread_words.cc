#include "icount/harness/thread_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

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

bool names_threads(std::string_view text) {
  constexpr std::array<std::string_view, 6> kWords = {"thread", "async", "omp", "tbb", "par", "fork"};
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

}  // namespace

bool may_use_threads(const TimerArgs& args, std::span<const std::string> flags) {
  const auto imports = [](const std::string& text) { return text.find("import") != std::string::npos; };
  if (args.language == Language::kPython)
    return needs_torch(args) || imports(args.global_setup) || imports(args.setup) || imports(args.stmt);
  if (args.language == Language::kTorchScript || !flags.empty() || names_libtorch(args)) return true;
  const std::array<const std::string*, 3> texts = {&args.global_setup, &args.setup, &args.stmt};
  return std::any_of(texts.begin(), texts.end(),
                     [](const std::string* text) { return names_threads(*text) || includes_unknown(*text); });
}

}  // namespace icount
