#include "icount/fuzzer/setup_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/fuzzer/parameter.h"

namespace icount {
namespace {

/// The few constructs in which a C++ and a Python setup differ.
class SetupSyntax {
 public:
  explicit SetupSyntax(SetupLanguage language) : cpp_(language == SetupLanguage::kCpp) {}

  /// One line with its end.
  std::string statement(const std::string& text) const { return text + (cpp_ ? ";\n" : "\n"); }
  std::string definition(const std::string& name, const std::string& expression) const {
    return (cpp_ ? "torch::Tensor " : "") + name + " = " + expression;
  }
  /// torch::name(arguments)
  std::string function(std::string_view name, const std::string& arguments) const;
  /// {1, 2} or [1, 2]; an empty list in C++ is an IntArrayRef, since {} would name an overload of its own.
  std::string list(const std::vector<int64_t>& values) const;
  /// torch::kFloat or torch.float32
  std::string dtype(DType dtype) const;
  /// torch::name(before, size, dtype)
  std::string make(std::string_view name, const std::vector<int64_t>& size, DType dtype,
                   const std::string& before = {}) const;
  /// A 64-bit tensor of these numbers.
  std::string integers(const std::vector<int64_t>& values) const;
  /// 0, 1, ..., n-1 as 64-bit integers.
  std::string range(int64_t n) const;
  /// A list of tensor expressions.
  std::string tensors(const std::vector<std::string>& expressions) const;
  std::string floor_divide(const std::string& expression, int64_t divisor) const;
  /// Entries [first, past_last) of a vector.
  std::string part(const std::string& name, int64_t first, int64_t past_last) const;
  /// Every steps[d]-th entry of dimension d; `name` itself when all steps are 1.
  std::string slices(const std::string& name, const std::vector<int64_t>& size,
                     const std::vector<int64_t>& steps) const;
  /// Lines that draw and forget, at most `block` numbers at a time.
  std::string skip(const TorchPosition::Skip& skip, int64_t block) const;

 private:
  bool cpp_;
};

std::string SetupSyntax::function(std::string_view name, const std::string& arguments) const {
  return fmt::format("torch{}{}({})", cpp_ ? "::" : ".", name, arguments);
}

std::string SetupSyntax::list(const std::vector<int64_t>& values) const {
  if (cpp_ && values.empty()) return "torch::IntArrayRef()";
  return fmt::format("{}{}{}", cpp_ ? "{" : "[", fmt::join(values, ", "), cpp_ ? "}" : "]");
}

std::string SetupSyntax::dtype(DType dtype) const {
  return cpp_ ? fmt::format("torch::{}", cpp_name(dtype)) : fmt::format("torch.{}", to_text(dtype));
}

std::string SetupSyntax::make(std::string_view name, const std::vector<int64_t>& size, DType type,
                              const std::string& before) const {
  return function(name, fmt::format("{}{}, {}{}", before, list(size), cpp_ ? "" : "dtype=", dtype(type)));
}

std::string SetupSyntax::integers(const std::vector<int64_t>& values) const {
  const std::string list = fmt::format("{}", fmt::join(values, ", "));
  return cpp_ ? fmt::format("torch::tensor(std::vector<int64_t>{{{}}}, torch::kLong)", list)
              : fmt::format("torch.tensor([{}], dtype=torch.int64)", list);
}

std::string SetupSyntax::range(int64_t n) const {
  return function("arange", fmt::format("{}, {}{}", n, cpp_ ? "" : "dtype=", dtype(DType::kInt64)));
}

std::string SetupSyntax::tensors(const std::vector<std::string>& expressions) const {
  return fmt::format("{}{}{}", cpp_ ? "{" : "[", fmt::join(expressions, ", "), cpp_ ? "}" : "]");
}

std::string SetupSyntax::floor_divide(const std::string& expression, int64_t divisor) const {
  return fmt::format("{}.div({}, {}\"floor\")", expression, divisor, cpp_ ? "" : "rounding_mode=");
}

std::string SetupSyntax::part(const std::string& name, int64_t first, int64_t past_last) const {
  return cpp_ ? fmt::format("{}.slice(0, {}, {})", name, first, past_last)
              : fmt::format("{}[{}:{}]", name, first, past_last);
}

std::string SetupSyntax::slices(const std::string& name, const std::vector<int64_t>& size,
                                const std::vector<int64_t>& steps) const {
  if (std::all_of(steps.begin(), steps.end(), [](int64_t step) { return step == 1; })) return name;
  std::vector<std::string> python;
  std::string text = name;
  for (size_t d = 0; d < steps.size(); ++d) {
    python.push_back(steps[d] == 1 ? ":" : fmt::format("::{}", steps[d]));
    if (cpp_ && steps[d] != 1) text += fmt::format(".slice({}, 0, {}, {})", d, size[d] * steps[d], steps[d]);
  }
  return cpp_ ? text : fmt::format("{}[{}]", name, fmt::join(python, ", "));
}

std::string SetupSyntax::skip(const TorchPosition::Skip& skip, int64_t block) const {
  if (skip.gaussians > 0) return statement(make("randn", {skip.gaussians}, skip.dtype));
  const int64_t whole = skip.words / block, rest = skip.words % block;
  std::string text;
  if (whole > 0 && cpp_)
    text += fmt::format("for (int i = 0; i < {}; ++i) torch::rand({{{}}}, torch::kFloat);\n", whole, block);
  if (whole > 0 && !cpp_)
    text += fmt::format("for _ in range({}): torch.rand([{}], dtype=torch.float32)\n", whole, block);
  if (rest > 0) text += statement(make("rand", {rest}, DType::kFloat32));
  return text;
}

constexpr int64_t kSkipBlock = int64_t{1} << 20;

void check_identifier(const std::string& name) {
  const auto is_word = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  const bool fine = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
                    std::all_of(name.begin(), name.end(), is_word);
  if (!fine)
    throw Error(
        ErrorKind::kUsage,
        fmt::format("tensor '{}' cannot be a variable of a setup; choose a name of letters, digits and _", name));
}

class SetupWriter {
 public:
  SetupWriter(const Sample& sample, SetupLanguage language) : sample_(sample), syntax_(language) {}

