// Where servers are found, who may use them, and when: environment, folder, description.
#include "icount/harness/session_spec.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

Environment with(const std::vector<std::string>& block) { return Environment(block); }

std::string failure_of(const fs::path& folder) {
  try {
    make_session_folder(folder);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(SessionSpecTest, TheEnvironmentDecidesWhetherAServerIsUsed) {
  EXPECT_EQ(session_use(with({})), SessionUse::kStart);
  EXPECT_EQ(session_use(with({"ICOUNT_SERVER=find"})), SessionUse::kFind);
  EXPECT_EQ(session_use(with({"ICOUNT_SERVER=off"})), SessionUse::kOff);
  EXPECT_EQ(session_use(with({"CI=true"})), SessionUse::kOff) << "a job of CI leaves no process behind";
  EXPECT_EQ(session_use(with({"CI=false"})), SessionUse::kStart);
  EXPECT_EQ(session_use(with({"CI=true", "ICOUNT_SERVER=on"})), SessionUse::kStart);
  EXPECT_THROW(session_use(with({"ICOUNT_SERVER=yes"})), Error);
}

TEST(SessionSpecTest, TheIdleTimeIsANumberOfSeconds) {
  EXPECT_EQ(session_idle_seconds(with({})), 300);
  EXPECT_EQ(session_idle_seconds(with({"ICOUNT_SERVER_IDLE=1.5"})), 1.5);
  for (const char* word : {"0", "-1", "soon", "5m", "nan"})
    EXPECT_THROW(session_idle_seconds(with({std::string("ICOUNT_SERVER_IDLE=") + word})), Error) << word;
}

TEST(SessionSpecTest, SocketsLieInTheRuntimeFolderElseInTheCache) {
  EXPECT_EQ(session_folder(with({"XDG_RUNTIME_DIR=/run/user/1"}), "/c"), "/run/user/1/icount");
  EXPECT_EQ(session_folder(with({}), "/c"), "/c/run");
  EXPECT_EQ(session_folder(with({"XDG_RUNTIME_DIR=relative"}), "/c"), "/c/run");
}

TEST(SessionSpecTest, TheFolderIsTheUsersAlone) {
  const ScratchDir scratch;
  const fs::path folder = scratch.path() / "a/run";
  EXPECT_EQ(failure_of(folder), "");
  struct stat status {};
  ASSERT_EQ(::stat(folder.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  EXPECT_EQ(failure_of(folder), "") << "it may be there";
  ::chmod(folder.c_str(), 0755);
  EXPECT_NE(failure_of(folder).find("is open to others (mode 0755); chmod 700 it"), std::string::npos);
  save_file(scratch.path() / "file", "");
  EXPECT_NE(failure_of(scratch.path() / "file").find("is not a folder"), std::string::npos);
  EXPECT_NE(failure_of("/proc/self/run").find("cannot make the folder /proc/self/run"), std::string::npos);
  if (::geteuid() != 0) return;
  const fs::path others = scratch.path() / "others";
  fs::create_directory(others);
  ::chmod(others.c_str(), 0700);
  ASSERT_EQ(::chown(others.c_str(), 12345, 12345), 0);
  EXPECT_NE(failure_of(others).find("belongs to user 12345, not to this one"), std::string::npos);
}

TEST(SessionSpecTest, ADescriptionComesBackAsItWas) {
  SessionSpec spec;
  spec.key = "0123456789abcdef";
  spec.description = "LibTorch 2.13.0, \"x\"";
  spec.socket = "/run/a.socket";
  spec.launcher = {"valgrind", "--callgrind-out-file=@FOLDER@/cg.%p"};
  spec.program = {"/stub", "a b"};
  spec.environment = {"A=1", "B=\n"};
  spec.working_dir = "/";
  spec.disable_aslr = true;
  spec.watched = {"/x", "/y"};
  spec.idle_seconds = 2.5;
  const SessionSpec again = parse_session_spec(session_spec_to_text(spec));
  EXPECT_EQ(session_spec_to_text(again), session_spec_to_text(spec));
  EXPECT_EQ(again.environment, spec.environment);
  EXPECT_EQ(again.watched, spec.watched);
  for (const char* text : {"", "{}", "[]", "{\"key\": 3}"}) EXPECT_THROW(parse_session_spec(text), Error) << text;
}

}  // namespace
}  // namespace icount
