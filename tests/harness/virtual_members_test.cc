#include "icount/harness/virtual_members.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

TEST(VirtualMembers, ClassesOfOutermostInstantiationsAreFound) {
  const std::string trace = R"({"traceEvents": [
    {"ph": "X", "ts": 30, "dur": 5, "name": "InstantiateFunction", "args": {"detail": "z::List<a::B<1>>::equals"}},
    {"ph": "X", "ts": 10, "dur": 9, "name": "InstantiateFunction", "args": {"detail": "a::Cloneable<a::Linear>::clone"}},
    {"ph": "X", "ts": 12, "dur": 3, "name": "InstantiateFunction", "args": {"detail": "std::vector<int>::reserve"}},
    {"ph": "X", "ts": 10, "dur": 4, "name": "InstantiateClass", "args": {"detail": "a::Other<int>"}},
    {"ph": "X", "ts": 40, "dur": 1, "name": "InstantiateFunction", "args": {"detail": "a::Cloneable<a::Linear>::reset"}},
    {"ph": "X", "ts": 50, "dur": 1, "name": "InstantiateFunction", "args": {"detail": "free_function<int>"}},
    {"ph": "X", "ts": 52, "dur": 1, "name": "InstantiateFunction", "args": {"detail": "a::Plain::call"}},
    {"ph": "X", "ts": 60, "dur": 1, "name": "InstantiateFunction",
     "args": {"detail": "a::Visit<(lambda at x.h:1:2)>::f"}},
    {"ph": "M", "ts": 0, "name": "process_name", "args": {"name": "clang"}}]})";
  EXPECT_EQ(find_late_classes(trace), (std::vector<std::string>{"a::Cloneable<a::Linear>", "z::List<a::B<1>>"}));
}

TEST(VirtualMembers, TextThatIsNoTraceIsRefused) {
  EXPECT_THROW(find_late_classes("no trace"), Error);
  EXPECT_THROW(find_late_classes("{}"), Error);
}

TEST(VirtualMembers, EveryClassIsUsedOnce) {
  const std::vector<std::string> classes = {"a::B<1>", "c::D<a::B<1>>"};
  const std::string text = make_virtual_members_header(classes);
  EXPECT_NE(text.find("  use_virtual_members<a::B<1>>();\n  use_virtual_members<c::D<a::B<1>>>();\n}\n"),
            std::string::npos)
      << text;
}

/// A folder in which clang precompiles headers and compiles empty units with them.
class HeaderFolder {
 public:
  explicit HeaderFolder(fs::path clang) : clang_(std::move(clang)) {}

  void precompile(const std::string& name, const std::string& text, const std::vector<std::string>& flags = {}) {
    save_file(path(name + ".h"), text);
    run(flags, {"-x", "c++-header", "-fpch-instantiate-templates", path(name + ".h"), "-o", path(name + ".pch")});
  }
  std::vector<std::string> late_classes(const std::string& header) {
    save_file(path("unit.cc"), "");
    run({"-include-pch", path(header + ".pch")},
        {"-ftime-trace", "-ftime-trace-granularity=0", "-c", "-o", path("unit.o"), path("unit.cc")});
    return find_late_classes(load_text(path("unit.json")));
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

 private:
  void run(const std::vector<std::string>& flags, const std::vector<std::string>& rest) {
    std::vector<std::string> argv = {clang_.string(), "-std=c++20"};
    argv.insert(argv.end(), flags.begin(), flags.end());
    argv.insert(argv.end(), rest.begin(), rest.end());
    const ProcessOutcome outcome = run_process({.argv = argv});
    ASSERT_TRUE(outcome.ok()) << outcome.errors;
  }

  fs::path clang_;
  ScratchDir folder_;
};

TEST(VirtualMembers, ClangInstantiatesThemInTheHeader) {
  const fs::path clang = find_program("clang++");
  if (clang.empty()) GTEST_SKIP() << "no clang++ here";
  HeaderFolder folder(clang);
  folder.precompile("first",
                    "template <typename Self> struct Cloneable {\n"
                    "  virtual ~Cloneable() = default;\n"
                    "  virtual Self* clone() const { return new Self(static_cast<const Self&>(*this)); }\n"
                    "};\n"
                    "struct Module : Cloneable<Module> {};\n"
                    "inline Module* make_module() { return new Module; }\n");
  const std::vector<std::string> late = folder.late_classes("first");
  ASSERT_EQ(late, std::vector<std::string>{"Cloneable<Module>"});
  folder.precompile("second", make_virtual_members_header(late), {"-include-pch", folder.path("first.pch")});
  EXPECT_EQ(folder.late_classes("second"), std::vector<std::string>());
}

}  // namespace
}  // namespace icount
