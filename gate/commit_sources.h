// What lies between two commits, by git, and what a patch file says: the diff and the sources that mine/ asks for.
#pragma once

#include <filesystem>
#include <string>

#include "icount/mine/attribution.h"

namespace icount {

/// The diff of two commits of the repository around `inside`; an empty `head` is the working tree. Sources are read
/// when they are asked for. Error{kUsage} for a commit that git doesn't know.
CommitSources load_commit_sources(const std::filesystem::path& inside, const std::string& base,
                                  const std::string& head);

/// A patch. Sources are those below `folder`, where they are the patch's base or head; the other side's are made of
/// them. Error{kIo}, Error{kMalformed}.
CommitSources load_patch_sources(const std::filesystem::path& patch, const std::filesystem::path& folder);

}  // namespace icount
