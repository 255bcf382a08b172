#include "icount/mine/source_lexer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace icount {
namespace {

/// "f name 1-3" for each block: f for a function, t for a type, m for a macro, d for data.
std::string blocks_of(std::string_view text, SourceLanguage language = SourceLanguage::kBraces) {
  std::string found;
  for (const SourceBlock& block : read_source(text, language).blocks)
    found += fmt::format("{} {} {}-{}\n", "ftmd"[static_cast<size_t>(block.kind)], block.name, block.first, block.last);
  return found;
}

std::string code_of(std::string_view text, SourceLanguage language = SourceLanguage::kBraces) {
  std::string code;
  for (const std::string& line : read_source(text, language).code) code += line + "|";
  return code;
}

TEST(SourceLexer, LeavesCommentsAndBlanksOutButNotTexts) {
  const struct {
    const char *text, *code;
  } kRows[] = {
      {"int a;  // note\n", "inta;|"},
      {"a /* one\n two */ b\n", "a|b|"},
      {"s = \"a // b /* \";\n", "s=\"a // b /* \";|"},
      {"c = '\"'; d = 1'000;  // x\n", "c='\"';d=1'000;|"},
      {"// joined \\\n still\nx\n", "||x|"},
      {"r = R\"x(a // )\" b)x\"; y\n", "r=R\"x(a // )\" b)x\";y|"},
      {"#define F(x) \\\n  (x + 1)  // n\r\n", "#defineF(x)|(x+1)|"},
      {"a\\\"b\n", "a\\\"b|"},
      {"", ""},
  };
  for (const auto& row : kRows) EXPECT_EQ(code_of(row.text), row.code) << row.text;
  EXPECT_EQ(code_of("let a: &'a str = 'x'; /* /* */ */ b\n", SourceLanguage::kRust), "leta:&'astr='x';b|");
  EXPECT_EQ(code_of("x = 1  # note\ns = '''a\n# b'''\n", SourceLanguage::kHash), "x=1|s='''a|# b'''|");
}

TEST(SourceLexer, FindsFunctionsTypesAndMacros) {
  const struct {
    const char *text, *blocks;
  } kRows[] = {
      {"static int\nf(int a)\n{\n  if (a) { b(); }\n}\nint g(void) { return 1; }\n", "f f 1-5\nf g 6-6\n"},
      {"const int a[X(2)] = {\n 1,\n};\nint f(int a = 1);\nint h() {}\n", "d a 1-3\nf h 5-5\n"},
      {"namespace n {\nstatic const char* const kName =\n    \"x\";\n}\nusing B = int;\n", "d kName 2-3\n"},
      {"struct A {\n  int x;\n  int get() const { return x; }\n};\n", "t A 1-4\nf get 3-3\n"},
      {"enum class E : int { a, b };\nunion U { int i; };\n", "t E 1-1\nt U 2-2\n"},
      {"namespace a::b {\nnamespace {\nvoid f() {\n}\n}\n}\n", "f f 3-4\n"},
      {"extern \"C\" {\nvoid f() {}\n}\n", "f f 2-2\n"},
      {"template <typename T, F(is<T>())>\nauto f(T t) -> int {\n}\n", "f f 1-3\n"},
      {"A::A(int x)\n  : a_{x}, b_(1) {\n}\nA::~A() {}\n", "f A 1-3\nf ~A 4-4\n"},
      {"API(int) f(int a) {\n}\nA(int a) noexcept(true) {\n}\n", "f f 1-2\nf A 3-4\n"},
      {"bool operator==(A a, A b) { return 1; }\nint C::operator()(int x) { return x; }\n",
       "f operator== 1-1\nf operator() 2-2\n"},
      {"#define F(x) \\\n  do { x; } \\\n  while (0)\nint f() {}\n", "m F 1-3\nf f 4-4\n"},
      {"#ifdef X\nint f(int a) {\n#else\nint f(long a) {\n#endif\n}\nint g() {}\n", "f f 2-6\nf g 7-7\n"},
      {"struct S *make(int x) {\n}\n", "f make 1-2\n"},
      {"class A final : public B<int> {\npublic:\n  void f() override {}\n};\n", "t A 1-4\nf f 3-3\n"},
      {"struct __attribute__((packed)) P { int a; };\n", "t P 1-1\n"},
      {"void f() { auto g = [](int a) { return a; }; }\n", "f f 1-1\n"},
      {"}}} int f() {}\n{{{\n", "f f 1-1\n"},
  };
  for (const auto& row : kRows) EXPECT_EQ(blocks_of(row.text), row.blocks) << row.text;
  EXPECT_EQ(
      blocks_of("impl<T> V<T> {\n  pub fn push(&mut self, t: T) {\n  }\n}\nfn main() {}\n", SourceLanguage::kRust),
      "f push 2-3\nf main 5-5\n");
  EXPECT_EQ(blocks_of("func (r *R) Read(p []byte) int {\n}\n"), "f Read 1-2\n");
}

TEST(SourceLexer, FindsTheInnermostBlockAroundALine) {
  const SourceText source = read_source("struct A {\n  int f() {\n  }\n};\nint x;\n", SourceLanguage::kBraces);
  using Kind = SourceBlock::Kind;
  EXPECT_EQ(source.around(2, Kind::kFunction)->name, "f");
  EXPECT_EQ(source.around(4, Kind::kFunction), nullptr);
  EXPECT_EQ(source.around(4, Kind::kType)->name, "A");
  EXPECT_EQ(source.around(5, Kind::kType), nullptr);
  EXPECT_EQ(source.words[1], (std::vector<std::string>{"int", "f"}));
}

TEST(SourceLexer, KnowsSourcesByTheirNames) {
  EXPECT_EQ(language_of("src/a.cc"), SourceLanguage::kBraces);
  EXPECT_EQ(language_of("a.rs"), SourceLanguage::kRust);
  EXPECT_EQ(language_of("a.py"), SourceLanguage::kHash);
  EXPECT_EQ(language_of("CMakeLists.txt"), std::nullopt);
  EXPECT_EQ(language_of("x.c/Makefile"), std::nullopt);
}

}  // namespace
}  // namespace icount
