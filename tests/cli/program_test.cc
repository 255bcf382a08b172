// The built program as a whole: what it links, and how it looks on a terminal.
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/text.h"
#include "support/golden.h"
#include "support/places.h"

namespace icount {
namespace {

const std::string kProgram = binary_dir() + "/icount";

TEST(ProgramTest, LinksNoLibTorchAndNoCuda) {
  if (find_program("ldd").empty()) GTEST_SKIP() << "no ldd on this machine";
  ProcessSpec spec;
  spec.argv = {"ldd", kProgram};
  const ProcessOutcome outcome = run_process(spec);
  ASSERT_TRUE(outcome.ok()) << outcome.errors;
  EXPECT_NE(outcome.output.find("libc.so"), std::string::npos);
  for (const char* library : {"libtorch", "libc10", "libcuda"})
    EXPECT_EQ(outcome.output.find(library), std::string::npos) << outcome.output;
}

/// What the program prints when standard output is a terminal of `columns`.
std::string run_on_terminal(unsigned short columns, std::vector<std::string> environment,
                            std::vector<std::string> arguments) {
  winsize size{};
  size.ws_col = columns;
  size.ws_row = 25;
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    std::vector<char*> argv = {const_cast<char*>(kProgram.c_str())}, block;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    for (std::string& entry : environment) block.push_back(entry.data());
    argv.push_back(nullptr);
    block.push_back(nullptr);
    ::execve(kProgram.c_str(), argv.data(), block.data());
    ::_exit(127);
  }
  std::string output;
  char buffer[4096];
  for (ssize_t count; (count = ::read(terminal, buffer, sizeof buffer)) > 0;)
    output.append(buffer, static_cast<size_t>(count));
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(terminal);
  EXPECT_EQ(status, 0) << output;
  return output;
}

std::string without_colour(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b')
      i = text.find('m', i);
    else if (text[i] != '\r')
      out += text[i];
  }
  return out;
}

std::vector<std::string> diff_of_pair(const char* pair) {
  const std::string folder = testdata(std::string("pairs/") + pair).string();
  return {"diff", "--functions", folder + "/base.xz", folder + "/head.xz"};
}

TEST(ProgramTest, KeepsToTheWidthOfTheTerminal) {
  for (const unsigned short columns : {80, 100, 160}) {
    const std::string text =
        without_colour(run_on_terminal(columns, {"TERM=xterm"}, diff_of_pair("zlib-longer-chains")));
    EXPECT_NE(text.find("+20.37%"), std::string::npos);
    for (std::string_view line : split_lines(text)) EXPECT_LE(display_width(line), columns) << line;
  }
}

TEST(ProgramTest, APipeKeepsToColumnsWhereTheyAreSetElseToWholeLines) {
  const auto longest_line = [](const std::vector<std::string>& environment) {
    ProcessSpec spec;
    spec.argv = {kProgram};
    const auto arguments = diff_of_pair("zlib-longer-chains");
    spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
    spec.environment = environment;
    size_t longest = 0;
    const std::string output = run_process(spec).output;
    for (std::string_view line : split_lines(output)) longest = std::max(longest, display_width(line));
    return longest;
  };
  EXPECT_LE(longest_line({"COLUMNS=90"}), 90u);
  EXPECT_GT(longest_line({}), 90u);
}

TEST(ProgramTest, ColourOnlyOnATerminalThatIsAskedForNothingElse) {
  const auto arguments = diff_of_pair("zlib-longer-chains");
  EXPECT_NE(run_on_terminal(80, {"TERM=xterm"}, arguments).find("\x1b[31m"), std::string::npos);
  EXPECT_EQ(run_on_terminal(80, {"TERM=xterm", "NO_COLOR=1"}, arguments).find('\x1b'), std::string::npos);
  EXPECT_EQ(run_on_terminal(80, {"TERM=dumb"}, arguments).find('\x1b'), std::string::npos);
  ProcessSpec spec;
  spec.argv = {kProgram};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  EXPECT_EQ(run_process(spec).output.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace icount
