#include "icount/suite/work_order.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <memory>

#include "icount/base/error.h"
#include "icount/base/json.h"

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

}  // namespace icount
