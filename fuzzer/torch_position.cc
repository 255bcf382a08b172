#include "icount/fuzzer/torch_position.h"

#include "icount/base/checked.h"
#include "icount/fuzzer/product.h"

namespace icount {
namespace {

void add_words(TorchPosition& position, int64_t words) {
  const bool joins = !position.skips.empty() && position.skips.back().gaussians == 0;
  if (!joins) position.skips.push_back({});
  position.skips.back().words =
      checked_add(position.skips.back().words, words, "the position in LibTorch's random stream");
}

void add_dense(TorchPosition& position, const DenseTensor& tensor) {
  add_words(position, saturating_product(tensor.allocation, words_per_element(tensor.dtype)));
}

void add_sparse(TorchPosition& position, const SparseTensor& tensor) {
  const int64_t values = saturating_product({tensor.nnz}, tensor.block_elements());
  add_words(position, saturating_product({values}, words_per_element(tensor.dtype)));
  add_words(position, saturating_product({tensor.sparse_dim}, tensor.nnz));
  if (!tensor.is_coalesced && values > 0) position.skips.push_back({0, values, tensor.dtype});
}

}  // namespace

void advance(TorchPosition& position, const Sample& sample) {
  if (sample.mode == FuzzMode::kCorrected) return;
  for (const SampleTensor& tensor : sample.tensors) {
    if (const auto* dense = std::get_if<DenseTensor>(&tensor))
      add_dense(position, *dense);
    else
      add_sparse(position, std::get<SparseTensor>(tensor));
  }
}

}  // namespace icount
