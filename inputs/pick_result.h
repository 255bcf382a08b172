// One result of a saved file, as the user names it. Used by show and export.
#pragma once

#include <string>
#include <string_view>

#include "icount/stats/result.h"

namespace icount {

/// For the message when there is not exactly one.
struct PickPlace {
  std::string_view file;    ///< name of the file
  std::string_view option;  ///< the option that takes a label, without dashes
};

/// The result whose label or key is `label`; the only one when that is empty. Error{kUsage} listing the labels
/// otherwise.
const Result& pick_result(const ResultFile& file, std::string_view label, const PickPlace& place);

}  // namespace icount
