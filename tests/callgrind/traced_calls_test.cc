#include "icount/callgrind/traced_calls.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

using Paths = std::set<std::string>;

SystemCalls calls_of(const std::string& lines) {
  return find_system_calls("==7== Callgrind\n" + lines +
                           "SYSCALL[7,1](231) exit_group( 0 ) --> [pre-success] Success(0x0) \n");
}

TEST(SystemCallsTest, WhatIsLookedAtIsTold) {
  const SystemCalls calls = calls_of(
      "--7-- something SYSCALL[7,1](12) sys_brk ( 0x0 ) --> [pre-success] Success(0x4035000) \n"
      "SYSCALL[7,1](257) sys_openat ( 4294967196, 0x4034bb0(/lib/libc.so.6), 524288 ) --> [async] ... \n"
      "SYSCALL[7,1](257) ... [async] --> Success(0x4) \n"
      "SYSCALL[7,1](2) sys_open ( 0x10a008(a (1), b), 0 ) --> [async] ... \n"
      "SYSCALL[7,1](257) sys_openat ( 4294967196, 0x10a011(.), 591872 ) --> [async] ... \n"
      "SYSCALL[7,1](217) sys_getdents64 ( 4, 0x40352d0, 32768 ) --> [async] ... \n"
      "SYSCALL[7,1](262) sys_newfstatat ( 4, 0x49e0dd5(), 0x1fff000450 )[sync] --> Success(0x0) \n"
      "SYSCALL[7,1](262) sys_newfstatat ( 4294967196, 0x10a02a(conf), 0x1fff000430 )[sync] --> Success(0x0) \n"
      "SYSCALL[7,1](89) sys_readlink ( 0x10a02f(lnk), 0x1fff000430, 63 ) --> [pre-fail] Failure(0x2) \n"
      "SYSCALL[7,1](302) sys_prlimit64 ( 0, 3, 0x0, 0x1fff000290 ) --> [pre-success] Success(0x0) \n"
      "SYSCALL[7,1](318) sys_getrandom ( 0x4a24478, 8, 1 )[sync] --> Success(0x8) \n"
      "SYSCALL[7,1](257) sys_openat ( 4294967196, 0x10a011(out), 577, 438 ) --> [async] ... \n");
  EXPECT_EQ(calls.unknown, "");
  EXPECT_EQ(calls.files, (Paths{"/lib/libc.so.6", "a (1), b"}));
  EXPECT_EQ(calls.folders, (Paths{"."}));
  EXPECT_EQ(calls.looked_at, (Paths{"conf", "lnk"}));
  EXPECT_FALSE(calls.own_file);
}

TEST(SystemCallsTest, WhatCannotBeAskedAgainIsUnknown) {
  const std::pair<const char*, const char*> cases[] = {
      {"SYSCALL[7,1](302) sys_prlimit64 ( 0, 7, 0x0, 0x1fff000360 ) --> [pre-success] Success(0x0) \n",
       "it asks for its limits"},
      {"SYSCALL[7,1](318) sys_getrandom ( 0x4a24478, 16, 0 )[sync] --> Success(0x8) \n", "it asks for random numbers"},
      {"SYSCALL[7,1](228) sys_clock_gettime( 0, 0x1ffefff5d0 )[sync] --> Success(0x0) \n",
       "it makes the system call clock_gettime"},
      {"SYSCALL[7,1](79) sys_getcwd ( 0x4035250, 4096 )[sync] --> Success(0x5) \n", "it makes the system call getcwd"},
      {"SYSCALL[7,1](80) sys_chdir ( 0x10a00c(/tmp) )[sync] --> Success(0x0) \n", "it makes the system call chdir"},
      {"SYSCALL[7,1](437) sys_openat2 ( 4294967196, 0x10a011(conf), 0x1fff000360, 24 ) --> [async] ... \n",
       "it makes the system call openat2"},
      {"SYSCALL[7,1](999) unimplemented (by the kernel) syscall: 999! (ni_syscall)\n", "it makes the system call 999"},
      {"SYSCALL[7,1](257) sys_openat ( 5, 0x10a011(conf), 0 ) --> [async] ... \n",
       "it opens conf in a folder that it has open"},
      {"SYSCALL[7,1](2) sys_open ( 0x10a008(/proc/self/maps), 0 ) --> [async] ... \n", "it reads /proc/self/maps"},
      {"SYSCALL[7,1](2) sys_open ( 0x10a008(data), 2 ) --> [async] ... \n", "it changes data"},
      {"SYSCALL[8,1](12) sys_brk ( 0x0 ) --> [pre-success] Success(0x4035000) \n", "it starts other processes"},
  };
  for (const auto& [line, why] : cases) {
    const std::string first = "SYSCALL[7,1](12) sys_brk ( 0x0 ) --> [pre-success] Success(0x4035000) \n";
    EXPECT_EQ(calls_of(first + line).unknown, why) << line;
  }
  EXPECT_TRUE(
      calls_of("SYSCALL[7,1](89) sys_readlink ( 0x10a02f(/proc/self/exe), 0x1fff000430, 63 ) --> [pre-success] \n")
          .own_file);
  EXPECT_EQ(find_system_calls("==7== Callgrind\n").unknown, "its system calls are not known");
}

TEST(SystemCallsTest, TheLogIsAsItWouldBe) {
  EXPECT_EQ(without_system_calls("==7== a\nSYSCALL[7,1](12) sys_brk ( 0x0 )\n==7== b\nend"), "==7== a\n==7== b\nend");
  EXPECT_EQ(without_system_calls(""), "");
}

}  // namespace
}  // namespace icount
