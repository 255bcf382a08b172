#include "icount/harness/build_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "support/error_of.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

bool fill(const fs::path& folder, const std::string& text) {
  save_file(folder / "file", text);
  return true;
}

TEST(BuildCacheTest, MakesAnEntryOnceAndFindsItAgain) {
  const ScratchDir root;
  int made = 0;
  for (int i = 0; i < 2; ++i) {
    BuildCache cache(root.path());
    const auto entry = cache.get("k", [&](const fs::path& folder) { return ++made, fill(folder, "x"); });
    ASSERT_TRUE(entry);
    EXPECT_EQ(load_text(*entry / "file"), "x");
  }
  EXPECT_EQ(made, 1);
}

TEST(BuildCacheTest, WhatWasLongUnusedGoes) {
  const ScratchDir root;
  {
    BuildCache cache(root.path());
    for (const char* key : {"old", "new"}) cache.get(key, [](const fs::path& folder) { return fill(folder, "x"); });
    fs::last_write_time(root.path() / "entries/old", fs::file_time_type::clock::now() - std::chrono::hours(24 * 31));
  }
  BuildCache cache(root.path());
  EXPECT_FALSE(cache.find("old"));
  EXPECT_TRUE(cache.find("new"));
}

TEST(BuildCacheTest, AFailedBuildLeavesNothing) {
  const ScratchDir root;
  BuildCache cache(root.path());
  EXPECT_FALSE(cache.get("k", [](const fs::path& folder) { return fill(folder, "half"), false; }));
  EXPECT_THROW(cache.get("k", [](const fs::path&) -> bool { throw Error(ErrorKind::kTool, "no"); }), Error);
  EXPECT_FALSE(cache.find("k"));
  EXPECT_EQ(cache.info().entries, 0);
  EXPECT_TRUE(fs::is_empty(root.path() / "new"));
}

TEST(BuildCacheTest, TwoProcessesBuildAnEntryOnceBetweenThem) {
  const ScratchDir root;
  const fs::path tally = root.path() / "tally";
  auto build = [&] {
    BuildCache cache(root.path() / "cache");
    const auto entry = cache.get("k", [&](const fs::path& folder) {
      std::system(("echo made >> " + tally.string()).c_str());
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      return fill(folder, "x");
    });
    return entry && load_text(*entry / "file") == "x";
  };
  const pid_t child = ::fork();
  if (child == 0) ::_exit(build() ? 0 : 1);
  EXPECT_TRUE(build());
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(load_text(tally), "made\n");
}

