// What the file system allows where a file should go, for messages: how much room there is, and whether programs may be
// started.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace icount {

/// "/tmp/x has 0.0 MB free", with what else keeps files from growing there: ", no free inode", ", and no file may pass
/// 4096 bytes (ulimit -f)". A folder that is not there is spoken of by the nearest one above it.
std::string describe_room(const std::filesystem::path& folder);

/// The line of a program's message that says it could not write for want of room (full disk, quota, limit of a file's
/// size); empty when there is none.
std::string find_want_of_room(std::string_view message);

/// "is on a file system that is mounted noexec; put it elsewhere ...", to stand behind the program's name; empty where
/// it is on another one, and where that cannot be told.
std::string describe_noexec(const std::filesystem::path& program);

}  // namespace icount
