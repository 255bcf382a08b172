#include "icount/suite/dedent.h"

#include "icount/stats/python_text.h"

namespace icount {

std::string dedent_and_strip(std::string_view text) {
  const std::string plain = python_dedent(text);
  return std::string(python_strip(plain));
}

}  // namespace icount
