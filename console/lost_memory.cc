#include "icount/console/lost_memory.h"

#include <unistd.h>

#include <exception>
#include <new>
#include <string_view>

#include "icount/console/exit_code.h"

namespace icount {
namespace {

std::terminate_handler other_failures = nullptr;

[[noreturn]] void end_without_memory() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    static constexpr std::string_view kMessage = "icount: not enough memory for this input\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
    ::_exit(static_cast<int>(ExitCode::kFailure));
  } catch (...) {  // the handler of before tells of it
  }
  other_failures();
  ::_exit(static_cast<int>(ExitCode::kFailure));
}

}  // namespace

void explain_lost_memory() { other_failures = std::set_terminate(end_without_memory); }

}  // namespace icount
