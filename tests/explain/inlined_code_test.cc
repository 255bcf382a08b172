// Inlined functions in an explanation: whose code an instruction is, which compiler made an object.
#include "icount/explain/inlined_code.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

TEST(InlinedNamesTest, FindsThemBySymbolAndElseByTheLastPartOfTheName) {
  ProfileCode code;
  code.inlined = {{"ns::f(int)", 0, 1, 0, 0}, {"g", 0, 2, 0, 1}, {"ns::f(long)", 0, 3, 0, 0}, {"h", 0, 4, 0, 2}};
  const InlinedNames names(code);
  EXPECT_EQ(names.inside("ns::f(int)"), (std::vector<bool>{false, true, true, false, true})) << "what is inside, too";
  EXPECT_EQ(names.inside("ns::f(int) [clone .isra.0]"), names.inside("ns::f(int)"));
  EXPECT_EQ(names.inside("other::g(char)"), (std::vector<bool>{false, false, true, false, true}));
  EXPECT_EQ(names.inside("nobody"), std::vector<bool>(5, false));
}

}  // namespace
}  // namespace icount
