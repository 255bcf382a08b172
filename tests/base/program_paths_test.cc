#include "icount/base/program_paths.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"

namespace icount {
namespace {

/// PATH as it was before, in the end.
class PathIs {
 public:
  explicit PathIs(const char* path) : before_(std::getenv("PATH")) {
    if (path)
      ::setenv("PATH", path, 1);
    else
      ::unsetenv("PATH");
  }
  ~PathIs() { ::setenv("PATH", before_.c_str(), 1); }
  PathIs(const PathIs&) = delete;

 private:
  std::string before_;
};

TEST(ProgramPathsTest, AnEmptyFolderOfPathIsTheCurrentOne) {
  const PathIs path("/a::/b");
  EXPECT_EQ(possible_programs("x"), (std::vector<std::filesystem::path>{"/a/x", "./x", "/b/x"}));
  EXPECT_EQ(possible_programs("c/x"), (std::vector<std::filesystem::path>{"c/x"}));
}

TEST(ProgramPathsTest, WithoutPathTheSystemsFoldersAreLookedThrough) {
  const PathIs path(nullptr);
  EXPECT_EQ(possible_programs("x"), (std::vector<std::filesystem::path>{"/usr/bin/x", "/bin/x"}));
  EXPECT_FALSE(find_program("sh").empty());
  EXPECT_TRUE(find_program("").empty());
}

TEST(ProgramPathsTest, WhyThereIsNone) {
  const ScratchDir dir;
  std::ofstream(dir.path() / "text") << "x";
  std::filesystem::create_directories(dir.path() / "folder");
  const PathIs path(dir.path().c_str());
  EXPECT_EQ(describe_missing_program("none"), "no such program; is it installed and in PATH?");
  EXPECT_EQ(describe_missing_program("folder"), "no such program; is it installed and in PATH?");
  EXPECT_EQ(describe_missing_program("text"),
            (dir.path() / "text").string() + " is not executable; chmod +x makes it so");
  EXPECT_EQ(describe_missing_program("/no/such/program"), "no such file");
  EXPECT_EQ(describe_missing_program((dir.path() / "folder").string()), "it is a folder");
  EXPECT_EQ(describe_missing_program((dir.path() / "text").string()), "it is not executable; chmod +x makes it so");
  EXPECT_EQ(describe_missing_program((dir.path() / "text" / "below").string()), "Not a directory");
  EXPECT_EQ(describe_missing_program("/dev/null"), "no such file") << "neither a file nor a folder";
}

}  // namespace
}  // namespace icount
