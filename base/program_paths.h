// Where a program that is named on a command line may lie, and why it is not there. base/file.h finds it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// `program` itself when it has a slash, else that name in each folder of PATH, in this order.
std::vector<std::filesystem::path> possible_programs(std::string_view program);

/// Why find_program found none: "no such program; is it installed and in PATH?", "no such file", "it is a folder",
/// "it is not executable; chmod +x makes it so", or what the system says of the path.
std::string describe_missing_program(std::string_view program);

// Where the program that runs lies: what was installed beside it is found from there, wherever the tree was moved to.

/// The file of this process's program, links resolved; empty where the system does not tell.
std::filesystem::path own_program();

/// The file that has this code: the program's, or a library's that an interpreter loaded.
std::filesystem::path own_file();

}  // namespace icount
