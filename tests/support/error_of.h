// The message of the Error that something throws, so that tests can look at its text.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "icount/base/error.h"

namespace icount {

/// "no error" when `work` throws none.
inline std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// The same; an Error of another kind fails the test.
inline std::string error_of(ErrorKind kind, const std::function<void()>& work) {
  return error_of([&] {
    try {
      work();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      throw;
    }
  });
}

/// That `work` throws an Error{kUsage} of just this message.
inline void expect_usage(const std::function<void()>& work, const std::string& message) {
  EXPECT_EQ(error_of(ErrorKind::kUsage, work), message);
}

}  // namespace icount
