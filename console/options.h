// From argv to values, by a command's own table (console/command_spec.h). Everything that is wrong is collected and
// said at once: unknown options with the nearest name, missing values, values out of range.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/console/command_spec.h"

namespace icount {

/// What was given on the command line. A command reads it through the typed functions, each of which notes a problem
/// instead of failing, and calls check() last. Names are those of the table; another name is a bug.
class ParsedOptions {
 public:
  bool help() const { return help_; }
  /// A switch, or whether an option with a value was given at all.
  bool has(std::string_view name) const;
  /// The value as it is; `otherwise` when not given.
  std::string text(std::string_view name, std::string_view otherwise = {}) const;
  /// All values of a repeated option, in order.
  std::vector<std::string> texts(std::string_view name) const;
  /// A whole number within [least, most].
  int64_t integer(std::string_view name, int64_t otherwise, int64_t least, int64_t most) const;
  /// A number of seconds, plain or with ms, s, m or h behind: "90", "1.5s", "2m". Not negative.
  double seconds(std::string_view name, double otherwise) const;
  /// Whole numbers separated by commas, each within [least, most]: "1,2,4".
  std::vector<int64_t> integers(std::string_view name, int64_t least, int64_t most) const;
  /// Index of the value within `choices`; 0 when not given.
  size_t choice(std::string_view name, std::initializer_list<std::string_view> choices) const;

  const std::vector<std::string>& arguments() const { return arguments_; }
  /// What followed "--".
  const std::vector<std::string>& program() const { return program_; }

  /// Whether an option was not known; what seems to be missing may then be misspelt.
  bool has_unknown() const { return has_unknown_; }
  /// Notes a problem of the command's own ("--callers needs a name").
  void problem(std::string text) const { problems_.push_back(std::move(text)); }
  /// Two options that exclude each other.
  void excludes(std::string_view one, std::string_view other) const;
  /// Error{kUsage} with every problem noted so far, one per line, and where the help is; nothing when there is none.
  void check() const;

 private:
  friend ParsedOptions parse_options(const CommandSpec& command, const std::vector<std::string>& words);

  const std::vector<std::string>& values(std::string_view name) const;
  void check_argument_count(const CommandSpec& command);

  std::string command_;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;  ///< every option of the table has an entry
  std::map<std::string, bool, std::less<>> given_;
  std::vector<std::string> arguments_, program_;
  bool help_ = false;
  bool has_unknown_ = false;
  mutable std::vector<std::string> problems_;
};

/// Reads `words` (what follows the command's name). Problems are kept for check(), so that the command's own come
/// along.
ParsedOptions parse_options(const CommandSpec& command, const std::vector<std::string>& words);

}  // namespace icount
