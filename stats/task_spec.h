// What was measured, as a value: PyTorch's TaskSpec with its eight fields and the texts made of them.
// Measurements and CallgrindStats carry one; Compare groups by it. The recipe that runs is
// harness/timer_args.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace icount {

/// Equality and order are over all eight fields.
struct TaskSpec {
  std::string stmt;
  std::string setup;
  std::string global_setup;
  std::optional<std::string> label;
  std::optional<std::string> sub_label;
  std::optional<std::string> description;
  std::optional<std::string> env;
  int num_threads = 1;

  auto operator<=>(const TaskSpec&) const = default;
};

/// A statement or set-up as PyTorch keeps it: dedented, one leading line break dropped, white space at
/// the end gone.
std::string clean_statement(std::string_view text);

/// stmt and setup cleaned as for a C++ statement; a setup of "pass" becomes empty. global_setup stays as it
/// is.
TaskSpec clean_cpp_spec(TaskSpec spec);

/// stmt and setup cleaned as for a Python statement. Error{kUsage} for a global_setup, which only C++ knows.
TaskSpec clean_python_spec(TaskSpec spec);

/// What a compiler gets of any of the three texts: dedented once more, since cleaning may have left blank
/// ends behind.
std::string compiler_text(std::string_view text);

/// One line that names the task ("label: sub_label", or the statement), or several for a statement of several
/// lines.
std::string task_title(const TaskSpec& spec);

/// "setup: ..." or "setup:" and indented lines; empty when there is no set-up ("pass" is none).
std::string task_setup_text(const TaskSpec& spec);

/// Title, description and set-up, those that are not empty; a blank line follows each that has several lines.
std::string task_summary(const TaskSpec& spec);

/// sub_label, else stmt, else "[Unknown]": the first that is not empty.
std::string task_row_name(const TaskSpec& spec);

}  // namespace icount
