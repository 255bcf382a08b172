// Functions and lines of addresses in an object's file, as Valgrind says them: which symbols it knows, which of several
// names of one address it takes, what it calls "(below main)".
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/objects/inlined_functions.h"

namespace icount {

/// Which of two different names of one address Valgrind takes: whether it is `a`.
bool is_preferred_name(std::string_view a, std::string_view b);

/// The name in a profile of a symbol: demangled, "(below main)" of what calls main.
std::string valgrind_name(std::string_view symbol);

struct CodeSymbol {
  uint64_t begin = 0, end = 0;  ///< in the file's own addresses
  std::string_view name;        ///< as the linker knows it
};

struct CodeLines {
  std::vector<AddressLine> lines;  ///< by address
  std::vector<std::string> files;  ///< the first is "???"
};

/// An object's file, read once and asked as often as is wanted.
class ObjectCode {
 public:
  /// `build_id` is that of the file that ran; another file at `path`, or none, has no names.
  ObjectCode(const std::filesystem::path& path, std::string_view build_id);
  ~ObjectCode();
  ObjectCode(ObjectCode&&) noexcept;
  ObjectCode& operator=(ObjectCode&&) noexcept;

  bool is_at_hand() const { return is_at_hand_; }
  /// nullptr: no symbol has it.
  const CodeSymbol* find(uint64_t address) const;
  /// `addresses` are ascending. Each is looked up once.
  CodeLines load_lines(std::span<const uint64_t> addresses) const;

 private:
  struct Files;
  std::unique_ptr<Files> files_;
  std::vector<CodeSymbol> symbols_;
  bool is_at_hand_ = false;
};

}  // namespace icount
