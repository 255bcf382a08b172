#include "icount/callgrind/valgrind_log.h"

#include <gtest/gtest.h>

#include "icount/callgrind/installed_valgrind.h"

namespace icount {
namespace {

// As Valgrind 3.19 writes it: the bytes without a process id, then lines with one.
constexpr std::string_view kLog =
    "==11== Process terminating with default action of signal 11 (SIGSEGV)\n"
    "vex amd64->IR: unhandled instruction bytes: 0x62 0xF1 0x7D 0x48 0xEF 0xC0\n"
    "vex amd64->IR:   REX=0 REX.W=0 REX.R=0 REX.X=0 REX.B=0\n"
    "==12== valgrind: Unrecognised instruction at address 0x110b20.\n"
    "==12==    at 0x110b20: kernel(float*) (avx.c:3)\n"
    "==12== Process terminating with default action of signal 4 (SIGILL)\n"
    "==13== valgrind: Unrecognised instruction at address 0x110b30.\n"
    "vex amd64->IR: unhandled instruction bytes: 0xF 0xC7 0xF0\n"
    "==14== valgrind: Unrecognised instruction at address 0x110b40.\n";

TEST(ValgrindLogTest, WhatLetsACountMoveIsOfAllProcesses) {
  const Chance chance = find_chance("--11-- icount: chance: clock threads\n--12-- icount: chance: clock files\n");
  EXPECT_EQ(chance.sources, (std::vector<std::string>{"the clock", "the order of its threads"}));
  EXPECT_TRUE(chance.changes_files);
  EXPECT_TRUE(find_chance(kLog).sources.empty());
}

TEST(ValgrindLogTest, FindsTheInstructionOfTheProcessAskedFor) {
  const auto found = find_unhandled_instruction(kLog, 12);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->bytes, "0x62 0xF1 0x7D 0x48 0xEF 0xC0");
  EXPECT_EQ(found->address, "0x110b20");
  EXPECT_TRUE(found->avx512);
  EXPECT_EQ(found->where, "kernel(float*) (avx.c:3)");
  EXPECT_NE(describe(*found).find("-mno-avx512f or -march=x86-64-v3"), std::string::npos);
  EXPECT_NE(
      describe(*found, "vpxorq %zmm0, %zmm0, %zmm0").find("`vpxorq %zmm0, %zmm0, %zmm0` in kernel(float*) (avx.c:3)"),
      std::string::npos);
}

TEST(ValgrindLogTest, FindsTheFirstOneWhereTheProcessIsNotKnown) {
  const auto found = find_unhandled_instruction(kLog, 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->address, "0x110b20");
  EXPECT_EQ(found->where, "kernel(float*) (avx.c:3)");
}

TEST(ValgrindLogTest, OtherInstructionsAreNotCalledAvx512) {
  const auto found = find_unhandled_instruction(kLog, 14);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->avx512);
  EXPECT_EQ(describe(*found).find("AVX-512"), std::string::npos);
}

TEST(ValgrindLogTest, AnInstructionOfTheProgramsOwnIsNone) {
  EXPECT_FALSE(find_unhandled_instruction(kLog, 13)) << "ud2 prints no bytes";
  EXPECT_FALSE(find_unhandled_instruction(kLog, 11));
  EXPECT_FALSE(find_unhandled_instruction("", 11));
}

TEST(ValgrindLogTest, AnInstructionsPlaceIsSaidWhereTheLogHasIt) {
  const std::string bytes = "vex: unhandled instruction bytes: 0x62 0x1\n";
  const std::string address = "==7== valgrind: Unrecognised instruction at address 0x10";
  const auto where = [&](const std::string& rest) {
    const auto found = find_unhandled_instruction(bytes + address + rest, 7);
    return found ? found->address + " " + found->where : "none";
  };
  EXPECT_EQ(where(".\n==7==    at 0x10: f (a.c:3)\n"), "0x10 f (a.c:3)");
  EXPECT_EQ(where("\n==7==    at 0x10: f\n"), "0x10 f") << "an address without a point behind it";
  EXPECT_EQ(where("."), "0x10 ") << "the log ends there";
  EXPECT_EQ(where(".\n==7==    at 0x10: ???\n"), "0x10 ");
  EXPECT_EQ(where(".\n==7==    by 0x10: f\n"), "0x10 ");
  EXPECT_EQ(where(".\n==7==    at 0x10\n"), "0x10 ");
  EXPECT_EQ(where(".\n==8==    at 0x10: f\n"), "0x10 ") << "another process";
  EXPECT_FALSE(find_unhandled_instruction(
      bytes + "==8== valgrind: Unrecognised instruction at address 0x1.\n" + address + ".\n", 7))
      << "the bytes were those of process 8";
}

