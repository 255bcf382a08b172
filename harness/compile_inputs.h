// What a compiled file or a linked program was made of, as a part of its key in the cache and as what still has to hold
// when it is found there. Pure but for reading the files named. Used by harness/compile.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// The prerequisites of a make rule as the compiler writes it ("x.o: a.cc b.h \\\n c.h"), escapes undone.
std::vector<std::filesystem::path> parse_depfile(std::string_view text);

/// The hash of a file's content; "missing" where it cannot be read.
std::string hash_file(const std::filesystem::path& path);

/// Every line "HASH PATH" still holds.
bool inputs_hold(std::string_view inputs);

bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);

/// What quoted includes and relative -I flags resolve against: part of the identity of a text that has them, else
/// empty.
std::string place_of(std::string_view text, const std::vector<std::string>& flags);

/// The folders of -I, which are to be searched for quoted includes before the working directory is.
std::vector<std::string> include_folders(const std::vector<std::string>& flags);

/// Lines "HASH PATH" of the libraries and objects named on the link line: "/x/libfoo.a", and "-lfoo" in a "-L" folder.
/// A shared library counts by its build id where it has one: LibTorch's are hundreds of megabytes, which every count
/// would read.
std::string link_inputs(const std::vector<std::string>& flags);

/// The files that an object of the build cache was compiled from, sorted: without those of the compiler, of the C and
/// C++ libraries and of LibTorch (`torch_folders`), which their own versions stand for, and without the cache's own.
/// Empty where the cache does not know.
std::vector<std::filesystem::path> load_unit_headers(const std::filesystem::path& object,
                                                     const std::vector<std::filesystem::path>& torch_folders,
                                                     const std::filesystem::path& cache_root);

}  // namespace icount
