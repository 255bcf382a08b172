#include "cli/measure_program.h"

#include "base/command_line.h"
#include "base/error.h"

namespace icount {

Result measure_program(const MeasureProgramOptions& options, CommandContext&) {
  throw Error(ErrorKind::kTool, shell_quote(options.argv) + ": whole programs can't be counted by this build yet");
}

}  // namespace icount
