// One of several libraries, chosen by a macro (pairs_thirteenth.toml).
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#ifdef USE_MUSTACHE
#include "mustache.hpp"

// A page with a list of boats.
int main() {
  namespace km = kainjow::mustache;
  km::mustache page("<h1>{{harbour of the day}}</h1>\n{{#boats}}<li>{{name of the boat}}, {{captain}}, berth {{berth}} of {{harbour of the day}}, {{nothing known}}</li>\n{{/boats}}");
  km::data all;
  all.set("harbour of the day", "Enkhuizen");
  km::data boats(km::data::type::list);
  for (int i = 0; i < 250; ++i) {
    km::data boat;
    boat.set("name of the boat", "The Good Hope " + std::to_string(i));
    boat.set("captain", "Captain " + std::to_string(i % 17));
    boat.set("berth", std::to_string(i % 40));
    boats << boat;
  }
  all.set("boats", boats);
  std::size_t length = 0;
  for (int round = 0; round < 4; ++round) length += page.render(all).size();
  std::printf("%zu\n", length);
}
#endif

#ifdef USE_RAPIDCSV
#include "rapidcsv.h"

// A file with long cells.
int main() {
  {
    std::ofstream file("cells.csv");
    for (int row = 0; row < 150; ++row)
      for (int column = 0; column < 4; ++column) file << "cell " << row << " of column " << column << ", which tells a good deal more than one would like to know of it" << (column == 3 ? "\n" : ";");
  }
  const rapidcsv::Document all("cells.csv", rapidcsv::LabelParams(-1, -1), rapidcsv::SeparatorParams(';', false));
  std::size_t length = 0;
  for (std::size_t row = 0; row < 150; ++row) length += all.GetCell<std::string>(2, row).size();
  std::printf("%zu\n", length);
}
#endif

#ifdef USE_UCHARDET
#include "uchardet.h"

// Lines of a file, each looked at for its character set by a detector of its own or by one that is reset.
int main() {
  static const char* const lines[] = {"caf\xc3\xa9 na\xc3\xafve gar\xc3\xa7on \xe2\x80\x94 o\xc3\xb9?", "plain words only, nothing else", "stra\xdf" "e \xfc" "ber die br\xfc" "cke", "\xd0\xbf\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82, \xd0\xbc\xd0\xb8\xd1\x80"};
  int known = 0;
#ifndef DETECTOR_EACH
  uchardet_t one = uchardet_new();
#endif
  for (int i = 0; i < 400; ++i) {
    const char* const line = lines[i % 4];
#ifdef DETECTOR_EACH
    uchardet_t one = uchardet_new();
#else
    uchardet_reset(one);
#endif
    uchardet_handle_data(one, line, std::strlen(line));
    uchardet_data_end(one);
    known += uchardet_get_charset(one)[0] != 0;
#ifdef DETECTOR_EACH
    uchardet_delete(one);
#endif
  }
#ifndef DETECTOR_EACH
  uchardet_delete(one);
#endif
  std::printf("%d\n", known);
}
#endif
