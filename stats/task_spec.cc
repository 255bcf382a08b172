#include "icount/stats/task_spec.h"

#include "icount/base/error.h"
#include "icount/stats/python_text.h"

namespace icount {
namespace {

constexpr std::string_view kIndent = "  ";

bool has_lines(std::string_view text) { return text.find('\n') != std::string_view::npos; }

}  // namespace

std::string clean_statement(std::string_view text) {
  std::string cleaned = python_dedent(text);
  std::string_view view = cleaned;
  if (view.starts_with('\n')) view.remove_prefix(1);
  return std::string(python_rstrip(view));
}

TaskSpec clean_cpp_spec(TaskSpec spec) {
  spec.stmt = clean_statement(spec.stmt);
  spec.setup = spec.setup == "pass" ? "" : clean_statement(spec.setup);
  return spec;
}

TaskSpec clean_python_spec(TaskSpec spec) {
  if (!spec.global_setup.empty())
    throw Error(ErrorKind::kUsage, "global_setup is C++ only; a Python statement was given '" + spec.global_setup +
                                       "'; put it into setup");
  spec.stmt = clean_statement(spec.stmt);
  spec.setup = clean_statement(spec.setup);
  return spec;
}

std::string compiler_text(std::string_view text) { return python_dedent(text); }

std::string task_title(const TaskSpec& spec) {
  bool has_sub_label = spec.sub_label && !spec.sub_label->empty();
  if (spec.label || !has_lines(spec.stmt)) {
    const std::string& name = spec.label ? *spec.label : spec.stmt;
    return has_sub_label ? name + ": " + *spec.sub_label : name;
  }
  std::string head = has_sub_label ? "stmt: (" + *spec.sub_label + ")" : "stmt:";
  return head + "\n" + python_indent(spec.stmt, kIndent);
}

std::string task_setup_text(const TaskSpec& spec) {
  if (spec.setup.empty() || spec.setup == "pass") return {};
  return has_lines(spec.setup) ? "setup:\n" + python_indent(spec.setup, kIndent) : "setup: " + spec.setup;
}

std::string task_summary(const TaskSpec& spec) {
  std::string summary;
  for (const std::string& section : {task_title(spec), spec.description.value_or(""), task_setup_text(spec)}) {
    if (section.empty()) continue;
    if (!summary.empty()) summary += '\n';
    summary += section;
    if (has_lines(section)) summary += '\n';
  }
  return summary;
}

std::string task_row_name(const TaskSpec& spec) {
  if (spec.sub_label && !spec.sub_label->empty()) return *spec.sub_label;
  return spec.stmt.empty() ? "[Unknown]" : spec.stmt;
}

}  // namespace icount
