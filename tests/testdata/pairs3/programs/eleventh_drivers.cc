// One of several libraries, chosen by a macro (pairs_eleventh.toml).
#include <cstdio>
#include <string>
#include <vector>

#ifdef USE_YAML_CPP
#include "yaml-cpp/yaml.h"

// A list of ships, in block and in flow style.
int main() {
  std::string text;
  for (int i = 0; i < SHIPS; ++i) {
    const auto number = std::to_string(i);
    text += "- name: ship of the line " + number + "\n  berth: " + number + "\n  cargo: [coal, tea and coffee, " + number + " bales]\n  master: {first: Ann, last: Harbour}\n";
  }
  const auto ships = YAML::Load(text);
  size_t bytes = 0;
  for (const auto& ship : ships) bytes += ship["name"].as<std::string>().size() + ship["cargo"].size();
  std::printf("%zu of %zu\n", bytes, text.size());
}
#endif

#ifdef USE_HAT_TRIE
#include <tsl/htrie_map.h>

// Counts the words of a catalogue.
int main() {
  tsl::htrie_map<char, int> counts;
  long sum = 0;
  for (int i = 0; i < 30000; ++i) {
    const auto key = "catalogue of the northern library, volume " + std::to_string(i * 7919 % 3001);
    ++counts[key];
  }
  for (int i = 0; i < 3001; ++i) {
    const auto found = counts.find("catalogue of the northern library, volume " + std::to_string(i));
    if (found != counts.end()) sum += *found;
  }
  std::printf("%zu words, %ld\n", static_cast<size_t>(counts.size()), sum);
}
#endif

#ifdef USE_ELIDE
#include "elide_middle.h"

// The status lines of a build on a narrow terminal, in colours.
int main() {
  size_t bytes = 0;
  for (int i = 0; i < 300; ++i) {
    std::string line = "\x1b[32m[" + std::to_string(i) + "/300]\x1b[0m compiling \x1b[1msrc/module_" + std::to_string(i % 17) + "/a_long_name_of_a_file_" + std::to_string(i) + ".cc\x1b[0m with options";
    ElideMiddleInPlace(line, 60);
    bytes += line.size();
  }
  std::printf("%zu\n", bytes);
}
#endif

#ifdef USE_EVAL
#include "eval_env.h"
#include "lexer.h"

// The inputs of many edges of a build file.
int main() {
  std::string text;
  for (int i = 0; i < 40; ++i) text += (i % 10 ? "obj/part_" : "$builddir/part_") + std::to_string(i) + ".cc.o ";
  text += "\n";
  BindingEnv env;
  env.AddBinding("builddir", "out/release");
  size_t bytes = 0;
  for (int round = 0; round < 100; ++round) {
    Lexer lexer;
    std::string err;
    lexer.Start("build.ninja", text);
    std::vector<EvalString> inputs;
    for (;;) {
      EvalString in;
      if (!lexer.ReadPath(&in, &err)) return 1;
      if (in.empty()) break;
      inputs.push_back(in);
    }
    for (const auto& input : inputs) bytes += input.Evaluate(&env).size();
  }
  std::printf("%zu\n", bytes);
}
#endif
