// icount._core: where the module is put together, and how an icount::Error becomes a Python exception.
#include <exception>

#include "bindings.h"
#include "icount/base/error.h"

namespace nb = nanobind;

namespace {

/// A senseless request is a ValueError, as in Python's own library; everything else that fails is an OSError.
PyObject* exception_type(icount::ErrorKind kind) {
  const bool senseless = kind == icount::ErrorKind::kUsage || kind == icount::ErrorKind::kCannotJudge ||
                         kind == icount::ErrorKind::kMalformed;
  return senseless ? PyExc_ValueError : PyExc_OSError;
}

void translate(const std::exception_ptr& failure, void*) {
  try {
    std::rethrow_exception(failure);
  } catch (const icount::Error& error) {
    PyErr_SetString(exception_type(error.kind()), error.what());
  }
}

}  // namespace

NB_MODULE(_core, module) {
  module.doc() = "Values of icount's C++ libraries. Use icount and icount.torch_benchmark.";
  nb::set_leak_warnings(false);  // a session that ends may hold values in its modules, and that is no mistake
  nb::register_exception_translator(translate);
  icount::python::bind_measurement(module);
  icount::python::bind_counts(module);
  icount::python::bind_compare(module);
  icount::python::bind_fuzzer(module);
  icount::python::bind_timing(module);
  icount::python::bind_results(module);
}
