// Which statements can have threads whose number may be set.
#include "icount/harness/thread_words.h"

#include <gtest/gtest.h>

#include <vector>

namespace icount {
namespace {

bool may(Language language, std::string stmt, std::string global_setup = {}, std::vector<std::string> flags = {}) {
  TimerArgs args;
  args.language = language;
  args.stmt = std::move(stmt);
  args.global_setup = std::move(global_setup);
  return may_use_threads(args, flags);
}

TEST(ThreadWordsTest, OnlyWhatCannotHaveThreadsIsToldSo) {
  EXPECT_FALSE(may(Language::kCpp, "int a = 1; icount::keep(a);", "#include <vector>\n"));
  EXPECT_TRUE(may(Language::kCpp, "torch::ones({3});"));
  EXPECT_TRUE(may(Language::kCpp, "std::thread t([] {}); t.join();"));
  EXPECT_TRUE(may(Language::kCpp, "f();", "#pragma omp declare simd\n"));
  EXPECT_TRUE(may(Language::kCpp, "f();", "#include \"mine.h\"\n")) << "nobody knows what it brings";
  EXPECT_TRUE(may(Language::kCpp, "f();", "#include <mine/f.h>\n"));
  EXPECT_TRUE(may(Language::kCpp, "f();", "", {"-fopenmp"}));
  EXPECT_TRUE(may(Language::kTorchScript, "x + 1"));
  EXPECT_FALSE(may(Language::kPython, "1 + 1"));
  EXPECT_TRUE(may(Language::kPython, "torch.ones(3)"));
  EXPECT_TRUE(may(Language::kPython, "f()", "from mine import f"));
}

}  // namespace
}  // namespace icount
