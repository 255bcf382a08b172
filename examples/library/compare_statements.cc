// Counts two statements, and prints how their instructions differ by function, most changed first. The first
// statement's counts go through a file, as those of another day would.
#include <cstdio>
#include <iostream>

#include <icount/icount.h>

namespace {

icount::CallgrindStats count(const std::string& stmt) {
  icount::Timer timer({.stmt = stmt, .setup = "std::string text(1000, 'x');", .torch = false});
  return timer.collect_callgrind(10);
}

void run(const std::string& file) {
  icount::save_callgrind_stats(file, count("icount::keep(text.find('y'));"));
  const icount::CallgrindStats base = icount::load_callgrind_stats(file);
  const icount::CallgrindStats head = count("icount::keep(text.find('y')); icount::keep(text.rfind('y'));");
  const icount::FunctionCounts delta = head.as_standardized().delta(base.as_standardized()).denoise();
  std::cout << icount::render_counts(delta) << '\n' << "change " << delta.sum() << " Ir\n";
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? argv[1] : "base.json");
    return 0;
  } catch (const icount::Error& error) {
    std::fprintf(stderr, "compare_statements: %s\n", error.what());
    return 1;
  }
}
