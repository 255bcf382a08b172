#include <gtest/gtest.h>

#include <algorithm>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/harness/elf_file.h"

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

// Names as Valgrind writes them, without hashes.
TEST(ElfSymbolsTest, DemanglesNamesOfRustInEitherMangling) {
  EXPECT_EQ(demangle("_RNvXsg_NtCsgEmfK2I1SDS_4core3fmtbNtB5_7Display3fmt"), "<bool as core::fmt::Display>::fmt");
  EXPECT_EQ(demangle("_RNCNvCsgStHSCytQ6I_7mycrate4main0B3_"), "mycrate::main::{closure#0}");
  EXPECT_EQ(demangle("_RINvNtC3std3mem8align_ofjdE"), "std::mem::align_of::<usize, f64>");
  EXPECT_EQ(demangle("_RMC0INtC8arrayvec8ArrayVechKj7b_E"), "<arrayvec::ArrayVec<u8, 123>>");
  EXPECT_EQ(demangle("_RNvC1a4main.llvm.9D1C9369"), "a::main");
  EXPECT_EQ(demangle("_RNvNtCsl7vfJbrQO4V_2rtu9gre_6ka8iu6ma_hia"), "rt::größe::maß");
  EXPECT_EQ(demangle("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE"), "core::fmt::Formatter::pad");
  EXPECT_EQ(demangle("_ZN4core3ops8function6FnOnce40call_once$u7b$$u7b$vtable.shim$u7d$$u7d$17h0e643911d7ebb04aE"),
            "core::ops::function::FnOnce::call_once{{vtable.shim}}");
  EXPECT_EQ(
      demangle("_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar17h930b740aa94f1d3aE"),
      "<Test + 'static as foo::Bar<Test>>::bar");
}

TEST(ElfSymbolsTest, DamagedNamesOfRustStayAsTheyAre) {
  for (const std::string& symbol : {std::string("_R"), std::string("_RNvC9a"), std::string("_RNvB_1a"),
                                    std::string("_RNvMC0FUKCRL_hRL0_cEuNtC1a1b1c"), "_R" + std::string(100'000, 'N')})
    EXPECT_EQ(demangle(symbol), symbol);
  // Well formed, but each type is two of the one before: the whole name would have 2^40 of them.
  const std::string growing =
      "_RINvC1a1buTB7_B7_ETB8_B8_ETBg_Bg_ETBo_Bo_ETBw_Bw_ETBE_BE_ETBM_BM_ETBU_BU_ETB12_B12_ETB1a_B1a_ETB1k_"
      "B1k_ETB1u_B1u_ETB1E_B1E_ETB1O_B1O_ETB1Y_B1Y_ETB28_B28_ETB2i_B2i_ETB2s_B2s_ETB2C_B2C_ETB2M_B2M_ETB2W_"
      "B2W_ETB36_B36_ETB3g_B3g_ETB3q_B3q_ETB3A_B3A_ETB3K_B3K_ETB3U_B3U_ETB44_B44_ETB4e_B4e_ETB4o_B4o_ETB4y_"
      "B4y_ETB4I_B4I_ETB4S_B4S_ETB52_B52_ETB5c_B5c_ETB5m_B5m_ETB5w_B5w_ETB5G_B5G_ETB5Q_B5Q_ETB60_B60_EE";
  EXPECT_EQ(demangle(growing), growing);
}

TEST(NeededLibrariesTest, AProgramHasItsLibrariesAndItsLoader) {
  const NeededLibraries needed = load_needed_libraries("/bin/true", Environment({"PATH=/bin"}));
  EXPECT_EQ(needed.unknown, "");
  const auto has = [&](const std::string& name) {
    return std::any_of(needed.libraries.begin(), needed.libraries.end(), [&](const std::filesystem::path& path) {
      return path.is_absolute() && path.filename().string().starts_with(name);
    });
  };
  EXPECT_TRUE(has("libc.so.6"));
  EXPECT_TRUE(has("ld-linux"));
}

TEST(NeededLibrariesTest, WhatIsNoProgramIsSaid) {
  const ScratchDir folder("icount-test");
  const auto unknown = [&](const std::string& text) {
    save_file(folder.path() / "file", text);
    return load_needed_libraries(folder.path() / "file", {}).unknown;
  };
  EXPECT_EQ(unknown("#!/bin/sh\nexit 0\n"), "it is a script");
  EXPECT_EQ(unknown("text"), "it is not a 64-bit ELF program");
  EXPECT_NE(load_needed_libraries(folder.path() / "none", {}).unknown, "");
}

TEST(CompilerRecordTest, AnExecutableNamesItsCompiler) {
  const CompilerRecord record = load_compiler_record("/proc/self/exe");
  EXPECT_TRUE(record.compilers.find("GCC") != std::string::npos || record.compilers.find("clang") != std::string::npos)
      << record.compilers;
}

TEST(CompilerRecordTest, WhatIsNoExecutableSaysNothing) {
  const ScratchDir dir;
  save_file(dir.path() / "script", "#!/bin/sh\nexit 0\n");
  save_file(dir.path() / "cut", load_file("/proc/self/exe").view().substr(0, 200));
  for (const auto& path : {dir.path() / "script", dir.path() / "cut", dir.path() / "nothing"}) {
    const CompilerRecord record = load_compiler_record(path);
    EXPECT_EQ(record.compilers + record.options, "") << path;
  }
}

TEST(CompilerRecordTest, WhatGccAddsItselfIsNotHowAProgramWasBuilt) {
  const ScratchDir dir;
  save_file(dir.path() / "a.c", "int main(void) { return 0; }\n");
  const std::string program = (dir.path() / "a").string();  // crtfastmath.o comes with its own record, of -O2
  const ProcessOutcome built =
      run_process({.argv = {"gcc", "-g", "-O0", "-ffast-math", "-o", program, (dir.path() / "a.c").string()}});
  ASSERT_TRUE(built.ok()) << built.errors;
  const CompilerRecord record = load_compiler_record(program);
  EXPECT_TRUE(record.is_unoptimised) << record.options;
  EXPECT_EQ(record.options.find("-O2"), std::string::npos) << record.options;
}

TEST(CompilerRecordTest, OnlyWhatGoLinkedIsGo) { EXPECT_FALSE(load_compiler_record("/proc/self/exe").is_go); }

}  // namespace
}  // namespace icount
