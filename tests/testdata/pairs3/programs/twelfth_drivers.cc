// One of several libraries, chosen by a macro (pairs_twelfth.toml).
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#ifdef USE_CLI11
#include "CLI/CLI.hpp"

// A command line of many options, of a program that has many.
int main() {
  CLI::App app{"a program with many options"};
  std::vector<int> numbers(50);
  for (int i = 0; i < 50; ++i) app.add_option("--number-of-the-station-" + std::to_string(i) + ",--station-of-the-river-" + std::to_string(i), numbers[i], "a number")->take_last();
  std::vector<std::string> arguments;
  for (int i = 0; i < 200; ++i) {
    arguments.push_back(std::to_string(i * 3));
    arguments.push_back("--number-of-the-station-" + std::to_string(i * 7 % 50));
  }
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  long sum = 0;
  for (const int number : numbers) sum += number;
  std::printf("%ld\n", sum);
}
#endif

#ifdef USE_INJA
#include "inja/inja.hpp"

// A table of many entries, each named and shown.
int main() {
  nlohmann::json data;
  for (int i = 0; i < 1500; ++i) data["things"]["thing number " + std::to_string(i)] = i * 3;
  inja::Environment environment;
  const std::string text = environment.render("{% for name, value in things %}{{ name }}: {{ value }}\n{% endfor %}", data);
  std::printf("%zu\n", text.size());
}
#endif

#ifdef USE_TEXTFLOW
#include <catch2/internal/catch_textflow.hpp>

// One long line, broken into many.
int main() {
  std::string text;
  for (int i = 0; text.size() < 50000; ++i) text += "word-" + std::to_string(i % 97) + " ";
  std::ostringstream out;
  out << Catch::TextFlow::Column(text).width(70).indent(2);
  std::printf("%zu\n", out.str().size());
}
#endif
