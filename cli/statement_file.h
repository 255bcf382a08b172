// The file of `icount count --file`: statements with labels, in a form that needs no escaping. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace icount {

struct LabelledStatement {
  std::vector<std::string> label;  ///< path; empty when the file gives none
  std::string stmt;
  std::string setup;  ///< of this statement alone; comes after the command line's
};

/// Either one statement per line, or sections: a line "[label]" or "[group / label]" and the statement's lines below
/// it; within a section a line "--- setup ---" makes what stands above it the statement's own set-up. Empty lines and
/// lines that begin with
/// "//" between statements are passed over. Error{kMalformed} "NAME:LINE: ..." for a section without a statement, a
/// label that occurs twice, and a file with no statement at all.
std::vector<LabelledStatement> parse_statement_file(std::string_view text, std::string_view name);

}  // namespace icount
