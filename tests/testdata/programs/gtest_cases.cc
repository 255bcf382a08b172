// Tests of GoogleTest: every form, and tests of which nothing can be judged.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <thread>
#include <vector>

template <int kNops>
inline void nops() {
  asm volatile(".rept %c0\n nop\n .endr" ::"i"(kNops));
}

TEST(Nops, Ten) { nops<10>(); }
TEST(Nops, Hundred) { nops<110>(); }

struct Filled : testing::Test {
  static void SetUpTestSuite() { nops<9000>(); }
  void SetUp() override {
    nops<5000>();
    items.resize(64);
  }
  void TearDown() override { nops<3000>(); }
  std::vector<int> items;
};
TEST_F(Filled, Sixty) { nops<60>(); }
TEST_F(Filled, Allocates) { items.resize(100); }

struct Numbered : testing::TestWithParam<int> {};
TEST_P(Numbered, Loops) {
  for (int i = 0; i < GetParam(); ++i) nops<50>();
}
INSTANTIATE_TEST_SUITE_P(Of, Numbered, testing::Values(1, 3));

template <typename T>
struct Typed : testing::Test {};
TYPED_TEST_SUITE(Typed, testing::Types<char>);
TYPED_TEST(Typed, Sizes) { nops<sizeof(TypeParam) * 70>(); }

// Each process runs one test: what the first one leaves behind the second one does not meet.
static int times;
TEST(Alone, First) {
  if (times++ > 0) nops<1000>();
}
TEST(Alone, Second) {
  if (times++ > 0) nops<1000>();
}

TEST(Odd, Fails) { EXPECT_EQ(1, 2) << "on purpose"; }
TEST(Odd, Skips) { GTEST_SKIP() << "not here"; }
TEST(Odd, DISABLED_Off) { nops<10>(); }
TEST(Odd, Crashes) { *(volatile int*)nullptr = 1; }
TEST(Odd, Forks) {
  if (fork() == 0) _exit(0);
  wait(nullptr);
}
TEST(Odd, JoinsItsThread) { std::thread(nops<10>).join(); }
TEST(Odd, Moves) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  for (volatile long i = now.tv_nsec % 100'000; i > 0; i = i - 1) continue;
}
