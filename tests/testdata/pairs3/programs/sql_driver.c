/* Fills a table in memory and asks it. */
#include <stdio.h>
#include <sqlite3.h>

static sqlite3 *db;
static int run(const char *sql) { return sqlite3_exec(db, sql, NULL, NULL, NULL); }

__attribute__((noinline)) static void fill(void) {
  sqlite3_stmt *insert;
  int i;
  run("CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, age INT)");
#ifndef NO_INDEX
  run("CREATE INDEX person_name ON person(name)");
#endif
  sqlite3_prepare_v2(db, "INSERT INTO person(name, age) VALUES(?, ?)", -1, &insert, NULL);
#ifndef COMMIT_EACH
  run("BEGIN");
#endif
  for (i = 0; i < 150; ++i) {
    char name[40];
    int size = sprintf(name, "person number %d", (i * 37) % 150);
#ifdef COMMIT_EACH
    run("BEGIN");
#endif
    sqlite3_bind_text(insert, 1, name, size, SQLITE_TRANSIENT);
    sqlite3_bind_int(insert, 2, i % 90);
    sqlite3_step(insert);
    sqlite3_reset(insert);
#ifdef COMMIT_EACH
    run("COMMIT");
#endif
  }
#ifndef COMMIT_EACH
  run("COMMIT");
#endif
  sqlite3_finalize(insert);
}

__attribute__((noinline)) static long find_all(void) {
  static const char *query = "SELECT age FROM person WHERE name = ?";
  sqlite3_stmt *select;
  long sum = 0;
  int i;
  sqlite3_prepare_v2(db, query, -1, &select, NULL);
  for (i = 0; i < 60; ++i) {
    char name[40];
    int size = sprintf(name, "person number %d", i);
#ifdef PREPARE_EACH
    sqlite3_finalize(select);
    sqlite3_prepare_v2(db, query, -1, &select, NULL);
#endif
    sqlite3_bind_text(select, 1, name, size, SQLITE_TRANSIENT);
    while (sqlite3_step(select) == SQLITE_ROW) sum += sqlite3_column_int(select, 0);
    sqlite3_reset(select);
  }
  sqlite3_finalize(select);
  return sum;
}

__attribute__((noinline)) static long list_all(void) {
  sqlite3_stmt *select;
  long sum = 0;
#ifdef ORDERED
  sqlite3_prepare_v2(db, "SELECT age, name FROM person ORDER BY age DESC, name", -1, &select, NULL);
#else
  sqlite3_prepare_v2(db, "SELECT age, name FROM person", -1, &select, NULL);
#endif
  while (sqlite3_step(select) == SQLITE_ROW) sum += sqlite3_column_int(select, 0) + sqlite3_column_bytes(select, 1);
  sqlite3_finalize(select);
  return sum;
}

int main(void) {
  long sum;
  sqlite3_open(":memory:", &db);
  fill();
  sum = find_all() + list_all();
  sqlite3_close(db);
  printf("%ld\n", sum);
  return 0;
}
