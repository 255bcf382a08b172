// Which Valgrind is found, without one: scripts that say which version they are.
#include "icount/callgrind/carried_valgrind.h"

#include <gtest/gtest.h>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "support/error_of.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

/// A program that prints `text` and ends with `status`.
fs::path make_script(const fs::path& file, const std::string& text, int status = 0) {
  fs::create_directories(file.parent_path());
  save_file(file, "#!/bin/sh\necho '" + text + "'\nexit " + std::to_string(status) + "\n");
  fs::permissions(file, fs::perms::owner_all);
  return file;
}

TEST(CarriedValgrindTest, ItLiesBesideTheFolderOfTheProgram) {
  const ScratchDir folder;
  const fs::path carried = folder.path() / "libexec/icount/valgrind/valgrind";
  EXPECT_EQ(find_carried_valgrind(folder.path() / "bin/icount"), "") << "there is none";
  fs::create_directories(carried);
  EXPECT_EQ(find_carried_valgrind(folder.path() / "bin/icount"), "") << "a folder is none";
  fs::remove(carried);
  save_file(carried, "x");
  EXPECT_EQ(find_carried_valgrind(folder.path() / "bin/icount"), carried);
  EXPECT_EQ(find_carried_valgrind(folder.path() / "icount"), "") << "one folder too high";
  EXPECT_EQ(find_carried_valgrind(""), "");
}

TEST(CarriedValgrindTest, OneThatIsNamedIsAskedForItsVersion) {
  const ScratchDir folder;
  const Valgrind found = choose_valgrind(make_script(folder.path() / "good", "valgrind-3.25.1").string());
  EXPECT_EQ(found.path, folder.path() / "good");
  EXPECT_EQ(found.version, "3.25.1");
  EXPECT_FALSE(found.is_carried);
  const auto problem = [&](const std::string& text, int status) {
    const fs::path script = make_script(folder.path() / "bad", text, status);
    return error_of(ErrorKind::kTool, [&] { choose_valgrind(script.string()); });
  };
  EXPECT_NE(problem("valgrind-3.25.1", 3).find("is it a working Valgrind?"), std::string::npos);
  EXPECT_NE(problem("other", 0).find("output \"other\"; is it a working Valgrind?"), std::string::npos);
  EXPECT_NE(error_of(ErrorKind::kTool, [&] { choose_valgrind((folder.path() / "none").string()); }).find("no "),
            std::string::npos);
}

TEST(CarriedValgrindTest, WithoutOneAlongAskingForItIsAnError) {
  const std::string message = error_of(ErrorKind::kTool, [] { choose_valgrind("carried"); });
  EXPECT_NE(message.find(" carries no Valgrind along "), std::string::npos) << message;
}

}  // namespace
}  // namespace icount
