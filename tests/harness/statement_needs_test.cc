// Which statements can have threads whose number may be set.
#include "icount/harness/statement_needs.h"

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
  EXPECT_TRUE(may(Language::kPython, "f()", "f = __import__('mine').f"));
}

TEST(ThreadWordsTest, PartsOfOtherWordsAreNoThreads) {
  for (const char* text : {"int particle = compare(a, b);", "compute(v);", "component.spar();", "forked = pitchfork;"})
    EXPECT_FALSE(may(Language::kCpp, text)) << text;
  EXPECT_FALSE(may(Language::kPython, "important + 1"));
  for (const char* text : {"std::sort(std::execution::par, a, b);", "std::for_each(par_unseq, a, b, f);", "fork();",
                           "omp_set_num_threads(2);", "pthread_create();", "std::jthread t(f);", "ThreadPool pool;",
                           "tbb::run(f);", "cv::parallel_for_(r, f);", "runAsync(f);"})
    EXPECT_TRUE(may(Language::kCpp, text)) << text;
}

}  // namespace
}  // namespace icount
