#include "icount/stats/function_filter.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "icount/base/error.h"

namespace icount {

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
