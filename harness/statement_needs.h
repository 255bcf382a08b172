// What a statement's text says that it needs: LibTorch, when the user does not say (those need it that name something
// of it, and those that a plain compile shows to need it, by a user's header that includes torch/torch.h), and threads.
// Used by timer/collect_callgrind and timer/stub_timing; Python statements: harness/python_stub.h.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "icount/harness/environment.h"
#include "icount/harness/timer_args.h"
#include "icount/harness/toolchain.h"

namespace icount {

/// True when a C++ or TorchScript statement names something of LibTorch: torch::, at::, c10::, a header or macro of
/// theirs, Tensor (on a device that decides between plain CUDA C++ and LibTorch); TorchScript, backward, tensors and
/// modules among its globals always do.
bool names_libtorch(const TimerArgs& args);

/// True when a compiler's or linker's message is about something of LibTorch.
bool is_about_libtorch(std::string_view message);

/// The decisions for one list of statements.
class LibTorchNeeds {
 public:
  /// Sets TimerArgs::torch of every statement that has it to whether its text needs it. Where the text says so and no
  /// LibTorch is installed and none was asked for, the statement is tried without: a name in a comment needs none.
  void decide(std::vector<TimerArgs>& statements, const ToolchainOptions& options, const Environment& environment);

  /// The LibTorch that decide had to look for, if it did.
  const std::optional<LibTorch>& found() const { return found_; }

  /// True, once, for a statement built without that must be built again with LibTorch because of `message`.
  bool wants_second_build(size_t statement, std::string_view message);
  std::vector<size_t> take_second_builds();

  /// In front of the compiler's message where LibTorch is missing: what probe_libtorch said. Empty otherwise.
  std::string explain_failure(size_t statement, std::string_view message) const;

 private:
  std::set<size_t> left_out_;  // built without although the user allowed LibTorch
  std::vector<size_t> again_;
  std::optional<LibTorch> found_;
  std::string missing_;  // why there is no LibTorch; empty: there is one, or nobody looked
};

/// Whether a statement can have threads whose number --num-threads means: false only where nothing can: C++ that names
/// neither LibTorch nor a word of threads (a part of a name with "thread", "async", "parallel" or "openmp" in it, or
/// that is "omp", "tbb", "par", "fork" or "vfork"), includes no header of the user's and is built without `flags`, and
/// Python that neither names torch nor imports anything.
bool may_use_threads(const TimerArgs& args, std::span<const std::string> flags);

/// Why may_use_threads said false, for messages: "it does not name torch".
std::string_view describe_no_threads(Language language);

}  // namespace icount
