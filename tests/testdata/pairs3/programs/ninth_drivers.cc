// One of several C++ libraries, chosen by a macro (pairs_ninth.toml).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace {
unsigned seed = 11;
[[maybe_unused]] double between(double low, double high) {
  seed = seed * 1103515245u + 12345u;
  return low + (high - low) * ((seed >> 8) % 100003) / 100003.0;
}
}  // namespace

#ifdef USE_DELAUNATOR
#include "delaunator-header-only.hpp"

int main() {
  std::vector<double> points;
  for (int i = 0; i < POINTS; ++i) {
    points.push_back(between(0, 500));
    points.push_back(between(0, 300));
  }
  delaunator::Delaunator mesh(points);
  std::printf("%zu corners\n", mesh.triangles.size());
}
#endif

#ifdef USE_TINYOBJ
#define TINYOBJLOADER_IMPLEMENTATION
#include "tiny_obj_loader.h"

int main() {
  std::string text = "# a hilly field\n";
  char line[100];
  for (int i = 0; i < 900; ++i) {
    std::snprintf(line, sizeof line, "v %.4f %.4f %.4f\n", i % 30 * 1.25, between(0, 40), i / 30 * 1.25);
    text += line;
  }
  for (int y = 0; y < 29; ++y)
    for (int x = 0; x < 29; ++x) {
      const int at = y * 30 + x + 1;
      std::snprintf(line, sizeof line, "f %d %d %d\nf %d %d %d\n", at, at + 1, at + 30, at + 1, at + 31, at + 30);
      text += line;
    }
  std::istringstream in(text);
  tinyobj::attrib_t attributes;
  std::vector<tinyobj::shape_t> shapes;
  std::vector<tinyobj::material_t> materials;
  std::string error;
  const bool done = tinyobj::LoadObj(&attributes, &shapes, &materials, &error, &in);
  std::printf("%d, %zu coordinates, %zu shapes\n", done, attributes.vertices.size(), shapes.size());
}
#endif

#ifdef USE_NANOFLANN
#include "nanoflann.hpp"

