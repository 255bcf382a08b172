#include "icount/gate/gate_sides.h"

namespace icount {

std::map<std::string, const Result*> results_by_key(const ResultFile* file) {
  std::map<std::string, const Result*> all;
  if (file)
    for (const Result& result : file->results) all[result_key(result)] = &result;
  return all;
}

}  // namespace icount