  std::string write(const TorchPosition& position) {
    line(syntax_.function("manual_seed", fmt::format("{}", sample_.torch_seed)));
    for (const TorchPosition::Skip& skip : position.skips) text_ += syntax_.skip(skip, kSkipBlock);
    for (const SampleTensor& tensor : sample_.tensors) {
      check_identifier(tensor_name(tensor));
      if (const auto* dense = std::get_if<DenseTensor>(&tensor))
        write_dense(*dense);
      else
        write_sparse(std::get<SparseTensor>(tensor));
    }
    return std::move(text_);
  }

 private:
  bool compatible() const { return sample_.mode == FuzzMode::kCompatible; }
  void line(const std::string& statement) { text_ += syntax_.statement(statement); }
  void define(const std::string& name, const std::string& expression) { line(syntax_.definition(name, expression)); }
  void assign(const std::string& name, const std::string& expression) { line(name + " = " + expression); }

  // What a tensor is filled with by default.
  std::string fill(const std::vector<int64_t>& size, DType dtype) const {
    if (is_filled_as_float(dtype))
      return fmt::format("{}.to({})", syntax_.make("rand", size, DType::kFloat32), syntax_.dtype(dtype));
    if (is_continuous(dtype)) return syntax_.make("rand", size, dtype);
    return syntax_.make("randint", size, dtype, fmt::format("{}, {}, ", fill_low(dtype), fill_past_last(dtype)));
  }

  /// {size}, {dtype} and {NAME} in the user's expression; other braces are its own.
  std::string construct(const DenseTensor& tensor, const std::vector<int64_t>& size) const {
    std::string text;
    const std::string& given = tensor.constructor;
    for (size_t at = 0; at < given.size();) {
      const size_t end = given[at] == '{' ? given.find('}', at) : std::string::npos;
      const std::string name = end == std::string::npos ? std::string() : given.substr(at + 1, end - at - 1);
      const std::optional<std::string> value = placeholder(name, tensor, size);
      text += value ? *value : std::string(1, given[at]);
      at = value ? end + 1 : at + 1;
    }
    return text;
  }

  std::optional<std::string> placeholder(const std::string& name, const DenseTensor& tensor,
                                         const std::vector<int64_t>& size) const {
    if (name == "size") return syntax_.list(size);
    if (name == "dtype") return syntax_.dtype(tensor.dtype);
    for (size_t i = 0; i < sample_.parameters.size(); ++i)
      if (sample_.parameters.name(i) == name) return dump_json(parameter_json(sample_.parameters.value(i)), -1);
    return std::nullopt;
  }

  /// The tensor before it is permuted and cut. PyTorch moves it to the device at this point, too.
  std::string raw(const DenseTensor& tensor, const std::vector<int64_t>& size) const {
    const std::string filled = tensor.constructor.empty() ? fill(size, tensor.dtype) : construct(tensor, size);
    return tensor.cuda ? filled + ".cuda()" : filled;
  }

