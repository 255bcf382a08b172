#include "icount/explain/match_names.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "icount/base/hash.h"
#include "icount/callgraph/name_parts.h"
#include "icount/callgraph/noise_groups.h"
#include "icount/callgraph/symbol_name.h"

namespace icount {
namespace {

// Every object has these; they say nothing about where a function moved to.
constexpr std::array<std::string_view, 9> kInEveryObject = {"_init",
                                                            "_fini",
                                                            "_start",
                                                            "frame_dummy",
                                                            "register_tm_clones",
                                                            "deregister_tm_clones",
                                                            "__do_global_dtors_aux",
                                                            "(below main)",
                                                            "???"};

uint64_t name_key(const Pairing& pairing, size_t side, uint32_t f) { return hash64(pairing.function(side, f).name); }

void sort_by_path(const Pairing& pairing, size_t side, std::vector<uint32_t>& functions) {
  std::sort(functions.begin(), functions.end(), [&](uint32_t a, uint32_t b) {
    return std::pair(pairing.function(side, a).file, a) < std::pair(pairing.function(side, b).file, b);
  });
}

/// Pairs functions of equal figure, in order, and drops them from both lists.
template <typename Figure>
void pair_equal(Pairing& pairing, std::vector<uint32_t>& base, std::vector<uint32_t>& head, const Figure& figure) {
  for (const auto& [left, right] : equal_keys(base, head, figure))
    for (size_t i = 0; i < std::min(left.size(), right.size()); ++i) pairing.add(left[i], right[i], MatchedBy::kName);
  std::erase_if(base, [&](uint32_t f) { return !pairing.is_open(0, f); });
  std::erase_if(head, [&](uint32_t f) { return !pairing.is_open(1, f); });
}

void pair_namesakes(Pairing& pairing, std::vector<uint32_t> base, std::vector<uint32_t> head) {
  if (base.size() > 1 || head.size() > 1) {
    sort_by_path(pairing, 0, base);
    sort_by_path(pairing, 1, head);
    pair_equal(pairing, base, head, [&](size_t side, uint32_t f) { return hash64(pairing.function(side, f).file); });
    pair_equal(pairing, base, head,
               [&](size_t side, uint32_t f) { return static_cast<uint64_t>(pairing.function(side, f).self); });
  }
  for (size_t i = 0; i < std::min(base.size(), head.size()); ++i) pairing.add(base[i], head[i], MatchedBy::kName);
}

/// "make[abi:cxx11](int)" -> "make(int)": the compiler's mark of a type that is used, which a change of that type
/// brings or takes away.
std::string without_abi_tags(std::string_view name) {
  std::string text;
  for (size_t tag; (tag = name.find("[abi:")) != std::string_view::npos;) {
    const size_t end = name.find(']', tag);
    if (end == std::string_view::npos) break;
    text.append(name.substr(0, tag));
    name.remove_prefix(end + 1);
  }
  return text.append(name);
}

bool is_source_file(std::string_view file) {
  const size_t dot = file.rfind('.');
  const std::string_view ending = dot == std::string_view::npos ? "" : file.substr(dot + 1);
  return ending == "c" || ending == "cc" || ending == "cpp" || ending == "cxx" || ending == "C";
}

/// Two C functions of one name in two source files are more likely two statics than one that moved.
bool may_be_two_statics(const FoldedFunction& a, const FoldedFunction& b) {
  return a.name.find('(') == std::string_view::npos && is_source_file(a.file) && is_source_file(b.file) &&
         base_of_path(a.file) != base_of_path(b.file);
}

/// Key of a function that a pass leaves to later ones.
constexpr uint64_t kNoKey = 0;

/// What is matched by its name: neither an address nor a lambda, whose number shifts when another is written above it.
bool is_named(const Pairing& pairing, size_t side, uint32_t f) {
  return !pairing.is_unnamed(side, f) && !has_lambda_number(pairing.function(side, f).name);
}

uint64_t key_in_object(const Pairing& pairing, size_t side, uint32_t f) {
  return mix_keys(name_key(pairing, side, f), pairing.objects.of(side, f));
}

/// The same name, file name and object.
void match_in_file(Pairing& pairing) {
  const auto key = [&](size_t side, uint32_t f) {
    if (!is_named(pairing, side, f)) return kNoKey;
    return mix_keys(key_in_object(pairing, side, f), hash64(base_of_path(pairing.function(side, f).file)));
  };
  for (auto& [base, head] : equal_keys(pairing.open(0), pairing.open(1), key))
    pair_namesakes(pairing, std::move(base), std::move(head));
}

/// The same name and object, in another file.
void match_in_object(Pairing& pairing) {
  const auto key = [&](size_t side, uint32_t f) {
    return is_named(pairing, side, f) ? key_in_object(pairing, side, f) : kNoKey;
  };
  for (auto& [base, head] : equal_keys(pairing.open(0), pairing.open(1), key)) {
    const bool statics = base.size() == 1 && head.size() == 1 &&
                         may_be_two_statics(pairing.function(0, base[0]), pairing.function(1, head[0]));
    if (!statics) pair_namesakes(pairing, std::move(base), std::move(head));
  }
}

/// The same but for "[abi:cxx11]".
void match_without_abi_tags(Pairing& pairing) {
  const auto key = [&](size_t side, uint32_t f) {
    if (!is_named(pairing, side, f)) return kNoKey;
    return mix_keys(hash64(without_abi_tags(pairing.function(side, f).name)), pairing.objects.of(side, f));
  };
  for (const auto& [base, head] : equal_keys(pairing.open(0), pairing.open(1), key))
    if (base.size() == 1 && head.size() == 1 && pairing.function(0, base[0]).name != pairing.function(1, head[0]).name)
      pairing.add(base[0], head[0], MatchedBy::kName);
}

/// The same name in another object.
void match_anywhere(Pairing& pairing) {
  const auto key = [&](size_t side, uint32_t f) {
    const std::string_view name = pairing.function(side, f).name;
    const bool everywhere = std::find(kInEveryObject.begin(), kInEveryObject.end(), name) != kInEveryObject.end();
    return everywhere || !is_named(pairing, side, f) ? kNoKey : name_key(pairing, side, f);
  };
  for (const auto& [base, head] : equal_keys(pairing.open(0), pairing.open(1), key))
    if (base.size() == 1 && head.size() == 1 && pairing.objects.of(0, base[0]) != pairing.objects.of(1, head[0]))
      pairing.add(base[0], head[0], MatchedBy::kObject);
}

}  // namespace

void match_by_name(Pairing& pairing) {
  match_in_file(pairing);
  match_in_object(pairing);
  match_without_abi_tags(pairing);
  match_anywhere(pairing);
}

void match_by_raw_name(Pairing& pairing) {
  const auto key = [&](size_t side, uint32_t f) {
    const FoldedFunction& function = pairing.function(side, f);
    return mix_keys(mix_keys(hash64(function.name), hash64(function.file)), hash64(function.object));
  };
  for (const auto& [base, head] : equal_keys(pairing.open(0), pairing.open(1), key))
    pairing.add(base[0], head[0], MatchedBy::kName);
  // Another folder is no other function; names stay as they are.
  const auto in_object = [&](size_t side, uint32_t f) { return key_in_object(pairing, side, f); };
  const auto in_file = [&](size_t side, uint32_t f) {
    return mix_keys(in_object(side, f), hash64(base_of_path(pairing.function(side, f).file)));
  };
  for (auto& [base, head] : equal_keys(pairing.open(0), pairing.open(1), in_file))
    pair_namesakes(pairing, std::move(base), std::move(head));
  for (auto& [base, head] : equal_keys(pairing.open(0), pairing.open(1), in_object))
    pair_namesakes(pairing, std::move(base), std::move(head));
}

void match_by_dispatch(Pairing& pairing) {
  const auto key = [&](size_t side, uint32_t f) {
    const FoldedFunction& function = pairing.function(side, f);
    const std::string_view routine = dispatched_routine(function.name);
    if (!routine.empty()) return mix_keys(hash64(routine), pairing.objects.of(side, f));
    // The variant for any processor may go by the routine's own name, which is one of C.
    if (function.name.find_first_of("(<: ") != std::string_view::npos) return kNoKey;
    if (!is_libc_string_routine(function.name, function.object)) return kNoKey;
    return mix_keys(hash64(function.name), pairing.objects.of(side, f));
  };
  for (auto& [base, head] : equal_keys(pairing.open(0), pairing.open(1), key)) {
    const auto by_cost = [&](size_t side) {
      return [&pairing, side](uint32_t a, uint32_t b) {
        return pairing.function(side, a).self > pairing.function(side, b).self;
      };
    };
    std::stable_sort(base.begin(), base.end(), by_cost(0));
    std::stable_sort(head.begin(), head.end(), by_cost(1));
    for (size_t i = 0; i < std::min(base.size(), head.size()); ++i) pairing.add(base[i], head[i], MatchedBy::kDispatch);
  }
}

}  // namespace icount
