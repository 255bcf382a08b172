// Parses a generated document and prints it several times.
#include <cstdio>
#include <string>

#include "tinyxml2.h"

int main() {
  std::string text = "<list>";
  for (int i = 0; i < 120; ++i)
    text += "<item id=\"" + std::to_string(i) + "\" kind=\"k" + std::to_string(i % 5) + "\">some &amp; text</item>\n";
  text += "</list>";
  tinyxml2::XMLDocument document;
  if (document.Parse(text.c_str()) != tinyxml2::XML_SUCCESS) return 1;
  size_t total = 0;
  for (int round = 0; round < 6; ++round) {
    tinyxml2::XMLPrinter printer;
#ifdef COPY_FIRST
    tinyxml2::XMLDocument copy;
    document.DeepCopy(&copy);
    copy.Print(&printer);
#else
    document.Print(&printer);
#endif
    total += static_cast<size_t>(printer.CStrSize());
  }
  std::printf("%zu\n", total);
}
