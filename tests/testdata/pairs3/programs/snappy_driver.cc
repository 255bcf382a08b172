// Compresses and decompresses generated text.
#include <cstdio>
#include <string>

#include "snappy.h"

int main() {
  std::string text, packed, back;
  unsigned state = 5;
  while (text.size() < 60000) {
    state = state * 1103515245u + 12345u;
    static const char* const words[] = {"instruction ", "count ", "of ", "a ", "program ", "twice\n", "and ", "never "};
    text += words[(state >> 16) % 8];
  }
  for (int i = 0; i < 8; ++i) {
    snappy::Compress(text.data(), text.size(), &packed);
    if (!snappy::Uncompress(packed.data(), packed.size(), &back) || back != text) return 1;
  }
  std::printf("%zu -> %zu\n", text.size(), packed.size());
}
