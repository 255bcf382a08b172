// A password never gets into a message, in whatever form the URL was given and however it was mistyped.
#include "icount/store/store_url.h"

#include <gtest/gtest.h>

#include <vector>

#include "icount/store/postgresql_url.h"
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

TEST(StoreUrlSecretsTest, WhatIsNotRecognisedWholeIsHidden) {
  const std::string url = "postgresql://h/db";
  for (const std::string& given : {url + "?password=SEC%RET",
                                   url + "?sslpassword=SECRET%",
                                   std::string("postgresql://u:%00SECRET@h/db"),
                                   url + "?password=a&SECRET",
                                   url + "?password:SECRET",
                                   url + "?SECRET",
                                   url + "?password%3DSECRET",
                                   url + "?SECRET=a",
                                   url + "?Password=SECRET",
                                   url + "&password=SECRET",
                                   url + ";password=SECRET",
                                   url + "#password=SECRET",
                                   url + " password=SECRET",
                                   url + "%26password%3DSECRET",
                                   url + "/SECRET",
                                   url + "?sslmode=disable;password=SECRET",
                                   url + "?sslmode=SECRET",
                                   url + "?user=u password=SECRET",
                                   url + "?user=u%3ASECRET",
                                   url + "?user=u:SECRET",
                                   url + "?user=u&user=u/SECRET",
                                   url + "?host=u/SECRET",
                                   url + "?port=SECRET",
                                   url + "?hostaddr=SECRET",
                                   url + "?application_name=a%20SECRET",
                                   std::string("postgresql://u%3ASECRET@h/db"),
                                   std::string("postgresql://u%3ASECRET/db"),
                                   std::string("postgresql://[u:SECRET]/db"),
                                   std::string("postgresql://[u:SECRET/db"),
                                   std::string("postgresql://u;SECRET@h/db"),
                                   std::string("postgresql://u=SECRET/db"),
                                   std::string("host=h password = SECRET"),
                                   std::string("pwd=SECRET"),
                                   std::string("host=h passwd SECRET"),
                                   std::string("psotgresql//u:SECRET@h/db"),
                                   std::string("postgre//u:SECRET"),
                                   std::string("pg//u:SECRET@h"),
                                   std::string("u:SECRET@host/prod.db"),
                                   std::string("u/SECRET@host"),
                                   std::string("pg:SECRET"),
                                   std::string("jdbc:postgresql:h/db?passwd=SECRET"),
                                   std::string("h/db?Token%3DSECRET"),
                                   std::string("/h/db?PassWord=SECRET"),
                                   std::string("/u:SECRET@h/db"),
                                   std::string("///u:SECRET@h/db.sqlite"),
                                   std::string("sqlite:u:SECRET@host/prod.db"),
                                   std::string("./postgresql://u:SECRET@h/db")}) {
    const std::string text = shown(given);
    EXPECT_EQ(text.find("SEC"), std::string::npos) << given << " -> " << text;
    EXPECT_EQ(shown_store(given).find("SEC"), std::string::npos) << given << " -> " << shown_store(given);
  }
}

TEST(StoreUrlSecretsTest, ServersWordsThatQuoteASecretAreKnown) {
  const StoreUrl url = parse_store_url("postgresql://u%3ASECRET:p@h/db?application_name=a%20long%20name%20of%20it");
  EXPECT_EQ(url.text, "postgresql://***:***@h/db?application_name=***");
  EXPECT_TRUE(quotes_hidden(url.hidden, "no user \"u:SECRET\""));
  EXPECT_TRUE(quotes_hidden(url.hidden, "identifier \"a long name\" is shortened"));
  EXPECT_TRUE(quotes_hidden(url.hidden, "u%3ASECRET"));
  EXPECT_FALSE(quotes_hidden(url.hidden, "Connection to a server was refused"));
}

TEST(StoreUrlSecretsTest, PathsAreShown) {
  for (const std::string path : {"history.db", "/a/b/c.db", "dir/../x.db", "/ws/job@2/history.sqlite", "./a:b@c",
                                 "../a=b.db", "tokenizer/x.sqlite", "My histories/x.sqlite", "history@2",
                                 "/home/password/history.sqlite", "/home/u/a:b", "größe/x", "a-b_c+d/e"}) {
    EXPECT_EQ(shown(path), path);
    EXPECT_EQ(shown_store("sqlite:" + path), path);
  }
}

TEST(StoreUrlSecretsTest, WhatIsNoSecretStays) {
  EXPECT_EQ(shown("postgresql://u:p%40ss@host:5432/db?sslmode=require&connect_timeout=5"),
            "postgresql://u:***@host:5432/db?sslmode=require&connect_timeout=5");
  EXPECT_EQ(shown("postgresql://u@host/db"), "postgresql://u@host/db");
  EXPECT_EQ(shown("/home/password/history.sqlite"), "/home/password/history.sqlite");
  EXPECT_EQ(shown("postgresql://u@%2Frun%2Fpg/db"), "postgresql://u@%2Frun%2Fpg/db");
  EXPECT_EQ(shown("postgresql:///?host=/tmp&user=me&port=5"), "postgresql:///?host=/tmp&user=me&port=5");
  EXPECT_EQ(shown("postgresql://u@[::1]:5432,h:1/db"), "postgresql://u@[::1]:5432,h:1/db");
  EXPECT_EQ(parse_store_url("postgresql://u:p%40ss@host/db").connection, "postgresql://u:p%40ss@host/db");
  EXPECT_EQ(shown("postgresql://u:pa?ss@host/db"),
            "store postgresql://***: an @ follows its server's name; in a URL each of the characters @ : / ? # % "
            "& ; = and a blank of a name or password is written %40, %3A, %2F, %3F, %23, %25, %26, %3B, %3D, %20");
}

}  // namespace
}  // namespace icount
