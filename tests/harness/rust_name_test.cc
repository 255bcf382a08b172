#include "icount/harness/rust_name.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

std::string name_of(std::string_view symbol) { return demangle_rust(symbol).value_or("none"); }

// As c++filt prints them, but without hashes.
TEST(RustNameTest, NamesOfEitherManglingAreReadable) {
  EXPECT_EQ(name_of("_RNvXsg_NtCsgEmfK2I1SDS_4core3fmtbNtB5_7Display3fmt"), "<bool as core::fmt::Display>::fmt");
  EXPECT_EQ(name_of("_RNvCskwGfYPst2Cb_3foo16example_function"), "foo::example_function");
  EXPECT_EQ(name_of("_RNCNvCsgStHSCytQ6I_7mycrate4main0B3_"), "mycrate::main::{closure#0}");
  EXPECT_EQ(name_of("_RINvNtC3std3mem8align_ofjdE"), "std::mem::align_of::<usize, f64>");
  EXPECT_EQ(name_of("_RMC0INtC8arrayvec8ArrayVechKj7b_E"), "<arrayvec::ArrayVec<u8, 123>>");
  EXPECT_EQ(name_of("_RINbNbCskIICzLVDPPb_5alloc5alloc8box_freeDINbNiB4_5boxed5FnBoxuEp6OutputuEL_ECs1iopQbuBiw2_3std"),
            "alloc::alloc::box_free::<dyn alloc::boxed::FnBox<(), Output = ()>>");
  EXPECT_EQ(name_of("_RNvMC0FUKCRL_hRL0_cEuNtC1a1b1c"), "none") << "a lifetime that nothing binds";
  EXPECT_EQ(name_of("_RNvC1a4main.llvm.9D1C9369"), "a::main");
  EXPECT_EQ(name_of("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE"), "core::fmt::Formatter::pad");
  EXPECT_EQ(
      name_of("_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar17h930b740aa94f1d3aE"),
      "<Test + 'static as foo::Bar<Test>>::bar");
}

TEST(RustNameTest, OtherSymbolsAndDamagedOnesAreNone) {
  for (const char* symbol : {"main", "_ZN3foo3barEv", "_ZN3foo17h0123456789abcdeE", "_R", "_Rx", "_RNvC", "_RNvC9a",
                             "_RB_", "_RNvB_1a", "_RNvC1a1bX", "_RINvC1a1bKhzzE", "_ZN9foo17h0123456789abcdefE"})
    EXPECT_EQ(name_of(symbol), "none") << symbol;
  // Each name that refers to the one before twice would be twice as long.
  std::string doubling = "_RINvC1a1bT";
  for (int i = 0; i < 60; ++i) doubling += "TB6_B6_E";
  EXPECT_EQ(name_of(doubling), "none");
  EXPECT_EQ(name_of("_R" + std::string(100'000, 'N')), "none");
}

}  // namespace
}  // namespace icount
