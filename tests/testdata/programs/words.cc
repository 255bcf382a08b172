// Word counts and a sorted list. HASHED uses an unordered_map, STABLE sorts stably, BY_LENGTH compares dearer, OWN_NEW brings an allocator.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <new>
#include <string>
#include <unordered_map>
#include <vector>

#ifdef OWN_NEW
static char arena[1 << 24];
static size_t used = 0;
void* operator new(size_t size) {
  size = (size + 15) & ~size_t{15};
  void* result = arena + used;
  used += size;
  return result;
}
void operator delete(void*) noexcept {}
void operator delete(void*, size_t) noexcept {}
#endif

#ifdef HASHED
using Counts = std::unordered_map<std::string, int>;
#else
using Counts = std::map<std::string, int>;
#endif

__attribute__((noinline)) bool before(const std::string& a, const std::string& b) {
#ifdef BY_LENGTH
  size_t x = 0, y = 0;
  for (char c : a) x += c != 'e';
  for (char c : b) y += c != 'e';
  if (x != y) return x < y;
#endif
  return a < b;
}

__attribute__((noinline)) size_t count(const std::vector<std::string>& words) {
  Counts counts;
  for (const std::string& word : words) ++counts[word];
  size_t sum = 0;
  for (const auto& [word, times] : counts) sum += word.size() * static_cast<size_t>(times);
  return sum;
}

__attribute__((noinline)) size_t order(std::vector<std::string> words) {
#ifdef STABLE
  std::stable_sort(words.begin(), words.end(), before);
#else
  std::sort(words.begin(), words.end(), before);
#endif
  return words.front().size();
}

int main() {
  std::vector<std::string> words;
  unsigned state = 7;
  for (int i = 0; i < 1500; ++i) {
    std::string word;
    for (int letters = 2 + i % 9; letters > 0; --letters) {
      state = state * 1664525u + 1013904223u;
      word += static_cast<char>('a' + (state >> 24) % 6);
    }
    words.push_back(word);
  }
  std::printf("%zu %zu\n", count(words), order(words));
}
