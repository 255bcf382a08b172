// Two statements that launch CUDA kernels: whether both do the same work, which needs no timing. A proof by texts and
// machine code: no device is asked. docs/kernels.md says what it takes.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "icount/console/command_spec.h"
#include "icount/harness/cuda_stub.h"
#include "icount/harness/timer_args.h"

namespace icount {

/// The two kernels by whose names alone the statements differ, each launched by its own name with every argument given;
/// nullopt where they differ otherwise, or where the set-up may give such a name another meaning.
struct RenamedLaunch {
  std::string base, head;
  size_t arguments = 0;  ///< of each launch
};
std::optional<RenamedLaunch> find_renamed_launch(const TimerArgs& base, const TimerArgs& head);

struct LaunchProof {
  bool same = false;
  std::string text;  ///< what was found, one sentence; names between backticks
};

/// Compiles both. What keeps that from it (no nvcc, several architectures) is the text of a proof that fails.
LaunchProof compare_launches(const TimerArgs& base, const TimerArgs& head, const CudaStubOptions& options,
                             const CommandContext& context);

}  // namespace icount
