// Whether a test does all of its work or the part of it that every landing can afford: starting LibTorch under Valgrind
// takes seconds each time. scripts/check-all long does all of it.
#pragma once

namespace icount {

/// True when ICOUNT_LONG_TESTS is set to anything but nothing.
bool runs_long_tests();

}  // namespace icount
