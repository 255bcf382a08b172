#include "icount/harness/elf_symbols.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "icount/base/error.h"
#include "icount/base/scratch_dir.h"

extern "C" void icount_a_function_to_be_found() {}

namespace icount {
namespace {

TEST(ElfSymbolsTest, FindsTheFunctionsOfAProgram) {
  const ElfSymbols own = load_elf_symbols("/proc/self/exe");
  EXPECT_FALSE(own.is_stripped);
  EXPECT_FALSE(own.is_static);
  const auto found = std::find_if(own.symbols.begin(), own.symbols.end(), [](const ElfSymbol& symbol) {
    return symbol.name == "icount_a_function_to_be_found";
  });
  ASSERT_NE(found, own.symbols.end());
  EXPECT_TRUE(found->is_function);
  EXPECT_TRUE(found->is_defined);
  EXPECT_NE(found->address, 0u);
}

TEST(ElfSymbolsTest, DamagedFilesAreErrorsWhereverTheyEnd) {
  const std::string whole(load_elf_symbols("/proc/self/exe").bytes.view().substr(0, 4096));
  const ScratchDir folder;
  const auto file = folder.path() / "program";
  for (const size_t size : {0, 10, 63, 64, 100, 4096}) {
    save_file(file, whole.substr(0, size));
    EXPECT_THROW(load_elf_symbols(file), Error) << size;
  }
  save_file(file, "#!/bin/sh\n" + std::string(100, ' '));
  EXPECT_THROW(load_elf_symbols(file), Error);
}

TEST(ElfSymbolsTest, DemanglesNamesOfFunctions) {
  EXPECT_EQ(demangle("_ZN9benchmark5State16StartKeepRunningEv"), "benchmark::State::StartKeepRunning()");
  EXPECT_EQ(demangle("main"), "main");
  EXPECT_EQ(demangle("a"), "a");  // no type: signed char
}

}  // namespace
}  // namespace icount
