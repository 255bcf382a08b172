// One of several libraries, chosen by a macro (pairs_eighth.toml).
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#ifdef USE_QR
#include "QrSegment.hpp"
int main() {
  long bits = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string text = "PRODUCT " + std::to_string(i) + "/A:SHELF-" + std::to_string(i % 17) + " PRICE $" + std::to_string(i * 3) + ".99 TAKE 10% OFF";
    bits += qrcodegen::QrSegment::getTotalBits(qrcodegen::QrSegment::makeSegments(text.c_str()), 10);
  }
  std::printf("%ld\n", bits);
}
#endif

#ifdef USE_EARCUT
#include <cstdint>
#include "mapbox/earcut.hpp"
int main() {
  std::size_t triangles = 0;
  for (int shape = 0; shape < 6; ++shape) {
    std::vector<std::vector<std::array<double, 2>>> polygon(1);
    for (int i = 0; i < 600; ++i) {
      const double angle = i * 3.14159265358979 * 2 / 600, radius = 100 + 30 * std::sin(angle * (5 + shape)) + (i * 7919 % 13);
      polygon[0].push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
    triangles += mapbox::earcut<std::uint32_t>(polygon).size() / 3;
  }
  std::printf("%zu\n", triangles);
}
#endif

#ifdef USE_MUPARSER
#include "muParser.h"
double table_of(mu::Parser& parser, double& x, const std::string& expression) {
  double sum = 0;
  parser.SetExpr(expression);
  for (int i = 0; i < 40; ++i) {
    x = i * 0.25;
#ifdef SET_EACH
    parser.SetExpr(expression);
#endif
    sum += parser.Eval();
  }
  return sum;
}
int main() {
  mu::Parser parser;
  double x = 0, sum = 0;
  parser.DefineVar("x", &x);
  parser.DefineConst("height", 12.5);
  for (const char* expression : {"3*4*x + 2*(5-1)*height/2 - 7", "(1+2+3+4)*x*x - (2*8)/(3+1)*x + 2*3*4", "x < 10*2 ? x*x : 2*2*height - x"}) sum += table_of(parser, x, expression);
  std::printf("%.3f\n", sum);
}
#endif

#ifdef USE_CLIPPER
#include "clipper.hpp"
int main() {
  std::size_t points = 0;
  for (int shape = 0; shape < 8; ++shape) {
    ClipperLib::Path path;
    for (int i = 0; i < 90; ++i) {
      const double angle = i * 3.14159265358979 * 2 / 90, radius = 10000 + 3000 * std::sin(angle * (3 + shape));
      path.push_back(ClipperLib::IntPoint(static_cast<ClipperLib::cInt>(radius * std::cos(angle)), static_cast<ClipperLib::cInt>(radius * std::sin(angle))));
    }
    ClipperLib::ClipperOffset offset(2.0, 0.5);
    offset.AddPath(path, ClipperLib::jtRound, ClipperLib::etClosedPolygon);
    ClipperLib::Paths out;
    offset.Execute(out, 400.0);
    ClipperLib::Clipper clipper;
    clipper.AddPaths(out, ClipperLib::ptSubject, true);
    ClipperLib::Path square{{-9000, -9000}, {9000, -9000}, {9000, 9000}, {-9000, 9000}};
    clipper.AddPath(square, ClipperLib::ptClip, true);
#ifdef SIMPLE
    clipper.StrictlySimple(true);
#endif
    ClipperLib::Paths result;
    clipper.Execute(ClipperLib::ctIntersection, result);
    for (const ClipperLib::Path& one : result) points += one.size();
  }
  std::printf("%zu\n", points);
}
#endif