struct Cloud {
  std::vector<double> at;
  std::size_t kdtree_get_point_count() const { return at.size() / 3; }
  double kdtree_get_pt(std::size_t i, std::size_t dimension) const { return at[3 * i + dimension]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

using Index = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud, 3>;

int main() {
  Cloud cloud;
  double sum = 0;
  for (int i = 0; i < 3 * 4000; ++i) cloud.at.push_back(between(0, 100));
  for (int round = 0; round < 3; ++round) {
    Index index(3, cloud);
    for (int i = 0; i < 60; ++i) {
      const double asked[3] = {between(0, 100), between(0, 100), between(0, 100)};
      unsigned nearest[4];
      double squares[4];
      index.knnSearch(asked, 4, nearest, squares);
      sum += squares[3];
    }
  }
  std::printf("%.3f\n", sum);
}
#endif

#ifdef USE_PEGLIB
#include "peglib.h"

int main() {
  peg::parser parser(R"(
    Sum     <- Product (Sign Product)*
    Product <- Value (Times Value)*
    Value   <- Number / '(' Sum ')'
    Sign    <- < [-+] >
    Times   <- < [*/] >
    Number  <- < [0-9]+ >
    %whitespace <- [ \t]*
  )");
  parser["Sum"] = [](const peg::SemanticValues& values) {
    long sum = std::any_cast<long>(values[0]);
    for (std::size_t i = 1; i + 1 < values.size(); i += 2) {
      const long next = std::any_cast<long>(values[i + 1]);
      sum += std::any_cast<char>(values[i]) == '+' ? next : -next;
    }
    return sum;
  };
  parser["Product"] = [](const peg::SemanticValues& values) {
    long product = std::any_cast<long>(values[0]);
    for (std::size_t i = 1; i + 1 < values.size(); i += 2) product = product * std::any_cast<long>(values[i + 1]) % 10007;
    return product;
  };
  parser["Sign"] = [](const peg::SemanticValues& values) { return values.token()[0]; };
  parser["Times"] = [](const peg::SemanticValues& values) { return values.token()[0]; };
  parser["Number"] = [](const peg::SemanticValues& values) { return values.token_to_number<long>(); };
  long all = 0;
  for (int round = 0; round < 6; ++round) {
    std::string text = "1";
    for (int i = 0; i < 40; ++i) text += " + " + std::to_string(i + round) + " * (7 - " + std::to_string(i) + ")";
    long value = 0;
    if (!parser.parse(text, value)) return 1;
    all += value;
  }
  std::printf("%ld\n", all);
}
#endif

#ifdef USE_BOX2D
#include "box2d/box2d.h"

int main() {
  b2World world(b2Vec2(0.0f, -10.0f));
  b2BodyDef ground;
  b2PolygonShape floor;
  floor.SetAsBox(40.0f, 1.0f);
  world.CreateBody(&ground)->CreateFixture(&floor, 0.0f);
  b2PolygonShape box;
  box.SetAsBox(0.5f, 0.5f);
  for (int row = 0; row < 7; ++row)
    for (int column = 0; column < 7 - row; ++column) {
      b2BodyDef body;
      body.type = b2_dynamicBody;
      body.position.Set(static_cast<float>(column) * 1.1f + static_cast<float>(row) * 0.55f, 1.6f + static_cast<float>(row) * 1.05f);
      world.CreateBody(&body)->CreateFixture(&box, 1.0f);
    }
  for (int step = 0; step < 40; ++step) world.Step(1.0f / 60.0f, ITERATIONS, 3);
  double height = 0;
  for (const b2Body* body = world.GetBodyList(); body != nullptr; body = body->GetNext()) height += body->GetPosition().y;
  std::printf("%.1f\n", height);
}
#endif

#ifdef USE_MESHOPT
#include "meshoptimizer.h"

struct Corner {
  float x, y, z;
};

/// Puts a mesh into an order that is good for drawing; returns how many corners are left.
__attribute__((noinline)) std::size_t put_in_order(std::vector<Corner>& corners, std::vector<unsigned>& triangles) {
  meshopt_optimizeVertexCache(triangles.data(), triangles.data(), triangles.size(), corners.size());
#ifdef OVERDRAW_TOO
  meshopt_optimizeOverdraw(triangles.data(), triangles.data(), triangles.size(), &corners[0].x, corners.size(), sizeof(Corner), 1.05f);
#endif
  return meshopt_optimizeVertexFetch(corners.data(), triangles.data(), triangles.size(), corners.data(), corners.size(), sizeof(Corner));
}

int main() {
  enum { SIDE = 50 };
  std::size_t left = 0;
  for (int round = 0; round < 2; ++round) {
    std::vector<Corner> corners;
    std::vector<unsigned> triangles;
    for (int i = 0; i < SIDE * SIDE; ++i) corners.push_back({static_cast<float>(i % SIDE), static_cast<float>(between(0, 4)), static_cast<float>(i / SIDE)});
    for (unsigned y = 0; y + 1 < SIDE; ++y)
      for (unsigned x = 0; x + 1 < SIDE; ++x) {
        const unsigned at = y * SIDE + (x * 17 % (SIDE - 1));
        for (const unsigned corner : {at, at + 1, at + SIDE, at + 1, at + SIDE + 1, at + SIDE}) triangles.push_back(corner);
      }
    left += put_in_order(corners, triangles);
  }
  std::printf("%zu corners\n", left);
}
#endif

#ifdef USE_JSONCPP
#include "json/json.h"

#ifdef VALUES_COPIED
using Taken = Json::Value;
#else
using Taken = const Json::Value&;
#endif

/// The lines that stop at a station, each weighted by its zone.
__attribute__((noinline)) long weight_of(Taken station) {
  long sum = 0;
  const Json::Value& lines = station["lines"];
  for (Json::ArrayIndex i = 0; i < lines.size(); ++i) sum += lines[i].asInt();
  return sum * station["zone"].asInt();
}

__attribute__((noinline)) long sum_of_heights(const Json::Value& root) {
  long sum = 0;
#ifdef PATH_EACH
  for (Json::ArrayIndex i = 0; i < root["network"]["stations"].size(); ++i) sum += root["network"]["stations"][i]["height"].asInt();
#else
  const Json::Value& stations = root["network"]["stations"];
  for (Json::ArrayIndex i = 0; i < stations.size(); ++i) sum += stations[i]["height"].asInt();
#endif
  return sum;
}

int main() {
  std::string text = R"({"about": "stations of a network", "network": {"name": "north", "stations": [)";
  for (int i = 0; i < 250; ++i)
    text += std::string(i ? "," : "") + R"({"name": "a station by the river )" + std::to_string(i) + R"(", "height": )" + std::to_string(i * 7) + R"(, "zone": )" + std::to_string(i % 4) + R"(, "lines": [)" +
            std::to_string(i % 9) + ", " + std::to_string(i % 5) + "]}";
  text += "]}}";
  Json::Value root;
  std::istringstream in(text);
  in >> root;
  long sum = 0;
  for (int round = 0; round < 6; ++round) {
    for (const Json::Value& station : root["network"]["stations"]) sum += weight_of(station);
    sum += sum_of_heights(root);
  }
  std::printf("%ld\n", sum);
}
#endif
