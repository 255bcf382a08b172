// Everything that can make what was made once something else: each source of change is changed, and whoever asks is
// told. First the record by itself, then a compiler with it (harness/compile); servers, programs and suites are in
// tests/timer/warm_server_test.cc, known_runs_test.cc and tests/suite/take_over_test.cc.
#include "icount/harness/reuse.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/harness/compile.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

struct Edit {
  const char* what;
  std::function<void(ReuseRecord&, const fs::path&)> record;  ///< of a folder with "file", "other", "folder", "link"
  std::function<void(const fs::path&)> edit;
  std::string said;  ///< FOLDER is the folder; empty: no change
};

void keep_time(const fs::path& file, const std::function<void()>& edit) {
  const auto time = fs::last_write_time(file);
  edit();
  fs::last_write_time(file, time);
}

TEST(ReuseTest, EachSourceOfChangeIsAChange) {
  const Edit edits[] = {
      {"nothing", [](ReuseRecord& r, const fs::path& f) { r.add_file(f / "file"); }, [](const fs::path&) {}, ""},
      {"written anew alike", [](ReuseRecord& r, const fs::path& f) { r.add_file(f / "file"); },
       [](const fs::path& f) { save_file(f / "file", "one"); }, ""},
      {"same size and time", [](ReuseRecord& r, const fs::path& f) { r.add_file(f / "file"); },
       [](const fs::path& f) { keep_time(f / "file", [&] { save_file(f / "file", "two"); }); }, "changed: FOLDER/file"},
      {"in place", [](ReuseRecord& r, const fs::path& f) { r.add_file(f / "file"); },
       [](const fs::path& f) {
         keep_time(f / "file", [&] { std::system(("printf two > " + (f / "file").string()).c_str()); });
       },
       "changed: FOLDER/file"},
      {"removed", [](ReuseRecord& r, const fs::path& f) { r.add_file(f / "file"); },
       [](const fs::path& f) { fs::remove(f / "file"); }, "changed: FOLDER/file"},
      {"behind a link", [](ReuseRecord& r, const fs::path& f) { r.add_file(f / "link"); },
       [](const fs::path& f) {
         fs::remove(f / "link");
         fs::create_symlink("other", f / "link");
       },
       "changed: FOLDER/link"},
      {"was not there", [](ReuseRecord& r, const fs::path& f) { r.add_absent(f / "none"); },
       [](const fs::path& f) { save_file(f / "none", ""); }, "new: FOLDER/none"},
      {"nor its folder", [](ReuseRecord& r, const fs::path& f) { r.add_absent(f / "no/such/file"); },
       [](const fs::path& f) { fs::create_directory(f / "no"); }, "new: FOLDER/no"},
      {"another name in a folder", [](ReuseRecord& r, const fs::path& f) { r.add_folder(f / "folder"); },
       [](const fs::path& f) { save_file(f / "folder/new", ""); }, "changed: FOLDER/folder"},
      {"mode", [](ReuseRecord& r, const fs::path& f) { r.add_status(f / "file"); },
       [](const fs::path& f) { ::chmod((f / "file").c_str(), 0400); }, "changed: FOLDER/file"},
      {"size", [](ReuseRecord& r, const fs::path& f) { r.add_status(f / "file"); },
       [](const fs::path& f) { save_file(f / "file", "longer"); }, "changed: FOLDER/file"},
      {"target", [](ReuseRecord& r, const fs::path& f) { r.add_status(f / "link"); },
       [](const fs::path& f) {
         fs::remove(f / "link");
         fs::create_symlink("other", f / "link");
       },
       "changed: FOLDER/link"},
      {"status of nothing", [](ReuseRecord& r, const fs::path& f) { r.add_status(f / "none"); },
       [](const fs::path& f) { save_file(f / "none", ""); }, "changed: FOLDER/none"},
      {"unknown", [](ReuseRecord& r, const fs::path&) { r.add_unknown("asks the time"); }, [](const fs::path&) {},
       "asks the time"},
  };
  for (const Edit& edit : edits) {
    const ScratchDir scratch;
    const fs::path& folder = scratch.path();
    save_file(folder / "file", "one");
    save_file(folder / "other", "other");
    fs::create_directory(folder / "folder");
    fs::create_symlink("file", folder / "link");
    ReuseRecord made;
    edit.record(made, folder);
    const ReuseRecord kept = ReuseRecord::parse(made.to_text());
    EXPECT_EQ(kept.identity(), made.identity()) << edit.what;
    edit.edit(folder);
    std::string said = edit.said;
    if (const size_t at = said.find("FOLDER"); at != std::string::npos) said.replace(at, 6, folder.string());
    EXPECT_EQ(made.find_change(), said) << edit.what;
    EXPECT_EQ(kept.find_change(), said) << edit.what;
  }
}

