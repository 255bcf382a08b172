// Function names that no compiler would write: seeded strings out of the tokens that code about names looks for.
#pragma once

#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// `count` names of up to 24 tokens each, the same for the same seed, and some that broke icount once.
inline std::vector<std::string> hostile_names(size_t count, uint32_t seed) {
  constexpr auto kTokens = std::to_array<std::string_view>({"[abi:",
                                                            "]",
                                                            "<",
                                                            ">",
                                                            "(",
                                                            ")",
                                                            "{",
                                                            "}",
                                                            "[",
                                                            "operator",
                                                            "::",
                                                            "'2",
                                                            "'",
                                                            "->",
                                                            "<<",
                                                            ".part.0",
                                                            ".isra.0",
                                                            "{lambda(",
                                                            "#1}",
                                                            "$_",
                                                            "'lambda0",
                                                            ", ",
                                                            "f",
                                                            "ns",
                                                            " ",
                                                            "int",
                                                            " const",
                                                            "(*T)",
                                                            ".",
                                                            "@@V_1",
                                                            "::h",
                                                            "[clone .",
                                                            "~",
                                                            "std::",
                                                            "`",
                                                            "0x",
                                                            "impl ",
                                                            "operator()",
                                                            "operator<<",
                                                            "__memcpy_",
                                                            "avx2",
                                                            "{{closure}}",
                                                            ".func1",
                                                            ", std::allocator<",
                                                            "(anonymous namespace)",
                                                            "\xe2\x80\xa6",
                                                            "\xff",
                                                            "std::__cxx11::",
                                                            "decltype",
                                                            " as ",
                                                            "!"});
  std::vector<std::string> names = {"[abi:", "f[abi:", "[abi:[abi:", "", "'2", "::", "operator", "<", ">", "(", ")"};
  std::mt19937 random(seed);  // whose numbers the standard fixes
  while (names.size() < count) {
    std::string name;
    for (size_t tokens = 1 + random() % 24; tokens > 0; --tokens) name += kTokens[random() % kTokens.size()];
    names.push_back(std::move(name));
  }
  return names;
}

/// One token many times over: what is quadratic in the length shows.
inline std::vector<std::string> long_hostile_names() {
  std::vector<std::string> names;
  for (std::string_view token : {"[abi:", "[abi:]", "<", "(", "<(", "()", "{", "operator<<", ", std::allocator<",
                                 "f<a, ", "::", "'2", ".part.0", "f(", "$_1", " const", "@@A", "<impl "}) {
    std::string name = "f";
    while (name.size() < 50'000) name += token;
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace icount
