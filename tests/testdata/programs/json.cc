// A JSON reader by recursive descent. COPY_STRINGS copies every key once more, SLOW_NUMBERS uses strtod, NESTED nests the input deeper.
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Value;
using Object = std::map<std::string, std::unique_ptr<Value>>;
struct Value {
  double number = 0;
  std::string text;
  std::vector<std::unique_ptr<Value>> array;
  Object object;
};

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}
  std::unique_ptr<Value> value() {
    blanks();
    auto result = std::make_unique<Value>();
    switch (text_[at_]) {
      case '{': object(*result); break;
      case '[': array(*result); break;
      case '"': result->text = string(); break;
      default: result->number = number();
    }
    return result;
  }

 private:
  __attribute__((noinline)) void blanks() { while (std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_; }
  __attribute__((noinline)) std::string string() {
    size_t begin = ++at_;
    while (text_[at_] != '"') ++at_;
    return text_.substr(begin, at_++ - begin);
  }
  __attribute__((noinline)) double number() {
#ifdef SLOW_NUMBERS
    char* end = nullptr;
    double result = std::strtod(text_.c_str() + at_, &end);
    at_ = static_cast<size_t>(end - text_.c_str());
    return result;
#else
    double result = 0;
    while (text_[at_] >= '0' && text_[at_] <= '9') result = result * 10 + (text_[at_++] - '0');
    return result;
#endif
  }
  __attribute__((noinline)) void array(Value& into) {
    ++at_;
    while (text_[at_] != ']') {
      into.array.push_back(value());
      blanks();
      if (text_[at_] == ',') ++at_;
    }
    ++at_;
  }
  __attribute__((noinline)) void object(Value& into) {
    ++at_;
    for (blanks(); text_[at_] != '}'; blanks()) {
      std::string key = string();
#ifdef COPY_STRINGS
      std::string copy = key + "/";
      copies_ += copy.size();
#endif
      blanks();
      ++at_;
      into.object[key] = value();
      blanks();
      if (text_[at_] == ',') ++at_;
    }
    ++at_;
  }
  const std::string& text_;
  size_t at_ = 0;
  size_t copies_ = 0;
};

static std::string make(int depth) {
  if (depth == 0) return "[1, 22, 333, 4444, 55555]";
  return "{\"first member\": " + make(depth - 1) + ", \"a second, longer member\": " + make(depth - 1) + ", \"third\": \"text\"}";
}

#ifndef NESTED
#define NESTED 5
#endif

int main() {
  std::string text = make(NESTED);
  size_t sum = 0;
  for (int i = 0; i < 5; ++i) sum += Reader(text).value()->object.size();
  std::printf("%zu\n", sum);
}
