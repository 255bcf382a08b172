// Bytes as an instruction's text.
#include "icount/objects/disassembly.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

TEST(DisassemblyTest, BytesAreOneInstructionOrNone) {
#ifdef __x86_64__
  EXPECT_EQ(disassemble_bytes("\x62\xf1\x7d\x48\xef\xc0"), "vpxord %zmm0, %zmm0, %zmm0");
  EXPECT_EQ(disassemble_bytes("\x0f\xc7\xf0"), "rdrandl %eax");
  EXPECT_EQ(disassemble_bytes("\x62\xf1"), "") << "not whole";
#endif
  EXPECT_EQ(disassemble_bytes(""), "");
}

}  // namespace
}  // namespace icount
