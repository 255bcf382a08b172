// Settings read by toml++ and used many times.
#include <cstdio>
#include <string>
#include <toml++/toml.h>

__attribute__((noinline)) static long used(const toml::table& settings, int round) {
  long sum = 0;
  for (int i = 0; i < 20; ++i) {
    const std::string section = "section" + std::to_string(i);
#ifdef BY_PATH
    sum += settings.at_path(section + ".limit").value_or(0L) + round;
#else
    const auto* one = settings[section].as_table();
    sum += (*one)["limit"].value_or(0L) + round;
#endif
  }
  return sum;
}

int main() {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "[section" + std::to_string(i) + "]\nlimit = " + std::to_string(i * 10) + "\nname = \"The name of section " + std::to_string(i) + "\"\nsteps = [1, 2, 3]\n\n";
#ifdef PARSED_EACH
  long sum = 0;
  for (int round = 0; round < 6; ++round) sum += used(toml::parse(text), round);
#else
  long sum = 0;
  const toml::table settings = toml::parse(text);
  for (int round = 0; round < 6; ++round) sum += used(settings, round);
#endif
  std::printf("%ld\n", sum);
}
