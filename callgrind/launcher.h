// How Valgrind is started so that the program does not see in which folder that happens. Debian's /usr/bin/valgrind is
// a shell script that sets variables and executes valgrind.bin; the shell adds PWD to the environment, whose length
// moves the program's stack and with it, by some instructions, its count.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// What replaces `valgrind`, argv[0] of a command: the same script with PWD and OLDPWD unset before it executes
/// Valgrind. `script` is what the file `valgrind` begins with. {valgrind} for anything but a script of /bin/sh that
/// ends with `exec $0.bin "$@"`, $0.bin quoted or not: an executable adds nothing to the environment.
std::vector<std::string> make_launcher(const std::filesystem::path& valgrind, std::string_view script);

/// The same, of the file's own text.
std::vector<std::string> load_launcher(const std::filesystem::path& valgrind);

}  // namespace icount
