// What lies in a folder: by name, and what is said where it cannot be listed.
#include "icount/base/folder_entries.h"

#include <gtest/gtest.h>

#include <string>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

TEST(FolderEntriesTest, AreInTheOrderOfTheirNames) {
  const ScratchDir dir("icount-entries-test");
  const fs::path folder = dir.path() / "of";
  fs::create_directory(folder);
  for (const char* name : {"b", "a", "c"}) save_file(folder / name, "");
  fs::create_directory(folder / ".hidden");
  const std::vector<fs::path> expected = {folder / ".hidden", folder / "a", folder / "b", folder / "c"};
  EXPECT_EQ(list_folder(folder), expected);
  EXPECT_EQ(folder_entries(folder), expected);
}

TEST(FolderEntriesTest, AFolderThatIsNotThereHasNoneOrIsAnError) {
  const ScratchDir dir("icount-entries-test");
  const fs::path missing = dir.path() / "missing", file = dir.path() / "file";
  save_file(file, "");
  EXPECT_TRUE(folder_entries(missing).empty());
  EXPECT_TRUE(folder_entries(file).empty());
  const auto error_of = [](const fs::path& folder) -> std::string {
    try {
      list_folder(folder);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(error_of(missing), missing.string() + ": cannot be listed: No such file or directory");
  EXPECT_EQ(error_of(file), file.string() + ": cannot be listed: Not a directory");
}

TEST(FolderEntriesTest, FilesBelowAreThoseOfAllFoldersByName) {
  const ScratchDir dir("icount-entries-test");
  const fs::path folder = dir.path() / "of", inner = folder / "m/n";
  fs::create_directories(inner);
  fs::create_directory(dir.path() / "elsewhere");
  save_file(dir.path() / "elsewhere/x", "");
  for (const fs::path& file : {folder / "z", folder / "a", inner / "b"}) save_file(file, "");
  fs::create_symlink(dir.path() / "elsewhere", folder / "link");
  fs::create_symlink("a", folder / "y");
  fs::create_symlink("nowhere", folder / "lost");
  EXPECT_EQ(files_below(folder), (std::vector<fs::path>{folder / "a", inner / "b", folder / "y", folder / "z"}));
  EXPECT_EQ(files_below(folder, 1).size(), 2u);
  EXPECT_THROW(files_below(dir.path() / "missing"), Error);
}

}  // namespace
}  // namespace icount
