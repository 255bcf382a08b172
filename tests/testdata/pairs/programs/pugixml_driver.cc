// Builds a document, writes it, parses that and asks it by XPath.
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <unordered_map>

#include "pugixml.hpp"

int main() {
  pugi::xml_document document, back;
  pugi::xml_node root = document.append_child("list");
  for (int i = 0; i < 120; ++i) {
    pugi::xml_node item = root.append_child("item");
    item.append_attribute("id") = i;
    item.append_attribute("kind") = i % 3 ? "plain" : "special";
    item.append_child("name").text() = "a name & more <text>";
  }
  std::ostringstream out;
  document.save(out);
  const std::string text = out.str();
  back.load_buffer(text.data(), text.size());
  long sum = 0;
#ifndef COMPILE_EACH
  const pugi::xpath_query query("@kind = 'special' and string-length(name) > 3");
#endif
  for (pugi::xml_node item : back.child("list").children("item")) {
#ifdef COMPILE_EACH
    const pugi::xpath_query query("@kind = 'special' and string-length(name) > 3");
#endif
    sum += query.evaluate_boolean(item);
  }
  std::printf("%ld of %zu\n", sum, text.size());
}
