// The folders of the build cache, whose programs are run: whoever may write them decides what we do.
#pragma once

#include <filesystem>

namespace icount {

/// Makes the folder for its user alone where there is none. Error{kIo} when it cannot be made, when it belongs to
/// another user (the superuser may use any, for containers mount the caches of others), and when every user may write
/// it: `may_be_sticky` allows that where each may change only what is his, as in /tmp.
void make_cache_folder(const std::filesystem::path& folder, bool may_be_sticky);

/// The folder of that name in the cache; both made and checked so.
std::filesystem::path make_folder_in_cache(const std::filesystem::path& cache, const char* name);

}  // namespace icount
