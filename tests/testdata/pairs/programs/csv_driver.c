/* Parses generated rows and writes them again. */
#include <stdio.h>
#include <string.h>
#include "csv.h"

static FILE *out;
static void on_field(void *field, size_t size, void *data) { (void)data; csv_fwrite(out, field, size); fputc(',', out); }
static void on_row(int c, void *data) {
  (void)c; (void)data;
  fputc('\n', out);
#ifdef FLUSH_EACH_ROW
  fflush(out);
#endif
}

int main(void) {
  struct csv_parser parser;
  char row[200];
  int i;
  out = fopen("/dev/null", "w");
  csv_init(&parser, 0);
  for (i = 0; i < 900; ++i) {
    int size = sprintf(row, "%d,\"a name, quoted\",%d,plain text,\"\"\"%d\"\"\"\n", i, i * i, i % 10);
    if (csv_parse(&parser, row, size, on_field, on_row, NULL) != (size_t)size) return 1;
  }
  csv_fini(&parser, on_field, on_row, NULL);
  csv_free(&parser);
  fclose(out);
  return 0;
}
