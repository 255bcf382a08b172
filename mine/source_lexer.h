// What a source file says, as far as attribution asks: which of its text is code, which lines a function, a type and a
// macro have, which words stand on a line. A lexer with braces, no parser: C, C++, Rust, Go and what looks like them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

enum class SourceLanguage {
  kBraces,  ///< "//" and "/* */", blocks in braces
  kRust,    ///< the same, with nested comments and lifetimes
  kHash,    ///< "#": Python, shell; no blocks are read
};

/// By the file's name; nothing for what is no source.
std::optional<SourceLanguage> language_of(std::string_view path);

/// Lines first to last of a definition; kData: of what has an initial value outside of functions, and is static where
/// it stands in a type (C and C++).
struct SourceBlock {
  enum class Kind { kFunction, kType, kMacro, kData } kind = Kind::kFunction;
  std::string name;  ///< without scopes and arguments: "push_back", "operator==", "~Buffer"
  uint64_t first = 0, last = 0;
  uint64_t opened = 0;  ///< line of the brace; 0: there is none
};

struct SourceText {
  std::vector<std::string> code;                ///< by line less one: without comments and blanks outside of texts
  std::vector<std::vector<std::string>> words;  ///< by line less one: its identifiers and keywords
  std::vector<SourceBlock> blocks;              ///< by first line; what lies inside a function is not told apart

  /// By kind and line less one, 1 + index of the innermost block around it; 0: none.
  std::array<std::vector<uint32_t>, 4> block_at;

  /// The innermost block of a kind around a line; nullptr where there is none.
  const SourceBlock* around(uint64_t line, SourceBlock::Kind kind) const;
};

SourceText read_source(std::string_view text, SourceLanguage language);

}  // namespace icount
