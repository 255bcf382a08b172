// A false "same" would keep a changed kernel from being timed: what a text may hide is here, line by line.
#include "icount/cli/same_launch.h"

#include <gtest/gtest.h>

#include <sstream>

#include "icount/base/process.h"
#include "icount/base/scratch_dir.h"
#include "icount/cli/cli.h"

namespace icount {
namespace {

/// "one -> two, 2" or "no".
std::string found(const std::string& base, const std::string& head, const std::string& global = {},
                  const std::string& setup = {}) {
  TimerArgs of_base, of_head;
  of_base.stmt = base, of_head.stmt = head;
  for (TimerArgs* args : {&of_base, &of_head}) args->global_setup = global, args->setup = setup;
  const auto launch = find_renamed_launch(of_base, of_head);
  return launch ? launch->base + " -> " + launch->head + ", " + std::to_string(launch->arguments) : "no";
}

TEST(SameLaunchTest, StatementsDifferInTheNameOfAKernelAlone) {
  EXPECT_EQ(found("one<<<8, n / 2, 0, stream>>>(x, f(n, 3));", "two<<<8,n/2, 0, stream>>>( x, f(n, 3) );"),
            "one -> two, 2");
  EXPECT_EQ(found("a::one<<<1, 1>>>(); b(); a::one<<<2, 1>>>();", "c::two<<<1, 1>>>(); b(); c::two<<<2, 1>>>();"),
            "a::one -> c::two, 0");
  EXPECT_EQ(found("one<<<1, 1>>>(x);", "two<<<1, 1>>>(x);",
                  "__global__ void one(float* x) {} __global__ void two(float* x) {}"),
            "one -> two, 1");
}

TEST(SameLaunchTest, AnythingElseIsTimed) {
  const std::string one = "one<<<8, 64, 0, stream>>>(x);";
  for (const char* other :
       {"two<<<8, 128, 0, stream>>>(x);", "two<<<8, 64, 16, stream>>>(x);", "two<<<8, 64, 0, stream>>>(y);",
        "two<<<8, 64, 0, stream>>>(x, 1);", "two<<<8, 64, 0, stream>>>(x); two<<<8, 64, 0, stream>>>(x);",
        "one<<<8, 64, 0, stream>>>(x);", "RUN(two);", "two(x);", ""})
    EXPECT_EQ(found(one, other), "no") << other;
  // Two names, a macro, another place of the name, commas that may end no argument.
  EXPECT_EQ(found("one<<<1, 1>>>(); other<<<1, 1>>>();", "two<<<1, 1>>>(); third<<<1, 1>>>();"), "no");
  EXPECT_EQ(found("RUN(one)", "RUN(two)"), "no");
  EXPECT_EQ(found("one<<<1, 1>>>(one);", "two<<<1, 1>>>(two);"), "no");
  EXPECT_EQ(found("one<<<1, 1>>>(f<1, 2>(x));", "two<<<1, 1>>>(f<1, 2>(x));"), "no");
  EXPECT_EQ(found("one<64><<<1, 1>>>(x);", "one<32><<<1, 1>>>(x);"), "no");
  // The set-up may give the name another meaning, or one of the kernels more shared memory.
  EXPECT_EQ(found(one, "two<<<8, 64, 0, stream>>>(x);", "", "auto two = three;"), "no");
  EXPECT_EQ(found(one, "two<<<8, 64, 0, stream>>>(x);", "__global__ void two(float*) {}\n#define two three"), "no");
  EXPECT_EQ(found(one, "two<<<8, 64, 0, stream>>>(x);", "", "cudaFuncSetAttribute(one, attribute, 64);"), "no");
}

class SameLaunchCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    if (probe_nvcc({}).empty()) GTEST_SKIP() << "no nvcc on this machine";
  }
  /// With the kernels `one`, and `two` of these parameters and body.
  std::string time(const std::string& parameters, const std::string& body, const std::string& arguments) {
    std::ostringstream out, err;
    const std::vector<std::string> words = {
        "time",
        "--device",
        "cuda",
        "--cuda-arch",
        "sm_90",
        "--no-torch",
        "--global-setup",
        "__global__ void one(float* x, int n = 4) { x[threadIdx.x] += n; }\n__global__ void two(" + parameters +
            ") { " + body + " }",
        "--stmt",
        "one<<<1, 64, 0, stream>>>(" + arguments + ");",
        "--against",
        "two<<<1, 64, 0, stream>>>(" + arguments + ");"};
    CommandContext context{out, err, {}, {}, Environment({"PATH=/usr/bin:/bin"}), {}, words};
    run_icount(context);
    return out.str();
  }
};

TEST_F(SameLaunchCommandTest, EqualCodeIsNotTimed) {
  const std::string parameters = "float* y, int k", body = "y[threadIdx.x] += k;";
  EXPECT_EQ(time(parameters, body, "nullptr, 3"),
            "same: `one` and `two` have the same machine code for sm_90, and are launched alike; not timed "
            "(--time-anyway times them)\n");
  EXPECT_NE(time("float* y, float k", body, "nullptr, 3").find("`one` and `two` have other parameters"),
            std::string::npos);
  EXPECT_NE(time("float* y, int k = 5", body, "nullptr").find("leaves to their defaults"), std::string::npos);
}

}  // namespace
}  // namespace icount