TEST(ReuseTest, ALineThatIsNoneIsNoReason) {
  for (const char* line : {"file", "file hash-0 /x", "magic - - /x", ""})
    EXPECT_EQ(ReuseRecord::parse(std::string(line) + "\n").find_change(),
              std::string("its record has a malformed line: ") + line);
}

TEST(ReuseTest, WhatWasWrittenWhileItWasReadIsUnknown) {
  const ScratchDir scratch;
  save_file(scratch.path() / "file", "one");
  ReuseRecord record;
  record.add_file(scratch.path() / "file");
  struct stat status {};
  ASSERT_EQ(::stat((scratch.path() / "file").c_str(), &status), 0);
  timespec later = status.st_ctim;
  later.tv_sec += 1;
  record.doubt_written_since(later);
  EXPECT_EQ(record.find_change(), "");
  record.doubt_written_since(status.st_ctim);
  EXPECT_NE(record.find_change(), "");
}

TEST(ReuseTest, SurroundingsTellWhatAProgramCouldAskFor) {
  const std::string own = "end" + process_surroundings() + "end";
  for (const char* command : {"umask 0137", "ulimit -n 77", "ulimit -c 0; ulimit -s 1000", "exec 9</dev/null"}) {
    // Asked in another process, which is this program again.
    const std::string self = fs::read_symlink("/proc/self/exe").string();
    const ProcessOutcome outcome = run_process({.argv = {"/bin/sh", "-c",
                                                         std::string(command) + "; ICOUNT_PRINT_SURROUNDINGS=1 exec " +
                                                             self + " --gtest_filter=ReuseTest.Prints"}});
    EXPECT_EQ(outcome.output.find(own), std::string::npos) << command;
    EXPECT_NE(outcome.output.find("Cpus_allowed:"), std::string::npos) << command << outcome.output << outcome.errors;
  }
}

TEST(ReuseTest, Prints) {
  if (std::getenv("ICOUNT_PRINT_SURROUNDINGS")) printf("end%send", process_surroundings().c_str());
}

TEST(IncludeLookupsTest, NamesOfDirectivesAreRead) {
  const IncludeNames names = find_include_names(
      "#include <a/b>\n  # include \"c.h\"\n#include_next <d.h>\n%: import <e.h>\n#include NAME\n"
      "#if defined(X) && __has_include(<f.h>) || __has_include ( \"g.h\" )\n#ifdef __has_include\n#define z <y.h>\n");
  EXPECT_EQ(names.searched, (std::vector<std::string>{"a/b", "c.h", "d.h", "e.h", "f.h", "g.h"}));
  EXPECT_EQ(names.quoted, (std::vector<std::string>{"c.h", "g.h"}));
  EXPECT_EQ(names.unknown, "");
  for (const char* text :
       {"#if __has_include(NAME)\n", "asm(\".incbin \\\"x\\\"\");", "#embed \"x\"\n", "#if __has_embed(<x>)\n"})
    EXPECT_NE(find_include_names(text).unknown, "") << text;
}