// Of the process that is asked for: its own trace ends before the next one's words.
TEST(ValgrindLogTest, WhereTheInstructionLiesInItsObjectIsReadFromIcountsOwnTool) {
  const std::string log =
      "vex: unhandled instruction bytes: 0x62 0x1\n==7== valgrind: Unrecognised instruction at address 0x109148.\n"
      "==7==    at 0x109148: f (in /usr/bin/avx 2)\n==7==    by 0x109200: main (in /usr/bin/avx 2)\n";
  const auto found = find_unhandled_instruction(log + "==7== icount: 0x1148 of /usr/bin/avx 2\n", 7);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->where, "f");
  EXPECT_EQ(found->object, "/usr/bin/avx 2");
  EXPECT_EQ(found->object_address, 0x1148u);
  EXPECT_EQ(find_unhandled_instruction(log + "==8== icount: 0x1148 of /usr/bin/avx\n", 7)->object, "");
}

TEST(ValgrindLogTest, ProgramsThatValgrindRefusedAreListedOnce) {
  const std::string refused = "==7== Warning: Can't execute setuid/setgid/setcap executable: ";
  EXPECT_EQ(find_refused_programs(refused + "/bin/su\nx\n" + refused + "/bin/a b \n" + refused + "/bin/su\n"),
            (std::vector<std::string>{"/bin/su", "/bin/a b"}));
  EXPECT_TRUE(find_refused_programs("").empty());
}

TEST(ValgrindLogTest, VersionsAreRead) {
  EXPECT_FALSE(parse_valgrind_version("valgrind-x.19"));
  EXPECT_FALSE(parse_valgrind_version("valgrind-3.19.0 or so"));
  EXPECT_FALSE(parse_valgrind_version("valgrind-3.19.0\nmore"));
  EXPECT_EQ(parse_valgrind_version("valgrind-0"), "0");
  EXPECT_EQ(parse_valgrind_version("valgrind-9"), "9");
  EXPECT_EQ(parse_valgrind_version("valgrind-3.19.0\n"), "3.19.0");
  EXPECT_EQ(parse_valgrind_version("valgrind-3.25.0.GIT\n"), "3.25.0.GIT");
  EXPECT_FALSE(parse_valgrind_version("bash: valgrind: not found"));
  EXPECT_FALSE(parse_valgrind_version("valgrind-"));
}

TEST(ValgrindLogTest, DebugInformationThatWasNotReadIsARemark) {
  EXPECT_EQ(describe_unread_debug_information("==7== Callgrind\n"), "");
  EXPECT_NE(describe_unread_debug_information("### unhandled dwarf2 abbrev form code 0x25\n").find("-gdwarf-4"),
            std::string::npos);
}

TEST(ValgrindLogTest, CodeInAMemfdIsNoDebugInformation) {
  const std::string jit =
      "--7-- WARNING: Serious error when reading debug info\n--7-- When reading debug info from /memfd:jit (deleted):\n"
      "--7-- failed to stat64/stat this file\n";
  EXPECT_TRUE(maps_unlinked_code(jit));
  EXPECT_EQ(describe_unread_debug_information(jit), "");
  const std::string library =
      "--7-- WARNING: Serious error when reading debug info\n--7-- When reading debug info from /lib/x.so:\n"
      "--7-- Ignoring non-Dwarf2/3/4/5 block in .debug_info\n";
  EXPECT_FALSE(maps_unlinked_code(library));
  EXPECT_NE(describe_unread_debug_information(jit + library), "");
}

