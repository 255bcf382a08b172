// A benchmark binary in a suite, and one case of it. The cases are known when the binary is built: the suite file gives
// one BenchTask without a case, suite/bench_expansion.h makes one of it for each case, suite/run_benches.h counts them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "icount/harness/bench_hooks.h"

namespace icount {

/// A binary of `icount bench` (docs/bench.md) or `icount tests` (docs/tests.md) and how its cases are counted.
struct BenchBinary {
  CaseKind kind = CaseKind::kBenchmarks;
  std::vector<std::string> command;      ///< the binary and its arguments; a name with a slash is relative to `folder`
  std::filesystem::path folder;          ///< working folder; empty: icount's own
  std::vector<std::string> environment;  ///< "NAME=VALUE", on top of the pinned block
  std::string filter;                    ///< regular expression on names of cases; empty: all
  std::string functions;                 ///< a pattern of functions, in place of a framework's cases
  std::optional<int64_t> number;         ///< iterations of the larger region; default: by the cost of one
  std::optional<double> timeout_s;       ///< for one case; default: that of the suite
  bool operator==(const BenchBinary&) const = default;
};

struct BenchTask {
  BenchBinary binary;
  std::vector<std::string> case_label;  ///< as the framework names it; empty: all cases, not listed yet
  std::string failure;                  ///< why the cases could not be listed
};

}  // namespace icount
