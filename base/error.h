// Failures: what went wrong outside this program's own logic (no Valgrind, unreadable file, malformed profile). Thrown
// where they are noticed, given context while unwinding, caught at the top of cli and in the batch runner. Bugs go to
// ICOUNT_CHECK; expected outcomes (a statement that does not compile) are returned as values.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace icount {

/// What kind of failure; cli maps it to an exit code (docs/exit_codes.md).
enum class ErrorKind {
  kIo,          ///< a file, folder or pipe could not be read or written
  kMalformed,   ///< input that was read is not what its format says
  kTool,        ///< a program that we need is missing or failed (Valgrind, a compiler, an interpreter)
  kUsage,       ///< the request itself makes no sense (unknown event, crossed bounds)
  kCannotJudge  ///< nothing to compare, or not measured alike: exit code 125
};

/// A failure with one line for the user: what was attempted, on what, what was found, what to do.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

  /// The same failure with `context` before its message: "while reading run 3 of x.json: ...".
  Error with_context(std::string_view context) const;

 private:
  ErrorKind kind_;
};

/// Runs `work`; an Error that leaves it carries `context` in front of its message.
template <typename Work>
auto in_context(std::string_view context, Work&& work) -> decltype(work()) {
  try {
    return std::forward<Work>(work)();
  } catch (const Error& error) {
    throw error.with_context(context);
  }
}

/// An exception's message; of std::bad_alloc, whose own says nothing to a user, "not enough memory", and of a
/// std::filesystem function that failed "PATH: REASON".
std::string reason_of(const std::exception& error);

/// The operating system's words for an errno value, thread-safe: "No such file or directory".
std::string errno_text(int error_number);

// Bugs: a broken promise inside icount itself. Prints place and reason and aborts; never used on input, files or
// processes.

/// Ends the process with "FILE:LINE: icount bug: CONDITION: WHY". Called by ICOUNT_CHECK only.
[[noreturn]] void fail_check(const char* file, int line, const char* condition, std::string_view why);

}  // namespace icount

#define ICOUNT_CHECK(condition, why)                               \
  do {                                                             \
    if (!(condition)) [[unlikely]]                                 \
      ::icount::fail_check(__FILE__, __LINE__, #condition, (why)); \
  } while (false)

namespace icount {

// What a destructor undoes or clears away, where that may fail: an exception that leaves a destructor ends the process.

/// Calls `work`; its failures, lost memory among them, are dropped. For what is ignored on purpose: the comment at the
/// call says what becomes of the work that was not done.
template <typename Work>
void ignore_failures(Work&& work) noexcept {
  try {
    std::forward<Work>(work)();
  } catch (const std::exception&) {
  }
}

}  // namespace icount