TEST(ValgrindLogTest, WhatAProgramTakesOutOfItsCountIsFound) {
  const CountingRequests none = find_counting_requests("--7-- Start dumping at BB 5 (Prg.Term.)...\n");
  EXPECT_FALSE(none.zeroed || none.switched_off);
  EXPECT_TRUE(find_counting_requests("--7--   Zeroing costs...\n--7--   ...done\n").zeroed);
  EXPECT_TRUE(find_counting_requests("--7-- Client Request: instrumentation switched OFF\n").switched_off);
  EXPECT_TRUE(find_counting_requests("--7-- Command: instrumentation switched OFF\n").switched_off) << "the monitor's";
  EXPECT_FALSE(find_counting_requests("--7-- Client Request: instrumentation switched ON\n").switched_off);
}

TEST(ValgrindLogTest, ValgrindsReasonIsOneLineWithoutItsPrefix) {
  EXPECT_EQ(find_valgrinds_reason("==7== Callgrind\n--7-- Dumping done.\n"), "");
  EXPECT_EQ(find_valgrinds_reason("==7== Unsupported clone() flags: 0x111\n==7==\n"),
            "Unsupported clone() flags: 0x111");
  EXPECT_EQ(find_valgrinds_reason("==7== \n==7==     Valgrind's memory management: out of memory:\n"),
            "Valgrind's memory management: out of memory");
  const std::string signals = find_valgrinds_reason(
      "\nCallgrind: threads.c:247 (vgCallgrind_post_signal): Assertion 'sigNum == vgCallgrind_current_state.sig' "
      "failed.\n");
  EXPECT_NE(signals.find("Assertion"), std::string::npos);
  EXPECT_NE(signals.find("GODEBUG=asyncpreemptoff=1"), std::string::npos) << signals;
  const std::string jumps = find_valgrinds_reason(
      "\nCallgrind: threads.c:396 (push_exec_state): Assertion '(sp > 0) && (sp < 10)' failed.\n");
  EXPECT_NE(jumps.find("siglongjmp into the very function"), std::string::npos) << jumps;
  const std::string user = find_valgrinds_reason("==9== Error: can not open cache simulation output file `/t/cg.9'\n");
  EXPECT_NE(user.find("changes its user"), std::string::npos) << user;
  EXPECT_EQ(user.find("/t/cg.9"), std::string::npos) << "a scratch file's name differs in each run";
  EXPECT_NE(user.find("seccomp"), std::string::npos) << user;
  EXPECT_EQ(
      find_valgrinds_reason("==7== Valgrind: debuginfo reader: ensure_valid failed:\n"
                            "==7== Valgrind:   during call to ML_(img_get_UChar)\n"
                            "==7== Valgrind:   request for range [52304, +1) exceeds\n"
                            "==7== Valgrind:   valid image size of 52304 for image:\n"
                            "==7== Valgrind:   \"/tmp/table\"\n==7== \n"
                            "==7== Valgrind: debuginfo reader: Possibly corrupted debuginfo file.\n"
                            "==7== Valgrind: I can't recover.  Giving up.  Sorry.\n"),
      "Valgrind: debuginfo reader: Possibly corrupted debuginfo file (/tmp/table): Valgrind does not know all of DWARF "
      "5; compile it with -gdwarf-4 and without -gsplit-dwarf, or count a copy without debug information (strip -g -o "
      "COPY FILE), which has names of functions and no lines");
  EXPECT_EQ(find_valgrinds_reason("valgrind: the 'impossible' happened:\n   Max number of threads is too low\n"),
            "Max number of threads is too low; --callgrind-option --max-threads=10000 lets a program have more of them "
            "at a time");
}

TEST(ValgrindLogTest, AStackThatEndedIsARemark) {
  const std::string overflow = "==7== Stack overflow in thread #1: can't grow stack to 0x1ffe001000\n";
  EXPECT_EQ(describe_stack_overflow("==7== Process terminating with default action of signal 11 (SIGSEGV)\n"), "");
  EXPECT_TRUE(describe_stack_overflow(overflow).starts_with(
      "Valgrind says: stack overflow in the main thread; give it more by ulimit -s"));
  EXPECT_TRUE(
      describe_stack_overflow(overflow + "==7==  The main thread stack size used in this run was 16777216.\n")
          .starts_with("Valgrind says: stack overflow in the main thread, which had 16,777,216 bytes; give it more"));
}

}  // namespace
}  // namespace icount
