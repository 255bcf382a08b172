// What `icount doctor` finds out: which tools are here, in which versions, what is missing and the command that
// installs it; and whether the whole chain counts right. Probing is here, words for people in cli/command_doctor.cc.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "icount/harness/environment.h"
#include "icount/harness/toolchain.h"

namespace icount {

enum class DoctorState {
  kGood,
  kOptional,  ///< not here, and only some uses need it
  kBad,       ///< not here or broken, and nothing can be counted
};
std::string_view to_text(DoctorState state);

/// One thing looked at.
struct DoctorFinding {
  std::string what;  ///< "Valgrind"
  DoctorState state = DoctorState::kGood;
  std::string details;  ///< what was found, or what is wrong
  std::string remedy;   ///< the exact command or step; empty when none is needed
};

struct DoctorOptions {
  ToolchainOptions toolchain;
  Environment environment;
  bool self_check = true;
  std::function<bool()> cancelled;
};

/// Looks at everything, in the order in which it is needed; never throws for what is missing.
std::vector<DoctorFinding> run_doctor(const DoctorOptions& options);

/// "sudo apt-get install valgrind" with the package manager that `has_program` finds, each of which has its own names
/// for the packages. Pure.
std::string install_command(std::string_view package, const std::function<bool(std::string_view)>& has_program,
                            bool is_root);

/// Judges the count of the self-check statement, 1,000 `nop` instructions per run: fine between 1,000 and 1,010. Pure.
DoctorFinding judge_self_check(double slope, double seconds);

}  // namespace icount
