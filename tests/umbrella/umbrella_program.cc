// What a user writes with one include: times a callable, adds function counts up, explains two profiles.
//   umbrella_program FOLDER     FOLDER/base.xz and FOLDER/head.xz are profiles
#include <cstdio>
#include <iostream>

#include "icount/icount.h"

namespace {

icount::CostGraph load_graph(const std::string& path) {
  const icount::FileBytes bytes = icount::load_file(path);
  return icount::make_cost_graph(icount::parse_profile(bytes.view(), path));
}

void run(const std::string& folder) {
  icount::Timer timer([] { return 1; }, {.stmt = "one"});
  const icount::Measurement measurement = timer.timeit(100);
  std::cout << icount::render_measurement(measurement) << '\n';

  const icount::FunctionCounts counts({{7, "f"}, {5, "g"}}, false);
  std::cout << (counts + counts).size() << " rows\n";

  const icount::CostGraph base = load_graph(folder + "/base.xz"), head = load_graph(folder + "/head.xz");
  const icount::Explanation explanation = icount::explain(base, head);
  icount::make_explanation_document(explanation, {.base_name = "base", .head_name = "head"}, {}, 0)
      .render_text(std::cout, {});
  std::cout << "\nchange " << explanation.delta << " Ir, first " << explanation.causes.front().delta << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? argv[1] : ".");
    return 0;
  } catch (const icount::Error& error) {
    std::fprintf(stderr, "umbrella_program: %s\n", error.what());
    return 1;
  }
}
