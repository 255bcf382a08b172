// The headers of the stub server (harness/stubs) as one text, each behind those that it includes: what a stub's main
// unit (harness/stub_source.h, from stub_main.h) and the library of the Python server (harness/python_stub.h, from
// stub_server.h) are compiled with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// `header` ("stub_main.h") and what it includes, each headed by its #line; stub_benchmark.h, which units include
/// before, is not among them. Pure.
std::string make_stub_text(std::string_view header);

/// Every name that make_stub_text takes.
std::vector<std::string> stub_headers();

}  // namespace icount
