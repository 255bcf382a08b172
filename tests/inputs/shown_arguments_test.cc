// Passwords of stores stay out of records of command lines, and of messages that quote their words.
#include "icount/inputs/shown_arguments.h"

#include <gtest/gtest.h>

namespace icount {
namespace {

using Words = std::vector<std::string>;

TEST(ShownArgumentsTest, AddressesOfStoresAreShownWithoutPasswords) {
  EXPECT_EQ(shown_arguments({"gate", "s.toml", "--against", "postgresql://u:SECRET@h/db", "--store=u:SECRET@h"}),
            (Words{"gate", "s.toml", "--against", "postgresql://u:***@h/db", "--store=***"}));
  EXPECT_EQ(shown_arguments({"gate", "--against=postgres://u:SEC?RET@h/db:nightly"}),
            (Words{"gate", "--against=postgresql://***"}));
  EXPECT_EQ(shown_arguments({"serve", "postgresql://u:SECRET@h/db"}), (Words{"serve", "postgresql://u:***@h/db"}));
}

TEST(ShownArgumentsTest, OtherWordsStay) {
  const Words words = {"time",      "x == y ? a : b", "--against", "a = b", "--store", "x.sqlite",
                       "--against", "h:main",         "--",        "psql",  "--store", "a:b@c"};
  EXPECT_EQ(shown_arguments(words), words);
}

TEST(ShownArgumentsTest, MessagesQuoteNoPassword) {
  EXPECT_EQ(hide_arguments("postgresql://u:SECRET@h/db: cannot read: 'postgresql://u:SECRET@h/db'",
                           {"diff", "postgresql://u:SECRET@h/db", "b"}),
            "postgresql://u:***@h/db: cannot read: 'postgresql://u:***@h/db'");
  EXPECT_EQ(hide_arguments("a: no u:SECRET@h", {"--store=u:SECRET@h"}), "a: no ***");
}

}  // namespace
}  // namespace icount
