#include "icount/suite/work_order.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <memory>

#include "icount/base/error.h"
#include "icount/suite/suite_record.h"

namespace icount {
namespace {

std::string ascii_json(std::string_view text) { return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace); }

}  // namespace

std::string work_order_key(const Benchmark& benchmark) {
  std::vector<std::string> parts;
  for (const std::string& part : benchmark.label) parts.push_back(ascii_json(part));
  return fmt::format(
      "{{\"label\": [{}], \"autolabels\": {{\"runtime\": \"{}\", \"autograd\": \"{}\", \"language\": \"{}\"}}, "
      "\"num_threads\": {}}}",
      fmt::join(parts, ", "), to_text(benchmark.autolabels.runtime), to_text(benchmark.autolabels.autograd),
      to_text(benchmark.autolabels.language), benchmark.timer_args.num_threads);
}

std::vector<std::string> work_order_keys(std::span<const Benchmark> benchmarks) {
  std::vector<std::string> keys;
  keys.reserve(benchmarks.size());
  for (const Benchmark& benchmark : benchmarks) keys.push_back(work_order_key(benchmark));
  return keys;
}

std::string keys_md5(std::span<const std::string> keys) {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  if (!context || EVP_DigestInit_ex(context.get(), EVP_md5(), nullptr) != 1)
    throw Error(ErrorKind::kTool, "libcrypto gives no MD5: not enough memory, or a policy of this system forbids it");
  for (const std::string& key : keys) EVP_DigestUpdate(context.get(), key.data(), key.size());
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_DigestFinal_ex(context.get(), digest, &size);
  std::string text;
  for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

namespace {

constexpr int64_t kNotComparable = -1;

/// Seconds per run of each block of a stored wall time; empty without one.
Json times_of(const Result& result) {
  Json times = Json::array();
  if (result.measurement.empty()) return times;
  const std::string place = "measurement of " + result_key(result);
  const Json measurement = parse_json(result.measurement, place);
  if (!measurement.contains("raw_times") || !measurement.contains("number_per_run")) return times;
  const auto number = static_cast<double>(json_whole_number_field(measurement, "number_per_run", place));
  for (const Json& time : measurement["raw_times"]) {
    if (!time.is_number())
      throw Error(ErrorKind::kMalformed, fmt::format("{}: time {} is not a number", place, times.size()));
    times.push_back(time.get<double>() / number);
  }
  return times;
}

}  // namespace

PytorchCi make_pytorch_ci(std::span<const Result> results, int64_t version, const std::string& suite_md5,
                          int64_t start_time, int64_t end_time) {
  PytorchCi ci;
  std::vector<std::string> keys;
  Json values = Json::object();
  for (const Result& result : results) {
    SuiteRecord record = parse_record(result.extra);
    if (record.key.empty() || !result.ok()) {
      ci.warnings.push_back(fmt::format("{} is left out: {}", result_key(result),
                                        result.ok() ? "it is not part of a suite" : result.error));
      continue;
    }
    keys.push_back(record.key);
    values[record.key] = {{"times", times_of(result)}, {"counts", result.counts}};
  }
  std::string md5 = keys_md5(keys);
  if (md5 != suite_md5) {
    ci.warnings.push_back(
        fmt::format("version {}: not the whole suite has counts (keys here: {}, md5 {}, the suite's is {})",
                    kNotComparable, keys.size(), md5, suite_md5.empty() ? "unknown" : suite_md5));
    version = kNotComparable;
  }
  ci.json = {{"version", version},
             {"md5", md5},
             {"start_time", start_time},
             {"end_time", end_time},
             {"values", std::move(values)}};
  return ci;
}

}  // namespace icount
