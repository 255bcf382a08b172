// What a function without a partner on the other side is compared by: words of its name, file and lines, callers and
// callees. Read from a folded graph; explain/likeness.h judges.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "icount/explain/pairing.h"

namespace icount {

/// A caller or callee with the calls between the two and what they cost with all below.
struct Neighbour {
  uint32_t function = 0;
  int64_t calls = 0, inclusive = 0;
  bool is_of_cycle = false;  ///< a callee that has no partner yet either and calls the caller, by itself or by others
};

/// What is compared of one function that has no partner yet. Names are hashes; 0 where there is none.
struct FunctionTraits {
  uint64_t numberless_name = 0;  ///< only of names that count lambdas
  uint64_t plain_name = 0, last_word = 0, file_name = 0;
  uint64_t last_two_words = 0;  ///< class and method: what a method of a frequent name is known by
  uint64_t owner = 0;           ///< of a lambda: the word of the function that it is written in
  bool is_frequent_word =
      false;                    ///< open functions of other plain names on this side end with the same word (call, get)
  uint64_t line = 0;            ///< first line in its own file; 0 without lines
  std::string_view file;        ///< its file's name; empty where that is not known
  std::vector<uint64_t> words;  ///< identifiers of the name, sorted
  std::vector<uint64_t> arguments;  ///< template arguments in their order
  int64_t calls = 0;
  std::vector<Neighbour> callers, callees;
};
using TraitsByFunction = std::unordered_map<uint32_t, FunctionTraits>;

/// Traits of every open function of one side.
TraitsByFunction read_traits(const Pairing& pairing, size_t side);

}  // namespace icount
