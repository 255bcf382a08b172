// What a destructor undoes or clears away, where that may fail: an exception that leaves a destructor ends the process.
#pragma once

#include <exception>
#include <utility>

namespace icount {

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
