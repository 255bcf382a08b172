#include "icount/stats/task_spec.h"

#include <gtest/gtest.h>

#include "support/error_of.h"

namespace icount {
namespace {

TEST(TaskSpecTest, StatementsAreCleanedAsPyTorchDoes) {
  EXPECT_EQ(clean_statement("\n    a;\n      b;\n  \n"), "a;\n  b;");
  EXPECT_EQ(clean_statement("\n\n  a;"), "\na;");
  EXPECT_EQ(compiler_text("  a;\n    b;\n"), "a;\n  b;\n");
  const TaskSpec cpp = clean_cpp_spec({.stmt = "\n  f();\n", .setup = "pass", .global_setup = "  #include <x>\n"});
  EXPECT_EQ(cpp.stmt, "f();");
  EXPECT_EQ(cpp.setup, "");
  EXPECT_EQ(cpp.global_setup, "  #include <x>\n");
  EXPECT_EQ(clean_cpp_spec({.setup = " int n;\n"}).setup, "int n;");
  const TaskSpec python = clean_python_spec({.stmt = "\n  f()\n", .setup = "pass\n"});
  EXPECT_EQ(python.stmt, "f()");
  EXPECT_EQ(python.setup, "pass");
  EXPECT_EQ(error_of([] { clean_python_spec({.stmt = "f()", .global_setup = "x"}); }),
            "global_setup is C++ only; a Python statement was given 'x'; put it into setup");
}

TEST(TaskSpecTest, TheTitleIsTheLabelOrTheStatement) {
  EXPECT_EQ(task_title({.stmt = "f();"}), "f();");
  EXPECT_EQ(task_title({.stmt = "f();", .sub_label = "small"}), "f();: small");
  EXPECT_EQ(task_title({.stmt = "f();\ng();", .label = "both", .sub_label = "small"}), "both: small");
  EXPECT_EQ(task_title({.stmt = "f();", .label = "one", .sub_label = ""}), "one");
  EXPECT_EQ(task_title({.stmt = "f();\ng();"}), "stmt:\n  f();\n  g();");
  EXPECT_EQ(task_title({.stmt = "f();\ng();", .sub_label = "small"}), "stmt: (small)\n  f();\n  g();");
}

TEST(TaskSpecTest, TheSummaryPutsABlankLineBehindSeveral) {
  EXPECT_EQ(task_summary({.stmt = "f();", .setup = "pass"}), "f();");
  EXPECT_EQ(task_summary({.stmt = "f();", .setup = "int n;", .description = "d"}), "f();\nd\nsetup: int n;");
  EXPECT_EQ(task_summary({.stmt = "f();\ng();", .setup = "int n;\nint m;"}),
            "stmt:\n  f();\n  g();\n\nsetup:\n  int n;\n  int m;\n");
  EXPECT_EQ(task_setup_text({.setup = "pass"}), "");
}

TEST(TaskSpecTest, ARowGoesByTheFirstNameThatIsThere) {
  EXPECT_EQ(task_row_name({.stmt = "f();", .sub_label = "small"}), "small");
  EXPECT_EQ(task_row_name({.stmt = "f();", .sub_label = ""}), "f();");
  EXPECT_EQ(task_row_name({}), "[Unknown]");
}

}  // namespace
}  // namespace icount
