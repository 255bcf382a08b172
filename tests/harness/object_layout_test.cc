// What a compiled unit shows to the linker after harness/object_layout: weak functions and constants are hidden,
// variables and strong functions are not.
#include "icount/harness/object_layout.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>

#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"

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

}  // namespace
}  // namespace icount
