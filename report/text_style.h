// How text output may look: colour or not, how wide. cli finds it out (console/terminal.h); everything in report takes
// it as a parameter. Also the few tones that icount uses, and wrapping that knows about them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

struct TextStyle {
  bool colour = false;
  size_t width = 0;  ///< columns; 0: unlimited (a pipe or a file: nothing is wrapped or shortened)
};

enum class Tone { kPlain, kDim, kBold, kWorse, kBetter, kNote };

/// `text` between escape sequences when the style has colour; unchanged otherwise and for kPlain.
std::string paint(std::string_view text, Tone tone, const TextStyle& style);

/// Words of `text` in lines of at most `width` columns; a word longer than that is cut. Width 0: one line. Never empty.
std::vector<std::string> wrap(std::string_view text, size_t width);

/// kWorse for more, kBetter for less, kPlain for 0: counts are costs.
Tone tone_of_change(long long delta);

}  // namespace icount
