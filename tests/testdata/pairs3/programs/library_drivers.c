/* One of several libraries, chosen by a macro. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef USE_CRYPTO
#include <openssl/evp.h>
int main(void) {
  unsigned char block[64], digest[EVP_MAX_MD_SIZE];
  unsigned size = 0, sum = 0;
  int i;
#ifndef FETCHED_EACH
  EVP_MD *kind = EVP_MD_fetch(NULL, "SHA256", NULL);
#endif
#ifndef CONTEXT_EACH
  EVP_MD_CTX *context = EVP_MD_CTX_new();
#endif
  for (i = 0; i < 150; ++i) {
#ifdef FETCHED_EACH
    EVP_MD *kind = EVP_MD_fetch(NULL, "SHA256", NULL);
#endif
#ifdef CONTEXT_EACH
    EVP_MD_CTX *context = EVP_MD_CTX_new();
#endif
    memset(block, i, sizeof block);
    EVP_DigestInit_ex(context, kind, NULL);
    EVP_DigestUpdate(context, block, sizeof block);
    EVP_DigestFinal_ex(context, digest, &size);
    sum += digest[3];
#ifdef CONTEXT_EACH
    EVP_MD_CTX_free(context);
#endif
#ifdef FETCHED_EACH
    EVP_MD_free(kind);
#endif
  }
  printf("%u %u\n", size, sum);
  return 0;
}
#endif

#ifdef USE_LIBXML2
#include <libxml/parser.h>
#include <libxml/xpath.h>
#ifndef OPTIONS
#define OPTIONS 0
#endif
static xmlNode *child(xmlNode *of, const char *name) {
  xmlNode *node;
  for (node = of->children; node; node = node->next)
    if (node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0) return node;
  return NULL;
}
int main(void) {
  static char text[60000];
  size_t used = (size_t)sprintf(text, "<list>");
  int i, sum = 0;
  xmlDoc *doc;
  xmlNode *node;
  for (i = 0; i < 150; ++i)
    used += (size_t)sprintf(text + used, "\n  <item id=\"i%d\" kind=\"k%d\"><name>Item %d &lt;new&gt;</name><price>%d.50</price></item>", i, i % 5, i, i * 3);
  sprintf(text + used, "\n</list>");
  doc = xmlReadMemory(text, (int)strlen(text), "list.xml", NULL, OPTIONS);
  if (!doc) return 1;
#ifdef BY_XPATH
  for (i = 0; i < 20; ++i) {
    char query[80];
    xmlXPathContext *context = xmlXPathNewContext(doc);
    xmlXPathObject *found;
    sprintf(query, "/list/item[@kind='k%d']/price", i % 5);
    found = xmlXPathEvalExpression((const xmlChar *)query, context);
    sum += found->nodesetval ? found->nodesetval->nodeNr : 0;
    xmlXPathFreeObject(found);
    xmlXPathFreeContext(context);
  }
#else
  for (i = 0; i < 20; ++i) {
    char kind[20];
    sprintf(kind, "k%d", i % 5);
    for (node = xmlDocGetRootElement(doc)->children; node; node = node->next) {
      xmlChar *value;
      if (node->type != XML_ELEMENT_NODE) continue;
      value = xmlGetProp(node, (const xmlChar *)"kind");
      if (strcmp((const char *)value, kind) == 0 && child(node, "price")) ++sum;
      xmlFree(value);
    }
  }
#endif
  xmlFreeDoc(doc);
  xmlCleanupParser();
  printf("%d\n", sum);
  return 0;
}
#endif

#ifdef USE_SQLITE
#include <sqlite3.h>
static void run(sqlite3 *db, const char *sql) {
  char *error = NULL;
  if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK) printf("%s\n", error);
}
__attribute__((noinline)) static long ask(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement;
  long sum = 0;
  sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
  while (sqlite3_step(statement) == SQLITE_ROW) sum += sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  return sum;
}
int main(void) {
  sqlite3 *db;
  long sum;
  int i;
  sqlite3_open(":memory:", &db);
  run(db, "create table people(id integer primary key, town int, name text)");
  run(db, "create table towns(id integer primary key, name text)");
  run(db, "begin");
  for (i = 0; i < 120; ++i) {
    char sql[120];
    sprintf(sql, "insert into people values(%d, %d, 'person %d of all')", i, i % 12, i);
    run(db, sql);
    if (i < 12) {
      sprintf(sql, "insert into towns values(%d, 'town %d')", i, i);
      run(db, sql);
    }
  }
  run(db, "commit");
#ifdef BY_LIKE
  sum = ask(db, "select id from people where name like '%person 7%'");
#else
  sum = ask(db, "select id from people where name = 'person 7 of all'");
#endif
#ifdef NO_KEY
  sum += ask(db, "select people.id from people, towns where towns.name = 'town ' || people.town");
#else
  sum += ask(db, "select people.id from people, towns where towns.id = people.town");
#endif
  printf("%ld\n", sum);
  sqlite3_close(db);
  return 0;
}
#endif
