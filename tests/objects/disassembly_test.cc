// Bytes as an instruction's text.
#include <elf.h>
#include <gtest/gtest.h>

#include <string>

#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/objects/disassembly.h"

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

using namespace std::string_view_literals;

TEST(FloatingPointTest, ArithmeticComparisonsAndLoadsOfEightyBits) {
  for (const std::string_view bytes : {
           "\xde\xc1"sv,          // faddp
           "\xd8\xc9"sv,          // fmul %st(1)
           "\xdc\x44\x24\x08"sv,  // faddl 8(%rsp)
           "\xdb\x6c\x24\x10"sv,  // fldt 16(%rsp)
           "\xdf\xe9"sv,          // fucomip
           "\xdb\xf1"sv,          // fcomi
           "\xd9\xfa"sv,          // fsqrt
           "\x41\xdb\x28"sv,      // fldt (%r8)
           "\x66\xde\xf9"sv,      // fdivrp behind a prefix
           "\xda\xe9"sv,          // fucompp
       })
    EXPECT_EQ(float_use_of(bytes), FloatUse::kX87) << disassemble_bytes(bytes);
  for (const std::string_view bytes : {
           ""sv,
           "\xd9\x7c\x24\x0e"sv,      // fnstcw
           "\xd9\x6c\x24\x0c"sv,      // fldcw
           "\xd9\xe8"sv,              // fld1
           "\xdb\x3c\x24"sv,          // fstpt (%rsp)
           "\xdd\x04\x24"sv,          // fldl (%rsp)
           "\xdd\xd8"sv,              // fstp %st(0)
           "\xdf\xe0"sv,              // fnstsw %ax
           "\xdb\xe3"sv,              // fninit
           "\xd9\xc9"sv,              // fxch
           "\xf2\x0f\x58\xc1"sv,      // addsd
           "\x48\x8b\x04\xd8"sv,      // movq (%rax,%rbx,8), %rax
           "\x0f\xae\x5c\x24\xfc"sv,  // stmxcsr
           "\x0f\xae\xf0"sv,          // mfence
       })
    EXPECT_EQ(float_use_of(bytes), FloatUse::kPlain) << disassemble_bytes(bytes);
}

TEST(FloatingPointTest, ControlRegistersThatAreToldToFlush) {
  for (const std::string_view bytes : {"\x0f\xae\x54\x24\xfc"sv, "\x41\x0f\xae\x10"sv, "\xc5\xf8\xae\x54\x24\xfc"sv})
    EXPECT_EQ(float_use_of(bytes), FloatUse::kControl) << disassemble_bytes(bytes);
  for (const char* text : {"orl $0x8040, -4(%rsp)", "orl $0x8000, %eax", "orb $0x80, %ah", "orb $-0x80, 0xd(%rsp)",
                           "movl $0x9fc0, -4(%rsp)", "btsl $15, %eax", "orl $0x40, %eax", "btsl $0xf, %eax"})
    EXPECT_TRUE(sets_flush_bit(text)) << text;
  for (const char* text : {"andl $0xffff7fbf, %eax", "orl $0x1f80, %eax", "movl $0x1f80, -4(%rsp)", "movl %eax, (%rdi)",
                           "addq $0x40, %rsp", "orb $0x1f, %ah", "movl $0x180000, %esi", ""})
    EXPECT_FALSE(sets_flush_bit(text)) << text;
}

TEST(FloatingPointTest, OneNoteOfEachKindNamesTheFirstFunctions) {
  EXPECT_TRUE(floating_point_notes({}).empty());
  const std::string end =
      "code that branches on such a number may take another path than without Valgrind, and that path is what is "
      "counted";
  EXPECT_EQ(
      floating_point_notes({{"a", "b", "c", "d", "e"}, {"f"}}),
      (std::vector<std::string>{
          "`a`, `b`, `c` and 2 more functions compute with 80-bit long double (x87), for which Valgrind has 64 "
          "bits: " +
              end,
          "`f` sets the processor to treat tiny floating-point numbers as zero (as -ffast-math does), and Valgrind "
          "keeps them: " +
              end}));
}

/// An ELF file that loads `code`, followed by `debug`, which is not loaded.
std::string elf_file(const std::string& code, const std::string& debug) {
  Elf64_Ehdr header{};
  header.e_ident[EI_MAG0] = ELFMAG0;
  header.e_ident[EI_MAG1] = ELFMAG1;
  header.e_ident[EI_MAG2] = ELFMAG2;
  header.e_ident[EI_MAG3] = ELFMAG3;
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_phoff = sizeof header;
  header.e_phnum = 1;
  Elf64_Phdr segment{};
  segment.p_type = PT_LOAD;
  segment.p_flags = PF_R | PF_X;
  segment.p_filesz = sizeof header + sizeof segment + code.size();
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) +
         std::string(reinterpret_cast<const char*>(&segment), sizeof segment) + code + debug;
}

TEST(ToggleRequestTest, AFileMayToggleWhereItsCodeHasRequestsAndThatNumber) {
  // valgrind.h's preamble, and CALLGRIND_TOGGLE_COLLECT: 'C', 'T' and 2 as one number, in the order of this machine.
  const std::string preamble("\x48\xc1\xc7\x03\x48\xc1\xc7\x0d\x48\xc1\xc7\x3d\x48\xc1\xc7\x33", 16);
  const std::string toggle("\x02\x00TC", 4), dump("\x00\x00TC", 4);
  const ScratchDir folder;
  const auto may = [&](const std::string& code, const std::string& debug = {}) {
    save_file(folder.path() / "f", elf_file(code, debug));
    return may_toggle_collection(folder.path() / "f");
  };
  EXPECT_TRUE(may("xx" + preamble + "yy" + toggle + "z"));
  EXPECT_TRUE(may(toggle + preamble));
  EXPECT_FALSE(may(preamble + dump));
  EXPECT_FALSE(may(""));
#if defined(__x86_64__)
  EXPECT_FALSE(may(toggle + preamble.substr(0, 15)));
#endif
  EXPECT_FALSE(may(preamble + dump, toggle)) << "debug information lists the requests of callgrind.h";
  EXPECT_FALSE(may_toggle_collection(folder.path() / "none"));
}

}  // namespace
}  // namespace icount
