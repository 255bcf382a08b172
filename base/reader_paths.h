// Absolute paths of the person who reads an output, shortened, so that a report can be passed on without telling where
// somebody's files lie: what is below the current folder becomes relative, what is below the repository begins with the
// repository's name, what is below the home folder with "~". The last step of JSON and HTML output, and of names in a
// text's heading.
#pragma once

#include <string>
#include <string_view>

#include "icount/base/json.h"

namespace icount {

/// Absolute folders without a slash at their end; empty: there is none, or nothing is to be shortened.
struct ReaderPaths {
  std::string current;
  std::string repository;  ///< its top folder
  std::string home;

  /// `text` with each path in it shortened; a path ends at a character that is none of a file name's. With
  /// {"/u/me/p/build",
  /// "/u/me/p", "/u/me"}: "/u/me/p/build/a.out -x" -> "a.out -x", "/u/me/p/src/a.cc" -> "p/src/a.cc", "/u/me/x" ->
  /// "~/x",
  /// "/u/mercy/x" stays. The current folder itself becomes ".".
  std::string shorten(std::string_view text) const;
};

/// Every string in `json`, keys aside.
void shorten_paths(Json& json, const ReaderPaths& paths);

}  // namespace icount
