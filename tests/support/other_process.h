// A process that a test did not start itself, known by the id that it wrote into a file: waiting until it is there, and
// until it has gone.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

#include "icount/base/error.h"
#include "icount/base/file.h"

namespace icount {

/// The id that the program wrote, on a line; -1 where there is none after ten seconds.
inline pid_t wait_for_program(const std::filesystem::path& file) {
  for (int i = 0; i < 1000; ++i) {
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored))
      if (const std::string text = load_text(file); text.ends_with('\n')) return std::stoi(text);
    ::usleep(10'000);
  }
  return -1;
}

/// Whether it ends within ten seconds. One that nobody reaps has gone, too.
inline bool is_gone(pid_t pid) {
  for (int i = 0; i < 1000; ++i) {
    const std::filesystem::path stat = "/proc/" + std::to_string(pid) + "/stat";
    std::error_code ignored;
    if (!std::filesystem::exists(stat, ignored)) return true;
    try {
      if (load_text(stat).find(") Z") != std::string::npos) return true;
    } catch (const Error&) {
      return true;
    }
    ::usleep(10'000);
  }
  return false;
}

}  // namespace icount