/// A compiler in a folder of its own with a cache of its own, asked as a process of its own would ask.
class RebuildTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (find_program(GetParam()).empty()) GTEST_SKIP() << "no " << GetParam() << " here";
    for (const char* folder : {"first", "second", "libs", "libs2"}) fs::create_directory(path(folder));
    write("second/x.h", "int x = 1;\n");
    write("flags", "-DFLAG=1\n");
    write("forced.h", "int forced;\n");
    write("cache/below.h", "int below = 1;\n");
    write("wrapper", std::string("#!/bin/sh\nexec ") + GetParam() + " \"$@\" -DWRAPPED=1\n");
    ::chmod(path("wrapper").c_str(), 0700);
    options_.compiler = path("wrapper");
    options_.cxxflags = {"-I" + path("first"), "-I" + path("second"), "@" + path("flags"), "-include",
                         path("forced.h")};
  }
  void TearDown() override {
    for (const char* name : {"CPATH", "CCC_OVERRIDE_OPTIONS", "C_INCLUDE_PATH"}) ::unsetenv(name);
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    save_file(path(name), text);
    // A compiler that starts in the same tick of the clock might have read what was there before.
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }

  CompileOutcome compile(const std::string& text) {
    const Toolchain toolchain = find_toolchain(options_, false, {});
    BuildCache cache(path("cache"));
    return StubCompiler(toolchain, cache, {}).compile(text, UnitKind::kLibrary);
  }

  /// Built, found again, and built again once `edit` is done.
  void expect_rebuilt(const char* what, const std::string& text, const std::function<void()>& edit) {
    forget_compiler_facts();
    ASSERT_TRUE(compile(text).ok()) << what << compile(text).message;
    forget_compiler_facts();
    EXPECT_TRUE(compile(text).from_cache) << what;
    edit();
    forget_compiler_facts();
    const CompileOutcome again = compile(text);
    EXPECT_TRUE(again.ok()) << what << again.message;
    EXPECT_FALSE(again.from_cache) << what;
  }

  ScratchDir folder_;
  ToolchainOptions options_;
};

TEST_P(RebuildTest, EachSourceOfChangeIsCompiledAgain) {
  const std::string includes = "#include \"x.h\"\n";
  expect_rebuilt("a header", includes, [&] { write("second/x.h", "int x = 2;\n"); });
  expect_rebuilt("a header of that name in an earlier folder", includes, [&] { write("first/x.h", "int x = 3;\n"); });
  expect_rebuilt("what __has_include asked for", "#if __has_include(\"opt.h\")\n#include \"opt.h\"\n#endif\n",
                 [&] { write("second/opt.h", "int opt;\n"); });
  write("second/unread.h", "");
  expect_rebuilt("what __has_include found", "#if __has_include(\"unread.h\")\nint found;\n#endif\n",
                 [&] { fs::remove(path("second/unread.h")); });
  expect_rebuilt("a header below the cache's own folder", "#include \"" + path("cache/below.h") + "\"\n",
                 [&] { write("cache/below.h", "int below = 2;\n"); });
  expect_rebuilt("a response file", "int f = FLAG;\n", [&] { write("flags", "-DFLAG=2\n"); });
  expect_rebuilt("a wrapper", "int w = WRAPPED;\n",
                 [&] { write("wrapper", std::string("#!/bin/sh\nexec ") + GetParam() + " \"$@\" -DWRAPPED=2\n"); });
  expect_rebuilt("a header of -include", "int i;\n", [&] { write("forced.h", "int forced, and_more;\n"); });
  write("third/z.h", "int z = 1;\n");
  write("fourth/z.h", "int z = 2;\n");
  ::setenv("CPATH", path("third").c_str(), 1);
  expect_rebuilt("CPATH", "#include <z.h>\n", [&] { ::setenv("CPATH", path("fourth").c_str(), 1); });
  expect_rebuilt("a header in CPATH", "#include <z.h>\n", [&] { write("fourth/z.h", "int z = 3;\n"); });
  if (GetParam() == std::string("clang++"))
    expect_rebuilt("CCC_OVERRIDE_OPTIONS", "int o;\n", [&] { ::setenv("CCC_OVERRIDE_OPTIONS", "+-DO=1", 1); });
}