TEST(BuildCacheTest, ManyThreadsWithManyKeysSeeWholeEntriesOnly) {
  const ScratchDir root;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      BuildCache cache(root.path());
      for (int i = 0; i < 20; ++i) {
        const std::string key = "k" + std::to_string(i);
        const auto entry = cache.get(key, [&](const fs::path& folder) { return fill(folder, key); });
        if (!entry || load_text(*entry / "file") != key) ++wrong;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(BuildCacheTest, TheBoundTakesWhatWasUsedLongestAgo) {
  const ScratchDir root;
  const std::string kilobyte(1024, 'x');
  {
    BuildCache cache(root.path(), 2500);
    for (const char* key : {"a", "b", "c"}) {
      cache.get(key, [&](const fs::path& folder) { return fill(folder, kilobyte); });
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    cache.find("a");
    EXPECT_EQ(cache.info().entries, 3) << "nothing is evicted while it may be in use";
  }
  BuildCache cache(root.path(), 2500);
  EXPECT_TRUE(cache.find("a"));
  EXPECT_FALSE(cache.find("b"));
  EXPECT_TRUE(cache.find("c"));
}

TEST(BuildCacheTest, NothingIsEvictedUnderAnotherUser) {
  const ScratchDir root;
  BuildCache other(root.path());
  {
    BuildCache cache(root.path(), 1);
    cache.get("a", [](const fs::path& folder) { return fill(folder, "xyz"); });
  }
  EXPECT_TRUE(other.find("a"));
}

TEST(BuildCacheTest, InfoCountsAndClearEmpties) {
  const ScratchDir root;
  BuildCache cache(root.path(), 1000);
  cache.get("a", [](const fs::path& folder) { return fill(folder, "12345"); });
  EXPECT_EQ(cache.info().entries, 1);
  EXPECT_GT(cache.info().bytes, 5) << "the entry's list of files counts, too";
  EXPECT_EQ(cache.info().max_bytes, 1000);
  EXPECT_EQ(cache.clear().entries, 1);
  EXPECT_EQ(cache.info().entries, 0);
}

TEST(BuildCacheTest, ClearSeesWhatLiesBesideTheEntries) {
  const ScratchDir root;
  BuildCache cache(root.path());
  cache.get("a", [](const fs::path& folder) { return fill(folder, "12345"); });
  fs::create_directories(root.path() / "models");
  save_file(root.path() / "models/m.pt", "model");
  save_file(root.path() / "models/m.pt.sum", "hash");
  fs::create_directories(root.path() / "programs/entries/k");
  save_file(root.path() / "programs/entries/k/profile.zst", "profile");
  EXPECT_EQ(cache.info().entries, 3);
  EXPECT_EQ(cache.clear().entries, 3);
  EXPECT_EQ(cache.info().entries, 0);
  EXPECT_EQ(cache.info().bytes, 0);
}

/// Every way in which the files of an entry can be other than they were made.
TEST(BuildCacheTest, ADamagedEntryIsMadeAgain) {
  using Damage = std::function<void(const fs::path& entry)>;
  const std::pair<const char*, Damage> damages[] = {
      {"emptied", [](const fs::path& entry) { fs::resize_file(entry / "file", 0); }},
      {"shorter", [](const fs::path& entry) { fs::resize_file(entry / "file", 3); }},
      {"longer", [](const fs::path& entry) { fs::resize_file(entry / "file", 4096); }},
      {"one byte changed", [](const fs::path& entry) { save_file(entry / "file", "maXe 1"); }},
      {"a file gone", [](const fs::path& entry) { fs::remove(entry / "file"); }},
      {"no list", [](const fs::path& entry) { fs::remove(entry / "files"); }},
      {"list cut", [](const fs::path& entry) { fs::resize_file(entry / "files", fs::file_size(entry / "files") / 2); }},
      {"list cut at a line",
       [](const fs::path& entry) { fs::resize_file(entry / "files", fs::file_size(entry / "files") - 4); }},
      {"an empty folder",
       [](const fs::path& entry) {
         fs::remove_all(entry);
         fs::create_directory(entry);
       }},
      {"a file for a folder",
       [](const fs::path& entry) {
         fs::remove_all(entry);
         save_file(entry, "x");
       }},
  };
  for (const auto& [name, damage] : damages) {
    const ScratchDir root;
    int made = 0;
    const auto make = [&](const fs::path& folder) { return fill(folder, "made " + std::to_string(++made)); };
    const fs::path entry = *BuildCache(root.path()).get("k", make);
    damage(entry);
    BuildCache cache(root.path());
    const auto again = cache.get("k", make);
    ASSERT_TRUE(again) << name;
    EXPECT_EQ(load_text(*again / "file"), "made 2") << name;
    EXPECT_EQ(load_text(*BuildCache(root.path()).get("k", make) / "file"), "made 2") << name << ": healed for good";
  }
}

TEST(BuildCacheTest, WhatLaterRunsPutBesideTheFilesDoesNotMatter) {
  const ScratchDir root;
  const fs::path entry = *BuildCache(root.path()).get("k", [](const fs::path& folder) { return fill(folder, "x"); });
  save_file(entry / "server.pyc", "made by an interpreter");
  EXPECT_TRUE(BuildCache(root.path()).find("k"));
}

TEST(BuildCacheTest, TheCacheOfAnotherUserIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only the superuser can be two users";
  const ScratchDir dir;
  fs::permissions(dir.path(), fs::perms::all);
  { BuildCache mine(dir.path() / "cache"); }
  for (const char* folder : {"cache", "cache/entries", "cache/locks", "cache/new"})
    fs::permissions(dir.path() / folder, fs::perms::all);
  const pid_t child = ::fork();
  if (child == 0) {
    int refused = 1;
    if (::seteuid(65534) == 0) {
      try {
        BuildCache other(dir.path() / "cache");
      } catch (const Error& error) {
        refused = std::string(error.what()).find("belongs to another user") == std::string::npos;
      }
    }
    ::_exit(refused);
  }
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(BuildCacheTest, WhatEveryUserMayWriteIsRefused) {
  const ScratchDir dir;
  const fs::path root = dir.path() / "cache";
  const mode_t mask = ::umask(0);
  { BuildCache made_for_us_alone(root); }
  ::umask(mask);
  for (const fs::path& folder : {root, root / "entries", root / "new", root / "locks"}) {
    fs::permissions(folder, fs::perms::all);
    const std::string message = error_of([&] { BuildCache cache(root); });
    EXPECT_NE(message.find("every user may write the build cache " + folder.string() + " (mode 0777)"),
              std::string::npos)
        << message;
    fs::permissions(folder, fs::perms::all | fs::perms::sticky_bit);
    EXPECT_EQ(error_of([&] { BuildCache cache(root); }) == "no error", folder == root) << "as /tmp, which is no entry";
    fs::permissions(folder, fs::perms::owner_all | fs::perms::group_all);
    { BuildCache cache(root); }
  }
}

TEST(BuildCacheTest, WhatIsMadeInTheCacheBeforeItIsForUsAlone) {
  const ScratchDir dir;
  const fs::path root = dir.path() / "cache";
  const mode_t mask = ::umask(0);
  EXPECT_EQ(make_folder_in_cache(root, "worktrees"), root / "worktrees");
  ::umask(mask);
  EXPECT_EQ(fs::status(root).permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(root / "worktrees").permissions(), fs::perms::owner_all);
  { BuildCache cache(root); }
  fs::permissions(root / "worktrees", fs::perms::all);
  EXPECT_NE(error_of([&] { make_folder_in_cache(root, "worktrees"); }).find("every user may write"), std::string::npos);
}

TEST(BuildCacheTest, EntriesOfAnotherUserAreRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only the superuser can be two users";
  const ScratchDir dir;
  fs::permissions(dir.path(), fs::perms::all);
  { BuildCache mine(dir.path() / "cache"); }
  ASSERT_EQ(::chown((dir.path() / "cache").c_str(), 65534, 65534), 0);
  fs::permissions(dir.path() / "cache/entries", fs::perms::owner_all | fs::perms::group_all);
  const pid_t child = ::fork();
  if (child == 0) {
    const bool is_other = ::seteuid(65534) == 0;
    const std::string message = error_of([&] { BuildCache other(dir.path() / "cache"); });
    ::_exit(is_other && message.find("cache/entries belongs to another user") != std::string::npos ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(BuildCacheTest, ItsPlaceFollowsTheEnvironment) {
  EXPECT_EQ(default_cache_dir(Environment({"HOME=/h"})), "/h/.cache/icount");
  EXPECT_EQ(default_cache_dir(Environment({"HOME=/h", "XDG_CACHE_HOME=/x"})), "/x/icount");
  EXPECT_EQ(default_cache_dir(Environment({"HOME=/h", "XDG_CACHE_HOME=x"})), "/h/.cache/icount") << "not absolute";
  EXPECT_EQ(default_cache_dir(Environment({"HOME=/h", "XDG_CACHE_HOME=/x", "ICOUNT_CACHE=/i"})), "/i");
  try {
    default_cache_dir(Environment());
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_NE(std::string(error.what()).find("set ICOUNT_CACHE"), std::string::npos);
  }
}

}  // namespace
}  // namespace icount
