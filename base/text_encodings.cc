#include "icount/base/text_encodings.h"

#include <array>
#include <cstdint>

#include "icount/base/error.h"

namespace icount {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr int8_t kNoDigit = -1;

constexpr std::array<int8_t, 256> make_values() {
  std::array<int8_t, 256> values{};
  values.fill(kNoDigit);
  for (size_t i = 0; i < kDigits.size(); ++i) values[static_cast<unsigned char>(kDigits[i])] = static_cast<int8_t>(i);
  return values;
}
constexpr std::array<int8_t, 256> kValues = make_values();

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const auto byte = [&](size_t i) {
      return at + i < bytes.size() ? static_cast<uint32_t>(static_cast<unsigned char>(bytes[at + i])) : 0u;
    };
    const uint32_t bits = byte(0) << 16 | byte(1) << 8 | byte(2);
    const size_t have = std::min<size_t>(3, bytes.size() - at);
    for (size_t digit = 0; digit < 4; ++digit) text += digit <= have ? kDigits[bits >> (18 - 6 * digit) & 63] : '=';
  }
  return text;
}

std::string from_base64(std::string_view text, std::string_view name) {
  const auto fail = [&] { throw Error(ErrorKind::kMalformed, std::string(name) + ": damaged base64 text"); };
  if (text.size() % 4 != 0) fail();
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (size_t at = 0; at < text.size(); at += 4) {
    const size_t digits = at + 4 == text.size() ? 4 - padding : 4;
    uint32_t bits = 0;
    for (size_t i = 0; i < 4; ++i) {
      const int8_t value = i < digits ? kValues[static_cast<unsigned char>(text[at + i])] : int8_t{0};
      if (value == kNoDigit) fail();
      bits = bits << 6 | static_cast<uint32_t>(value);
    }
    for (size_t i = 0; i + 1 < digits; ++i) bytes += static_cast<char>(bits >> (16 - 8 * i));
  }
  return bytes;
}

}  // namespace icount
