// Why a program could not be started though its mode permits it: the file system that it lies on. For messages.
#pragma once

#include <filesystem>
#include <string>

namespace icount {

/// "PROGRAM is on a file system that is mounted noexec; put it elsewhere ...", for whoever could not start it; empty
/// where it is on another one, and where nobody knows.
std::string describe_noexec(const std::filesystem::path& program);

}  // namespace icount
