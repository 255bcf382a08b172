// Reads the fuzzer part of the recorded cases (tests/testdata/torch/README.md) into specifications.
#pragma once

#include <string>

#include "icount/base/json.h"
#include "icount/fuzzer/op_fuzzers.h"

namespace icount {

/// {"alias": name}, an integer, a number, a truth value or a word.
ParameterValue golden_value(const Json& value);
FuzzedParameter golden_parameter(const Json& parameter);
TensorSpec golden_tensor(const Json& tensor);
Constraint golden_constraint(const Json& constraint);
/// Parameters, tensors and constraints of a case's input, in compatible mode.
FuzzerSpec golden_spec(const Json& input);
/// The ready-made fuzzer named by a case's input.
FuzzerSpec golden_op_fuzzer(const Json& input);

/// A sample in the form of "samples": params as pairs, tensors as sample_json has them.
Json golden_form(const Sample& sample);

}  // namespace icount