  void write_dense(const DenseTensor& tensor) {
    const std::vector<int64_t> inverse = inverse_order(tensor.order);
    if (!tensor.is_permuted) {
      define(tensor.name, raw(tensor, tensor.allocation));
    } else if (compatible()) {
      define(tensor.name, fmt::format("{}.permute({}).contiguous().permute({})", raw(tensor, tensor.allocation),
                                      syntax_.list(tensor.order), syntax_.list(inverse)));
    } else {
      define(tensor.name, fmt::format("{}.permute({})", raw(tensor, permute(tensor.allocation, tensor.order)),
                                      syntax_.list(inverse)));
    }
    const std::string view = syntax_.slices(tensor.name, tensor.size, tensor.steps);
    if (view != tensor.name) assign(tensor.name, view);
  }

  void write_sparse(const SparseTensor& tensor) {
    const std::string values = tensor.name + "_values", indices = tensor.name + "_indices";
    std::vector<int64_t> value_size = {tensor.nnz};
    value_size.insert(value_size.end(), tensor.size.begin() + tensor.sparse_dim, tensor.size.end());
    define(values, fill(value_size, tensor.dtype));
    if (compatible())
      write_compatible_indices(tensor, indices);
    else
      write_distinct_indices(tensor, indices);
    if (!tensor.is_coalesced) {
      const std::string more =
          compatible() ? syntax_.make("randn", value_size, tensor.dtype) : fill(value_size, tensor.dtype);
      assign(values, syntax_.function("cat", syntax_.tensors({values, more}) + ", 0"));
      assign(indices, syntax_.function("cat", syntax_.tensors({indices, indices}) + ", 1"));
    }
    const std::string sparse =
        syntax_.function("sparse_coo_tensor", fmt::format("{}, {}, {}", indices, values, syntax_.list(tensor.size)));
    define(tensor.name, sparse + (tensor.is_coalesced ? ".coalesce()" : "") + (tensor.cuda ? ".cuda()" : ""));
  }

  // Uniform in each dimension, in single precision, as PyTorch: positions can repeat.
  void write_compatible_indices(const SparseTensor& tensor, const std::string& indices) {
    const std::vector<int64_t> sparse_size(tensor.size.begin(), tensor.size.begin() + tensor.sparse_dim);
    define(indices,
           fmt::format("({} * {}.unsqueeze(1).to({})).to({})",
                       syntax_.make("rand", {tensor.sparse_dim, tensor.nnz}, DType::kFloat32),
                       syntax_.integers(sparse_size), syntax_.dtype(DType::kFloat32), syntax_.dtype(DType::kInt64)));
  }

  // The positions 0..cells-1 are cut into nnz stretches of (nearly) equal length, and one is drawn from each:
  // distinct and ascending, without a permutation of all cells.
  void write_distinct_indices(const SparseTensor& tensor, const std::string& indices) {
    const std::vector<int64_t> sparse_size(tensor.size.begin(), tensor.size.begin() + tensor.sparse_dim);
    const int64_t cells = saturating_product(sparse_size, 1);
    checked_mul(cells, tensor.nnz + 1, fmt::format("the number of positions of sparse tensor '{}'", tensor.name));
    const std::string bounds = tensor.name + "_bounds", first = tensor.name + "_first",
                      position = tensor.name + "_position";
    const int64_t parts = std::max<int64_t>(tensor.nnz, 1);
    define(bounds, syntax_.floor_divide(fmt::format("({} * {})", syntax_.range(tensor.nnz + 1), cells), parts));
    define(first, syntax_.part(bounds, 0, tensor.nnz));
    define(position, fmt::format("{} + ({} * ({} - {})).floor().to({})", first,
                                 syntax_.make("rand", {tensor.nnz}, DType::kFloat64),
                                 syntax_.part(bounds, 1, tensor.nnz + 1), first, syntax_.dtype(DType::kInt64)));
    const std::vector<int64_t> strides = row_major_strides(sparse_size);
    std::vector<std::string> rows;
    for (size_t d = 0; d < sparse_size.size(); ++d)
      rows.push_back(syntax_.floor_divide(position, strides[d]) +
                     fmt::format(".remainder({})", std::max<int64_t>(sparse_size[d], 1)));
    define(indices, syntax_.function("stack", syntax_.tensors(rows)));
  }

  const Sample& sample_;
  SetupSyntax syntax_;
  std::string text_;
};

}  // namespace

std::string make_setup(const Sample& sample, const TorchPosition& position, SetupLanguage language) {
  check_buildable(sample);
  return SetupWriter(sample, language).write(position);
}

std::string make_setup(Fuzzer& fuzzer, int64_t k, SetupLanguage language) {
  if (fuzzer.spec().mode == FuzzMode::kCorrected) return make_setup(fuzzer.sample(k), {}, language);
  const std::vector<Sample> samples = fuzzer.take(k + 1);
  TorchPosition position;
  for (const Sample& earlier : samples)
    if (earlier.index < k) advance(position, earlier);
  return make_setup(samples.back(), position, language);
}

}  // namespace icount
