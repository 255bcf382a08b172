// One of several libraries, chosen by a macro (pairs_tenth.toml).
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#define APART __attribute__((noinline))

#ifdef USE_PUGIXML
#include "pugixml.hpp"

#ifdef MERGED
// Paragraphs whose text is interrupted by comments, read as one text each.
static std::string document_text() {
  std::string text = "<book>";
  for (int i = 0; i < 6; ++i) {
    text += "<p>";
    for (int j = 0; j < MERGED; ++j) text += "and so on, " + std::to_string(j) + " <!-- note " + std::to_string(j) + " -->";
    text += "</p>\n";
  }
  return text + "</book>";
}

int main() {
  const std::string text = document_text();
  pugi::xml_document document;
  if (!document.load_buffer(text.data(), text.size(), pugi::parse_default | pugi::parse_merge_pcdata)) return 1;
  std::size_t letters = 0;
  for (const pugi::xml_node p : document.child("book").children("p")) letters += std::char_traits<char>::length(p.child_value());
  std::printf("%zu of %zu\n", letters, text.size());
}
#else
// Stations with many children of other names between those that are asked for.
int main() {
  std::string text = "<network>";
  for (int i = 0; i < 60; ++i) {
    text += "<station><name>S" + std::to_string(i) + "</name>";
    for (int j = 0; j < 30; ++j) text += j % 6 ? "<line n='" + std::to_string(j) + "'/>" : "<exit street='Street " + std::to_string(j) + "'/>";
    text += "</station>";
  }
  text += "</network>";
  pugi::xml_document document;
  if (!document.load_buffer(text.data(), text.size())) return 1;
  const pugi::xpath_query exits("station/exit");
  const pugi::xpath_query lines("count(line)");
  std::size_t found = 0;
  double sum = 0;
  const pugi::xml_node network = document.child("network");
  for (int round = 0; round < 12; ++round) {
    found += exits.evaluate_node_set(network).size();
    for (const pugi::xml_node station : network.children("station")) sum += lines.evaluate_number(station);
  }
  std::printf("%zu exits, %.0f lines\n", found, sum);
}
#endif
#endif

#ifdef USE_TINYXML2
#include "tinyxml2.h"

// Reads a document once and prints it many times.
int main() {
  std::string text = "<catalogue>";
  for (int i = 0; i < 90; ++i)
    text += "<book id=\"b" + std::to_string(i) + "\" shelf=\"" + std::to_string(i % 9) + "\"><title>Title &amp; number " + std::to_string(i) + "</title><pages>" + std::to_string(i * 7) + "</pages></book>\n";
  text += "</catalogue>";
  tinyxml2::XMLDocument document;
  if (document.Parse(text.c_str()) != 0) return 1;
  std::size_t total = 0;
  for (int round = 0; round < 8; ++round) {
    tinyxml2::XMLPrinter printer;
    document.Print(&printer);
    total += static_cast<std::size_t>(printer.CStrSize());
  }
  std::printf("%zu\n", total);
}
#endif

#ifdef USE_RAPIDJSON
#include "rapidjson/document.h"

#ifdef NO_POOL
using Tree = rapidjson::GenericDocument<rapidjson::UTF8<>, rapidjson::CrtAllocator>;
#else
using Tree = rapidjson::GenericDocument<rapidjson::UTF8<>, rapidjson::MemoryPoolAllocator<>>;
#endif

static APART double sum_of(const std::string& text) {
  Tree tree;
  tree.Parse(text.c_str());
  double sum = 0;
  for (const auto& sensor : tree.GetArray()) {
    for (const auto& value : sensor["values"].GetArray()) sum += value.GetDouble();
    sum += sensor["name"].GetStringLength();
  }
  return sum;
}

int main() {
  std::string text = "[";
  for (int i = 0; i < 120; ++i) {
    text += std::string(i ? "," : "") + "{\"name\": \"the sensor with number " + std::to_string(i) + "\", \"where\": \"hall " + std::to_string(i % 7) + ", on the northern wall\", \"values\": [";
    for (int j = 0; j < 6; ++j) text += std::string(j ? "," : "") + std::to_string(i * j) + ".5";
    text += "]}";
  }
  text += "]";
  double sum = 0;
  for (int round = 0; round < 10; ++round) sum += sum_of(text);
  std::printf("%.1f\n", sum);
}
#endif

#ifdef USE_EARCUT
#include <array>
#include <cstdint>

#include "mapbox/earcut.hpp"

// Islands with a coast of many bays.
int main() {
  std::size_t triangles = 0;
  for (int island = 0; island < 5; ++island) {
    std::vector<std::vector<std::array<double, 2>>> polygon(1);
    for (int i = 0; i < 420; ++i) {
      const double angle = i * 3.14159265358979 * 2 / 420, radius = 200 + 50 * std::sin(angle * (7 + island)) + (i * 6151 % 17);
      polygon[0].push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
    triangles += mapbox::earcut<std::uint32_t>(polygon).size() / 3;
  }
  std::printf("%zu\n", triangles);
}
#endif

#ifdef USE_JSON
#include <nlohmann/json.hpp>

static APART bool well_formed(const std::string& text) { return nlohmann::json::accept(text); }

static APART nlohmann::json read_request(const std::string& text) {
#ifdef ACCEPTED_FIRST
  if (!well_formed(text)) return nullptr;
#endif
  return nlohmann::json::parse(text, nullptr, false);
}

int main() {
  long sum = well_formed("[]");
  for (int i = 0; i < 130; ++i) {
    const std::string text = "{\"id\": " + std::to_string(i) + ", \"user\": {\"name\": \"user number " + std::to_string(i * 7) + "\", \"groups\": [\"readers\", \"writers\"]}, \"quota\": " + std::to_string(i * 3) + ".75, \"active\": true}";
    const nlohmann::json request = read_request(text);
    sum += request["id"].get<int>() + static_cast<long>(request["user"]["name"].get_ref<const std::string&>().size());
  }
  std::printf("%ld\n", sum);
}
#endif
