// What the end-to-end tests of counting share: options with a cache below the build folder, statements, skips.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "icount/base/file.h"
#include "icount/timer/collect_callgrind.h"

namespace icount {

/// Plain C++ unless `torch`.
TimerArgs make_statement(std::string stmt, std::string setup = {}, bool torch = false);

/// The caller's environment, a shared cache, short limits.
CollectOptions make_collect_options();

/// Counts; a statement that fails is a test failure.
std::vector<CollectResult> collect_all(const std::vector<TimerArgs>& statements, const CollectOptions& options);

/// The first count of each.
std::vector<int64_t> first_counts(const std::vector<CollectResult>& results);

/// Every LibTorch to test with: the system's, and the wheel's when ICOUNT_TORCH names it or the build folder has one.
std::vector<std::string> libtorch_roots();

}  // namespace icount

/// Skips the test where a program that it needs is not installed.
#define ICOUNT_NEEDS(program) \
  if (::icount::find_program(program).empty()) GTEST_SKIP() << "no " << program << " here"
