// Why a program could not be started though its mode permits it: the file system that it lies on. For messages.
#pragma once

#include <filesystem>
#include <string>

namespace icount {

/// "is on a file system that is mounted noexec; put it elsewhere ...", to stand behind the program's name; empty where
/// it is on another one, and where that cannot be told.
std::string describe_noexec(const std::filesystem::path& program);

}  // namespace icount
