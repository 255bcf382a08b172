// How much room there is where a file should go: for messages about files that could not be written, or not to their
// end.
#pragma once

#include <filesystem>
#include <string>

namespace icount {

/// "/tmp/x has 0.0 MB free", with what else keeps files from growing there: ", no free inode", ", and no file may pass
/// 4096 bytes (ulimit -f)". A folder that is not there is spoken of by the nearest one above it.
std::string describe_room(const std::filesystem::path& folder);

}  // namespace icount
