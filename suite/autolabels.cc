#include "icount/suite/autolabels.h"

#include "icount/base/error.h"

namespace icount {

std::string_view to_text(RuntimeMode mode) {
  switch (mode) {
    case RuntimeMode::kEager:
      return "Eager";
    case RuntimeMode::kJit:
      return "TorchScript";
    case RuntimeMode::kExplicit:
      return "";
  }
  ICOUNT_CHECK(false, "unknown RuntimeMode");
}

std::string_view to_text(AutogradMode mode) {
  switch (mode) {
    case AutogradMode::kForward:
      return "Forward";
    case AutogradMode::kForwardBackward:
      return "Forward + Backward";
    case AutogradMode::kExplicit:
      return "";
  }
  ICOUNT_CHECK(false, "unknown AutogradMode");
}

std::string_view to_text(AutoLanguage language) {
  switch (language) {
    case AutoLanguage::kPython:
      return "Python";
    case AutoLanguage::kCpp:
      return "C++";
    case AutoLanguage::kProgram:
      return "program";
  }
  ICOUNT_CHECK(false, "unknown AutoLanguage");
}

}  // namespace icount
