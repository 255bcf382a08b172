// Counts words by hash: `lex` -> `hash` -> `mix`. TWICE, DEARER, INLINE_MIX, RESERVE, CHECKED change one thing each.
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#define KEEP asm volatile("" ::: "memory")  // a call is made as often as it is written

#ifdef INLINE_MIX
#define MIX static inline __attribute__((always_inline))
#else
#define MIX __attribute__((noinline))
#endif

MIX uint32_t mix(uint32_t h, unsigned char c) {
#ifdef DEARER
  h ^= h >> 13;
  h *= 0x85ebca6bu;
  h ^= h >> 16;
#endif
  return (h ^ c) * 16777619u;
}

__attribute__((noinline)) uint32_t hash(std::string_view word) {
  KEEP;
  uint32_t h = 2166136261u;
  for (char c : word) h = mix(h, static_cast<unsigned char>(c));
  return h;
}

#ifdef CHECKED
__attribute__((noinline)) int check(std::string_view word) {
  int bad = 0;
  for (char c : word) bad += c < 'a' || c > 'z';
  return bad;
}
#endif

struct Table {
  std::vector<uint32_t> order;
  std::unordered_map<uint32_t, int> seen;
  __attribute__((noinline)) void push(uint32_t h) {
    order.push_back(h);
    ++seen[h];
  }
};

__attribute__((noinline)) size_t lex(const std::string& text) {
  Table table;
#ifdef RESERVE
  table.order.reserve(512);
#endif
  size_t begin = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && text[at] != ' ') continue;
    std::string_view word(text.data() + begin, at - begin);
#ifdef TWICE
    if (hash(word) == 0) return 0;
#endif
#ifdef CHECKED
    if (check(word)) return 0;
#endif
    table.push(hash(word));
    begin = at + 1;
  }
  return table.seen.size();
}

int main() {
  std::string text;
  uint32_t state = 1;
  for (int word = 0; word < 300; ++word) {
    if (word) text += ' ';
    for (int letters = 3 + word % 6; letters > 0; --letters) {
      state = state * 1664525u + 1013904223u;
      text += static_cast<char>('a' + (state >> 24) % 26);
    }
  }
  size_t sum = 0;
  for (int run = 0; run < 20; ++run) sum += lex(text);
  std::printf("%zu\n", sum);
}
