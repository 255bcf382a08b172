// The words of a command line as they may be recorded and shown: addresses of stores without passwords. For records of
// how a result came about, and for messages that quote a word which was no address to them, but a file or an option.
#pragma once

#include <string>
#include <vector>

namespace icount {

/// The same words; addresses of stores as shown_store() (store/store_url.h) has them: what is given to --store and
/// --against, and PostgreSQL's URLs anywhere. What stands behind "--" is a program's and stays.
std::vector<std::string> shown_arguments(const std::vector<std::string>& arguments);

/// `message`, with each address of `arguments` in it as shown_arguments() has it.
std::string hide_arguments(std::string message, const std::vector<std::string>& arguments);

}  // namespace icount