TEST_P(RebuildTest, FoldersShareAPrecompiledHeaderUnlessThePreludeFindsSomethingInThem) {
  int built = 0;
  const auto compile_with = [&](const std::string& folder, const std::string& text) {
    options_.cxxflags = {"-I" + path(folder)};
    forget_compiler_facts();
    const Toolchain toolchain = find_toolchain(options_, false, {});
    BuildCache cache(path("cache"));
    StubCompiler compiler(toolchain, cache, {});
    compiler.prepare("#include <cstddef>\n#if __has_include(<asked.h>)\n#define ASKED\n#endif\n",
                     [&](const std::string&) { ++built; });
    return compiler.compile(text, UnitKind::kStatements).message;
  };
  write("plain/mine.h", "");
  write("asked/asked.h", "");
  write("hides/cstddef", "#include_next <cstddef>\n#define HIDDEN\n");
  EXPECT_EQ(compile_with("first", "int one;\n"), "");
  EXPECT_EQ(compile_with("plain", "#include \"mine.h\"\n#if defined(ASKED) || defined(HIDDEN)\n#error\n#endif\n"), "");
  EXPECT_EQ(built, 1);
  EXPECT_EQ(compile_with("asked", "#ifndef ASKED\n#error\n#endif\n"), "");
  EXPECT_EQ(built, 2);
  EXPECT_EQ(compile_with("hides", "#ifndef HIDDEN\n#error\n#endif\n"), "");
  EXPECT_EQ(built, 3);
}

TEST_P(RebuildTest, WhatTheAssemblerReadsIsNeverReused) {
  write("data", "1");
  const std::string text = "asm(\".incbin \\\"" + path("data") + "\\\"\");\n";
  ASSERT_TRUE(compile(text).ok());
  EXPECT_FALSE(compile(text).from_cache);
}

TEST_P(RebuildTest, BothOfTwoVersionsAreFoundAgain) {
  const std::string text = "#include \"x.h\"\n";
  const std::string one = load_text(compile(text).file);
  write("second/x.h", "int x = 22;\n");
  const std::string two = load_text(compile(text).file);
  EXPECT_NE(one, two);
  for (int i = 0; i < 2; ++i) {
    write("second/x.h", "int x = 1;\n");
    const CompileOutcome first = compile(text);
    EXPECT_TRUE(first.from_cache);
    EXPECT_EQ(load_text(first.file), one);
    write("second/x.h", "int x = 22;\n");
    const CompileOutcome second = compile(text);
    EXPECT_TRUE(second.from_cache);
    EXPECT_EQ(load_text(second.file), two);
  }
}

TEST_P(RebuildTest, EachLibraryOfALinkIsLinkedAgain) {
  const auto make_library = [&](const std::string& folder, int value) {
    write(folder + "/k.cc", "extern \"C\" int k() { return " + std::to_string(value) + "; }\n");
    const std::string line = "cd " + path(folder) + " && g++ -c k.cc && rm -f libk.a && ar rc libk.a k.o";
    ASSERT_EQ(std::system(line.c_str()), 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  };
  make_library("libs2", 1);
  options_.link_flags = {"-L" + path("libs"), "-L" + path("libs2"), "-lk"};
  const auto link = [&] {
    forget_compiler_facts();
    const Toolchain toolchain = find_toolchain(options_, false, {});
    BuildCache cache(path("cache"));
    StubCompiler compiler(toolchain, cache, {});
    const CompileOutcome object =
        compiler.compile("extern \"C\" int k(); int main() { return k(); }\n", UnitKind::kLibrary);
    return compiler.link(std::span(&object, 1));
  };
  const auto ends_with = [&](const CompileOutcome& program) {
    return run_process({.argv = {program.file.string()}}).exit_code;
  };
  EXPECT_EQ(ends_with(link()), 1);
  EXPECT_TRUE(link().from_cache);
  make_library("libs2", 2);
  EXPECT_EQ(ends_with(link()), 2);
  make_library("libs", 3);
  EXPECT_EQ(ends_with(link()), 3) << "of an earlier folder";
  fs::remove(path("libs/libk.a"));
  const CompileOutcome back = link();
  EXPECT_EQ(ends_with(back), 2);
  EXPECT_TRUE(back.from_cache);
}

INSTANTIATE_TEST_SUITE_P(Compilers, RebuildTest, testing::Values("clang++", "g++"), [](const auto& info) {
  return std::string(info.param).substr(0, info.param[0] == 'c' ? 5 : 1);
});

}  // namespace
}  // namespace icount
