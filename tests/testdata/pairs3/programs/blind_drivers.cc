// One of two libraries, chosen by a macro (pairs_seventh.toml).
#include <cstdio>
#include <cstdlib>
#include <string>

#ifdef USE_DOUBLE_CONVERSION
#include "double-conversion/double-conversion.h"
int main() {
  using namespace double_conversion;
  const DoubleToStringConverter& writer = DoubleToStringConverter::EcmaScriptConverter();
  const StringToDoubleConverter reader(StringToDoubleConverter::NO_FLAGS, 0.0, 0.0, nullptr, nullptr);
  double sum = 0;
  size_t bytes = 0;
  for (int i = 1; i <= 1500; ++i) {
    char out[64], in[64];
    StringBuilder builder(out, sizeof out);
    writer.ToShortest(i * 0.1 / 7, &builder);
    bytes += static_cast<size_t>(builder.position());
    builder.Finalize();
    const int size = std::snprintf(in, sizeof in, "%d.%03d", i * 7, i % 1000);
    int read = 0;
    for (int again = 0; again < 3; ++again) sum += reader.StringToDouble(in, size, &read);
  }
  std::printf("%zu %.3f\n", bytes, sum);
}
#endif

#ifdef USE_TINYXML
#include "tinyxml.h"
int main() {
  std::string text = "<records>";
  for (int i = 0; i < 250; ++i)
    text += "<a_record_with_a_name identifier=\"" + std::to_string(i) + "\" description=\"number " + std::to_string(i * i) + "\"><some_content>text of " + std::to_string(i) + "</some_content></a_record_with_a_name>";
  text += "</records>";
  TiXmlDocument document;
  document.Parse(text.c_str());
  int sum = 0;
  for (const TiXmlElement* one = document.RootElement()->FirstChildElement(); one; one = one->NextSiblingElement()) {
    int value = 0;
    one->QueryIntAttribute("identifier", &value);
    sum += value;
  }
  std::printf("%d\n", sum);
}
#endif
