/* Asks a table of 600 rows again and again: sqlite_driver QUERY TEXT_LENGTH */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sqlite3.h"

static int print_row(void *unused, int columns, char **values, char **names) {
  (void)unused, (void)names;
  printf("%s\n", columns > 0 && values[0] ? values[0] : "NULL");
  return 0;
}

int main(int argc, char **argv) {
  sqlite3 *db;
  sqlite3_stmt *insert;
  char *text;
  int i, length;
  if (argc != 3) return 1;
  length = atoi(argv[2]);
  text = malloc(length + 1);
  memset(text, 'a', length);
  text[length] = 0;
  if (sqlite3_open(":memory:", &db) != SQLITE_OK) return 1;
  sqlite3_exec(db, "CREATE TABLE t(a INTEGER PRIMARY KEY, b, c)", 0, 0, 0);
  sqlite3_prepare_v2(db, "INSERT INTO t VALUES(?, ?, ?)", -1, &insert, 0);
  sqlite3_exec(db, "BEGIN", 0, 0, 0);
  for (i = 0; i < 600; ++i) {
    sqlite3_bind_int(insert, 1, i);
    sqlite3_bind_int(insert, 2, i * 7);
    sqlite3_bind_text(insert, 3, text, length, SQLITE_STATIC);
    sqlite3_step(insert);
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  sqlite3_exec(db, "COMMIT", 0, 0, 0);
  for (i = 0; i < 20; ++i)
    if (sqlite3_exec(db, argv[1], print_row, 0, 0) != SQLITE_OK) return 1;
  sqlite3_close(db);
  free(text);
  return 0;
}
