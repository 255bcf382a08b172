// The lines of the stub protocol (docs/stub_protocol.md): building, escaping and sending them, taking them out of what
// a descriptor gives, finding keys in them. In fixed buffers, no heap.
#pragma once

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace icount_stub {

constexpr int kRequests = 3;  // file descriptors of the protocol
constexpr int kReplies = 4;
constexpr int kLine = 65536;

/// A line being built in a fixed buffer; what does not fit is dropped.
class Line {
 public:
  Line& add(const char* format, ...) __attribute__((format(printf, 2, 3))) {
    va_list arguments;
    va_start(arguments, format);
    const int room = kLine - used_ - 2;
    const int n = vsnprintf(text_ + used_, static_cast<size_t>(room), format, arguments);
    va_end(arguments);
    used_ += n < room ? n : room - 1;
    return *this;
  }
  /// Text as one word: what would end the word or the line is written \xNN.
  Line& add_escaped(const char* bytes, int size) {
    static const char kHex[] = "0123456789abcdef";
    for (int i = 0; i < size && used_ + 6 < kLine; ++i) {
      const unsigned char c = static_cast<unsigned char>(bytes[i]);
      if (c > 32 && c < 127 && c != '\\') {
        text_[used_++] = static_cast<char>(c);
      } else {
        text_[used_++] = '\\';
        text_[used_++] = 'x';
        text_[used_++] = kHex[c >> 4];
        text_[used_++] = kHex[c & 15];
      }
    }
    return *this;
  }
  void send(int fd) {
    text_[used_++] = '\n';
    for (int sent = 0; sent < used_;) {
      const ssize_t n = write(fd, text_ + sent, static_cast<size_t>(used_ - sent));
      if (n < 0 && errno != EINTR) break;
      if (n > 0) sent += static_cast<int>(n);
    }
    used_ = 0;
  }

 private:
  char text_[kLine];
  int used_ = 0;
};

inline Line& reply_line() {
  static Line line;
  return line;
}

/// Takes lines out of what a descriptor gives.
class LineReader {
 public:
  /// Reads once; false at the end of the file.
  bool fill(int fd) {
    if (start_ > 0) {
      memmove(text_, text_ + start_, static_cast<size_t>(used_ - start_));
      used_ -= start_;
      start_ = 0;
    }
    const ssize_t n = read(fd, text_ + used_, static_cast<size_t>(kLine - used_));
    if (n > 0) used_ += static_cast<int>(n);
    return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
  }
  /// The next whole line, ended by NUL, valid until the next call; nullptr when there is none yet.
  char* next() {
    char* begin = text_ + start_;
    char* end = static_cast<char*>(memchr(begin, '\n', static_cast<size_t>(used_ - start_)));
    if (!end) return nullptr;
    *end = 0;
    start_ = static_cast<int>(end - text_) + 1;
    return begin;
  }

 private:
  char text_[kLine + 1];
  int start_ = 0;
  int used_ = 0;
};

/// The value of `key=` among the words of a request; `otherwise` when it is not there.
inline const char* find_key(const char* words, const char* key, const char* otherwise) {
  const size_t length = strlen(key);
  for (const char* at = words; at && *at; at = strchr(at, ' ')) {
    while (*at == ' ') ++at;
    if (strncmp(at, key, length) == 0 && at[length] == '=') return at + length + 1;
  }
  return otherwise;
}
inline int64_t find_number(const char* words, const char* key, int64_t otherwise) {
  const char* value = find_key(words, key, nullptr);
  return value ? strtoll(value, nullptr, 10) : otherwise;
}
/// A word as it was before it was escaped, ended by NUL. False when it does not fit.
inline bool unescape_word(const char* word, char* to, size_t size) {
  size_t used = 0;
  for (; *word && *word != ' '; ++used) {
    if (used + 1 >= size) return false;
    if (word[0] == '\\' && word[1] == 'x' && word[2] && word[3]) {
      const char digits[3] = {word[2], word[3], 0};
      to[used] = static_cast<char>(strtol(digits, nullptr, 16));
      word += 4;
    } else {
      to[used] = *word++;
    }
  }
  to[used] = 0;
  return true;
}
inline bool value_is(const char* value, const char* word) {
  const size_t length = strlen(word);
  return strncmp(value, word, length) == 0 && (value[length] == 0 || value[length] == ' ');
}

}  // namespace icount_stub
