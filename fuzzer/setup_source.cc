#include "icount/fuzzer/setup_source.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "icount/base/checked.h"
#include "icount/base/error.h"
#include "icount/fuzzer/dense_layout.h"
#include "icount/fuzzer/product.h"
#include "icount/fuzzer/sample_json.h"
#include "icount/fuzzer/setup_syntax.h"

namespace icount {
namespace {

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
