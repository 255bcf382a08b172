// Suites as TOML files: reads a file and those it includes into a Suite. The form is described in docs/suite.md and,
// for editors, in suite/suite.schema.json; suite/standard.toml is the longest example.
#pragma once

#include <filesystem>
#include <string>

#include "icount/suite/suite_spec.h"

namespace icount {

/// Throws one Error{kMalformed} with every problem of all files, FILE:LINE:COLUMN each; Error{kIo} when `path` itself
/// can't be read (an included file that can't be read is a problem at its include).
Suite load_suite(const std::filesystem::path& path);

/// The same for a text; paths in it are taken relative to `folder`, `name` stands for it in messages.
Suite parse_suite(std::string_view text, const std::string& name, const std::filesystem::path& folder = {});

}  // namespace icount
