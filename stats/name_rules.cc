#include "icount/stats/name_rules.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "icount/base/error.h"

namespace icount {

struct NameRules::Compiled {
  std::vector<NameRule> rules;
  std::vector<std::unique_ptr<RE2>> patterns;
};

NameRules::NameRules(std::vector<NameRule> rules) {
  auto compiled = std::make_shared<Compiled>();
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);  // names are bytes; not every one is UTF-8
  options.set_log_errors(false);
  for (const NameRule& rule : rules) {
    auto pattern = std::make_unique<RE2>(rule.pattern, options);
    if (!pattern->ok())
      throw Error(ErrorKind::kUsage, "name rule '" + rule.title + "': " + rule.pattern + ": " + pattern->error());
    std::string problem;
    if (!pattern->CheckRewriteString(rule.replacement, &problem))
      throw Error(ErrorKind::kUsage,
                  "name rule '" + rule.title + "': replacement '" + rule.replacement + "': " + problem);
    compiled->patterns.push_back(std::move(pattern));
  }
  compiled->rules = std::move(rules);
  compiled_ = std::move(compiled);
}

std::span<const NameRule> NameRules::rules() const { return compiled_->rules; }

std::string NameRules::apply_one(size_t index, std::string_view name) const {
  ICOUNT_CHECK(index < size(), "rule index");
  std::string text(name);
  RE2::GlobalReplace(&text, *compiled_->patterns[index], compiled_->rules[index].replacement);
  return text;
}

std::string NameRules::apply(std::string_view name) const {
  std::string text(name);
  for (size_t i = 0; i < size(); ++i)
    RE2::GlobalReplace(&text, *compiled_->patterns[i], compiled_->rules[i].replacement);
  return text;
}

const NameRules& compatible_rules() {
  // White space as Python's re sees it in text, here as UTF-8 bytes.
  static const std::string kSpace =
      R"((?:[\t-\r\x1c-\x20]|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80))";
  static const NameRules kRules({
      {"relative sources of PyTorch", R"(^.+build/\.\./)", "build/../"},
      {"generated sources of ATen", R"(^.+/build/aten/)", "build/aten/"},
      {"core of CPython", R"(^.+/Python/)", "Python/"},
      {"objects of CPython", R"(^.+/Objects/)", "Objects/"},
      {"library in brackets", kSpace + R"(\[.+\](\n?)$)", R"(\1)"},
  });
  return kRules;
}

bool is_pytorch_noise(std::string_view counted_name) {
  return counted_name.find("dictobject.c:lookdict_unicode") != std::string_view::npos;
}

struct FunctionFilter::Patterns {
  std::vector<std::unique_ptr<RE2>> all;
};

FunctionFilter::FunctionFilter(const std::vector<std::string>& patterns, bool denoise) : denoise_(denoise) {
  if (patterns.empty()) return;
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);  // names are bytes; not every one is UTF-8
  options.set_log_errors(false);
  auto compiled = std::make_shared<Patterns>();
  for (const std::string& pattern : patterns) {
    compiled->all.push_back(std::make_unique<RE2>(pattern, options));
    if (!compiled->all.back()->ok())
      throw Error(ErrorKind::kUsage,
                  fmt::format("'{}' is not a regular expression (RE2): {}", pattern, compiled->all.back()->error()));
  }
  patterns_ = std::move(compiled);
}

bool FunctionFilter::keeps(std::string_view file, std::string_view name) const {
  if (denoise_ && is_pytorch_noise(fmt::format("{}:{}", file, name))) return false;
  return !patterns_ || std::any_of(patterns_->all.begin(), patterns_->all.end(), [&](const auto& pattern) {
    return RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), *pattern);
  });
}

}  // namespace icount
