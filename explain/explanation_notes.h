// What an explanation says beside its causes, without words: how functions were matched, and what was not looked into.
// report/cause_sentence.h has the sentences. Sides: 0 is base, 1 is head.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <variant>

namespace icount::note {

/// Self cost alone explains the change.
struct CallsNotTrusted {
  enum class Why { kAsked, kNoCalls, kProfile } why = Why::kAsked;
  size_t side = 0;     ///< unless it was asked for
  std::string reason;  ///< of kProfile: what its reader said
};

/// Functions matched under another name.
struct Renames {
  size_t functions = 0;
  std::array<std::string, 2> word;  ///< the word that was replaced in most of them; empty: no one word
  size_t with_word = 0;
};

/// Functions that another library has now.
struct Moved {
  size_t functions = 0;
  std::array<std::string, 2> objects;
};

/// An object that one side compiled with more inlining.
struct LessInlining {
  size_t gone = 0, all = 0;
  std::string object;
  size_t side = 0;        ///< the one that has the functions
  std::string producers;  ///< what debug information says; empty: nothing
};

/// Functions of the C library that run as another variant.
struct OtherVariants {
  size_t functions = 0;
};

/// An object that has symbols on one side only.
struct OneSidedSymbols {
  std::string object;
  size_t without = 0;  ///< the side that has none
};

/// Functions without symbols, at other addresses.
struct OtherAddresses {
  size_t functions = 0;
};

struct NotOpened {
  std::string function, reason;
};

}  // namespace icount::note

namespace icount {

using ExplanationNote = std::variant<note::CallsNotTrusted, note::Renames, note::Moved, note::LessInlining,
                                     note::OtherVariants, note::OneSidedSymbols, note::OtherAddresses, note::NotOpened>;

}  // namespace icount
