// Where the program that runs lies: what was installed beside it is found from there, wherever the tree was moved to.
#pragma once

#include <filesystem>

namespace icount {

/// The file of this process's program, links resolved; empty where the system does not tell.
std::filesystem::path own_program();

/// The file that has this code: the program's, or a library's that an interpreter loaded.
std::filesystem::path own_file();

}  // namespace icount
