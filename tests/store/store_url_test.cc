// A password never gets into a message, in whatever form the URL was given and however it was mistyped.
#include "icount/store/store_url.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/error_of.h"

namespace icount {
namespace {

/// What anybody gets to see of a store.
std::string shown(const std::string& given) {
  std::string text;
  const std::string message = error_of([&] { text = parse_store_url(given).text; });
  return text.empty() ? message : text;
}

TEST(StoreUrlSecretsTest, NoFormShowsItsPassword) {
  const std::vector<std::string> before = {"postgresql://u:",
                                           "postgres://u:",
                                           "POSTGRESQL://u:",
                                           "posgresql://u:",
                                           "postgresql:/u:",
                                           "postgresql:u:",
                                           "postgresql//u:",
                                           "sqlite:postgresql://u:",
                                           "pg:u:",
                                           "mysql:u:",
                                           "u:",
                                           "postgresql;//u:"};
  const std::vector<std::string> passwords = {"SECRET",    "SEC?RET",  "SEC/RET", "SEC@RET", "SEC#RET",
                                              "SEC%RET",   "SEC:RET",  "SEC RET", "SEC&RET", "%53ECRET",
                                              "SEC?a=RET", "/SECRET@", "@SECRET", "SECRET@", "SECRET/"};
  for (const std::string& start : before)
    for (const std::string& password : passwords)
      for (const std::string end : {"@host/db", "@host:5432/db?sslmode=require", "@/db?host=/tmp"}) {
        const std::string text = shown(start + password + end);
        EXPECT_EQ(text.find("SEC"), std::string::npos) << start + password + end << " -> " << text;
        EXPECT_EQ(text.find("RET"), std::string::npos) << start + password + end << " -> " << text;
      }
}

TEST(StoreUrlSecretsTest, NoParameterShowsASecret) {
  for (const std::string key : {"password", "sslpassword", "passfile", "PASSWORD", "pass%77ord", "sslkey", "options"})
    for (const std::string& form : {"?" + key + "=SECRET", "?user=u&" + key + "=SECRET&" + key + "=SECRET",
                                    "?" + key + "=a&" + key + "=SECRET"}) {
      const std::string text = shown("postgresql://host/db" + form);
      EXPECT_EQ(text.find("SECRET"), std::string::npos) << form << " -> " << text;
    }
  for (const std::string text : {"host=h password=SECRET", "postgresql://u:SECRET", "postgresql://u:SECRET/db",
                                 "postgresql://h:1,u:SECRET/db", "SECRET@host:5432"})
    EXPECT_EQ(shown(text).find("SECRET"), std::string::npos) << text;
}

TEST(StoreUrlSecretsTest, WhatIsNoSecretStays) {
  EXPECT_EQ(shown("postgresql://u:p%40ss@host:5432/db?sslmode=require&connect_timeout=5"),
            "postgresql://u:***@host:5432/db?sslmode=require&connect_timeout=5");
  EXPECT_EQ(shown("postgresql://u@host/db"), "postgresql://u@host/db");
  EXPECT_EQ(shown("/home/password/history.sqlite"), "/home/password/history.sqlite");
  EXPECT_EQ(shown("a:b@c.sqlite"), "a:b@c.sqlite");
  EXPECT_EQ(shown("./a:b@c"), "./a:b@c");
  EXPECT_EQ(shown("postgresql://u@[::1]:5432,h:1/db"), "postgresql://u@[::1]:5432,h:1/db");
  EXPECT_EQ(parse_store_url("postgresql://u:p%40ss@host/db").connection, "postgresql://u:p%40ss@host/db");
  EXPECT_EQ(shown("postgresql://u:pa?ss@host/db"),
            "store postgresql://***: an @ stands behind its server's name; in a URL each of the characters @ : / ? # % "
            "of a name or password is written %40, %3A, %2F, %3F, %23, %25");
}

}  // namespace
}  // namespace icount
