#include "icount/gate/gate_sides.h"

namespace icount {

bool is_test_in(const ResultFile& file, const Result& result) {
  return is_test(result) || file.command == "pytest --icount";  // as python/icount/pytest_plugin.py writes it
}

std::map<std::string, const Result*> results_by_key(const ResultFile* file) {
  std::map<std::string, const Result*> all;
  if (file)
    for (const Result& result : file->results) all[result_key(result)] = &result;
  return all;
}

}  // namespace icount
