// The headers of the C++ stub server as one text, in the order in which they build on each other: what a stub's main
// unit (harness/stub_source.h) and the library of the Python server (harness/python_stub.h) are compiled with.
#pragma once

#include <string>

namespace icount {

/// stub_line.h to stub_server.h, each headed by its #line; stub_benchmark.h, which goes before them, is not among them.
/// Pure.
std::string make_stub_server_text();

}  // namespace icount
