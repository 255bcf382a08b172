// Where the tree under test and its build lie. Functions, not macros, so that one source file alone knows the paths.
#pragma once

#include <filesystem>
#include <string>

namespace icount {

/// The project's root, without a slash behind it.
std::string source_dir();
/// The build folder, without a slash behind it; icount itself lies in it.
std::string binary_dir();

/// The build cache of all tests that need no empty one: a precompiled header takes seconds.
inline std::filesystem::path test_cache() { return std::filesystem::path(binary_dir()) / "test-cache"; }

// Whether a test does all of its work or the part of it that every landing can afford: starting LibTorch under Valgrind
// takes seconds each time. scripts/check-all long does all of it.

/// True when ICOUNT_LONG_TESTS is set to anything but nothing.
bool runs_long_tests();

}  // namespace icount
