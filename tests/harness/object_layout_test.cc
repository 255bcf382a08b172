// What a compiled unit shows to the linker after harness/object_layout: weak functions and constants are hidden,
// variables and strong functions are not.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/harness/object_layout.h"

namespace icount {
namespace {

/// The visibility of a symbol in an object file; -1: it has none of that name.
int visibility_of(const std::string& object, std::string_view name) {
  Elf64_Ehdr header;
  std::memcpy(&header, object.data(), sizeof header);
  const auto section = [&](uint64_t i) {
    Elf64_Shdr found;
    std::memcpy(&found, object.data() + header.e_shoff + i * sizeof found, sizeof found);
    return found;
  };
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr table = section(i);
    if (table.sh_type != SHT_SYMTAB) continue;
    const char* strings = object.data() + section(table.sh_link).sh_offset;
    for (uint64_t at = 0; at < table.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, object.data() + table.sh_offset + at, sizeof symbol);
      if (name == strings + symbol.st_name) return ELF64_ST_VISIBILITY(symbol.st_other);
    }
  }
  return -1;
}

TEST(ObjectLayoutTest, WeakFunctionsAndConstantsAreHiddenVariablesAreNot) {
  if (find_program("g++").empty()) GTEST_SKIP() << "no g++ in PATH";
  const ScratchDir scratch;
  const auto source = scratch.path() / "x.cc", file = scratch.path() / "x.o";
  save_file(source,
            "struct Base { virtual ~Base() {} virtual int f() { return 1; } };\n"
            "inline int counter() { static int count = 0; return ++count; }\n"
            "template <typename T> T twice(T x) { return x + x; }\n"
            "int strong() { return counter() + twice(3) + Base().f(); }\n"
            "Base* make() { return new Base; }\n"
            "__attribute__((weak)) int missing();\n"
            "int calls() { return missing ? missing() : 0; }\n");
  ASSERT_TRUE(run_process({.argv = {"g++", "-O0", "-fPIC", "-fno-gnu-unique", "-ffunction-sections", "-fdata-sections",
                                    "-c", source.string(), "-o", file.string()}})
                  .ok());
  const std::string before = load_text(file), after = hide_weak_definitions(before);
  ASSERT_EQ(before.size(), after.size());
  for (const char* hidden :
       {"_Z7counterv", "_Z5twiceIiET_S0_", "_ZTV4Base", "_ZTI4Base", "_ZTS4Base", "_ZN4Base1fEv"}) {
    EXPECT_EQ(visibility_of(before, hidden), STV_DEFAULT) << hidden;
    EXPECT_EQ(visibility_of(after, hidden), STV_HIDDEN) << hidden;
  }
  for (const char* shown : {"_ZZ7countervE5count", "_Z6strongv", "_Z7missingv"})
    EXPECT_EQ(visibility_of(after, shown), STV_DEFAULT) << shown;
}

TEST(ObjectLayoutTest, WhatIsNoObjectFileStaysAsItIs) {
  for (const std::string& text : {std::string(), std::string("x"), std::string(200, 'x'), std::string("\177ELF", 4)})
    EXPECT_EQ(hide_weak_definitions(text), text);
}

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
