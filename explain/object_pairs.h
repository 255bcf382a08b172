// Which object file of the base is which of the head: libraries by file name, programs also under another name.
// The first thing explain/match.h asks.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "icount/explain/folded_graph.h"

namespace icount {

/// Number of an object; objects that were paired have the same one.
using ObjectClass = uint32_t;

/// Objects of the same file name are one class. Those left over on both sides pair by how many function names they
/// share, most first: a program built twice under two names. The views of the folded graphs must outlive this.
class ObjectPairs {
 public:
  ObjectPairs(const FoldedGraph& base, const FoldedGraph& head);

  /// Class of the object of `function`; side 0 is base, 1 is head.
  ObjectClass of(size_t side, uint32_t function) const { return class_of_[side][function]; }

 private:
  using Classes = std::unordered_map<std::string_view, ObjectClass>;

  Classes classes_of(const FoldedGraph& side);
  void pair_leftovers(const FoldedGraph& base, const FoldedGraph& head);

  std::unordered_map<std::string_view, ObjectClass> by_file_name_;
  std::array<Classes, 2> classes_;
  std::array<std::vector<ObjectClass>, 2> class_of_;
};

}  // namespace icount
