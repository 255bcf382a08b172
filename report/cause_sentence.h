// The words of explanations: what a cause says (explain/cause_facts.h) as one plain sentence. Nothing else words an
// explanation; the tables, Markdown, JSON's `text` and the report's page take it from here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "icount/explain/explain.h"

namespace icount {

struct CauseWords {
  enum class Of {
    kWhole,
    kPart,   ///< one of several, which need not come to all of the cause
    kAside,  ///< the sentence goes on with it
  };
  struct Further {
    std::optional<int64_t> delta;  ///< its part of the cause's
    std::string text;
    Of of = Of::kWhole;
  };
  std::string main;
  std::vector<Further> further;  ///< what leads inside, where that is said with the cause
};
/// The sentence in its parts, for forms that have lines of their own for them. `about`: the function that the row above
/// is about (function_in_words), which is then not named again; empty: none.
CauseWords cause_words(const Cause& cause, std::string_view about = {});

/// Whether the part is more than the cause, or goes the other way, so that other parts take some of it back.
bool is_taken_back(const CauseWords::Further& further, const Cause& cause);

/// The function that the sentence is about, as it names it; empty where that is none or several.
std::string function_in_words(const Cause& cause);

/// Calls that one side alone makes, or a loop that it alone enters, with names as the sentence has them.
struct OneSidedWork {
  std::string doer;              ///< whose doing it is: the function outside of its loops, or one of them
  std::string function;          ///< the one that it happens in
  std::string what, inlined_in;  ///< inlined_in: of a loop, the inlined function around it
  bool is_loop = false;
  bool in_head = false;
  std::array<int64_t, 2> times{};
};
/// Nothing where the cause is no such work.
std::optional<OneSidedWork> one_sided_work(const Cause& cause);

/// The explanation's own notes, one sentence each.
std::vector<std::string> note_sentences(const Explanation& explanation);

/// "`if (size > limit)` costs 14 per call, was 6": one of the cause's lines, by its text where that is known.
std::string line_sentence(const Cause& cause, const CauseLine& line);

/// "lexer.cc:12", where the cause lies; empty where the file is not known, where it is icount's own around a
/// statement, and where `text` says it.
std::string place_beside(const Cause& cause, std::string_view text);

/// One sentence with the figures behind the cause and without its delta; names in backticks. That of a place, a group
/// or rows that were joined names what leads in `inside`. Of parts at most `parts` are told.
std::string cause_sentence(const Cause& cause, std::string_view about = {}, size_t parts = ~size_t{0});

}  // namespace icount
