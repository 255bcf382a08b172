// Which inlined function every address of an object belongs to, as its debug information (DWARF, read by libdw) has it.
// objects/name_code.h puts the names beside a profile's code.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace icount {

/// A function's code inside another one, at one place of the source.
struct InlinedFunction {
  std::string name;        ///< demangled where the symbol is known: "ns::f(int)"; else its name alone: "f"
  std::string file;        ///< of its declaration; empty: unknown
  uint64_t line = 0;       ///< of its declaration; 0: unknown
  uint64_t call_line = 0;  ///< of the call that it stands for; 0: unknown
  uint32_t outer = 0;      ///< 1 + index of the inlined function around it, which comes before it; 0: none
  auto operator<=>(const InlinedFunction&) const = default;
};

struct AddressLine {
  uint32_t file = 0;  ///< index into DebugNames::files
  uint64_t line = 0;  ///< 0: unknown
};

struct DebugNames {
  std::vector<InlinedFunction> inlined;
  std::vector<uint32_t> inlined_at;  ///< by address: 1 + index of the innermost; 0: none
  std::vector<AddressLine> lines;    ///< by address
  std::vector<std::string> files;    ///< of `lines`
  std::string producer;              ///< compiler and options of most of the addresses
};

/// The code from here to the next row is of this line.
struct DebugLine {
  uint64_t address = 0;
  uint32_t file = 0;  ///< index into DebugLines::files
  uint64_t line = 0;  ///< 0: no line's, or the end of a piece of code
};

struct DebugLines {
  std::vector<DebugLine> rows;  ///< by address; of several at one address the last one counts
  std::vector<std::string> files;
};

enum class DebugDetail { kLines, kLinesAndInlined };

/// An object's debug information, kept open: to unpack it takes longer than to read it. What it said of an address is
/// kept, on disk as well (objects/known_names.h).
class DebugInformation {
 public:
  explicit DebugInformation(const std::filesystem::path& object);
  ~DebugInformation();
  DebugInformation(DebugInformation&&) noexcept;
  DebugInformation& operator=(DebugInformation&&) noexcept;

  /// `addresses` are ascending and the object's own; with kLines no names of functions. nullopt where there is no debug
  /// information of them, in the file or below /usr/lib/debug, and where it is damaged. What is said of an address
  /// depends on nothing that was asked before.
  std::optional<DebugNames> find(std::span<const uint64_t> addresses, DebugDetail detail);

 private:
  struct Files;
  std::unique_ptr<Files> files_;
};

/// The lines of all of the object's code, whether it ran or not. nullopt as DebugInformation::find.
std::optional<DebugLines> load_debug_lines(const std::filesystem::path& object);

}  // namespace icount
