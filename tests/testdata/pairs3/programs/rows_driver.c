/* Reads generated rows, keeps them sorted and writes them: what a small tool does all day. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rows {
  char **row;
  size_t used, room;
};

static unsigned state = 5;
static unsigned next(unsigned below) {
  state = state * 1103515245u + 12345u;
  return (state >> 16) % below;
}

__attribute__((noinline)) static void append(struct rows *rows, const char *text) {
#ifdef BY_ONE
  rows->row = realloc(rows->row, (rows->used + 1) * sizeof *rows->row);
  {
    char **copy = malloc((rows->used + 1) * sizeof *copy);
    memcpy(copy, rows->row, rows->used * sizeof *copy);
    free(rows->row);
    rows->row = copy;
  }
#else
  if (rows->used == rows->room) {
    rows->room = rows->room ? 2 * rows->room : 8;
    rows->row = realloc(rows->row, rows->room * sizeof *rows->row);
  }
#endif
  rows->row[rows->used++] = strdup(text);
}

__attribute__((noinline)) static size_t spaces_to_underscores(char *text) {
  size_t i, found = 0;
#ifdef LENGTH_EACH
  for (i = 0; i < strlen(text); ++i)
#else
  const size_t length = strlen(text);
  for (i = 0; i < length; ++i)
#endif
    if (text[i] == ' ') {
      text[i] = '_';
      ++found;
    }
  return found;
}

__attribute__((noinline)) static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

__attribute__((noinline)) static void sort_rows(struct rows *rows) {
#ifdef INSERTION
  size_t i, j;
  for (i = 1; i < rows->used; ++i)
    for (j = i; j > 0 && by_text(&rows->row[j - 1], &rows->row[j]) > 0; --j) {
      char *other = rows->row[j];
      rows->row[j] = rows->row[j - 1];
      rows->row[j - 1] = other;
    }
#else
  qsort(rows->row, rows->used, sizeof *rows->row, by_text);
#endif
}

__attribute__((noinline)) static unsigned checksum(const char *text) {
  unsigned sum = 0;
  while (*text) sum = sum * 31 + (unsigned char)*text++;
  return sum;
}

__attribute__((noinline)) static void write_row(FILE *out, const char *text) {
#ifdef BY_PRINTF
  fprintf(out, "%s,%u\n", text, checksum(text));
#else
  const unsigned sum = checksum(text);
  fputs(text, out);
  putc(',', out);
  fwrite(&sum, sizeof sum, 1, out);
#endif
#ifdef CHECKED_AGAIN
  if (checksum(text) == 7) abort();
#endif
}

int main(void) {
  struct rows rows = {0, 0, 0};
  FILE *out = fopen("/dev/null", "w");
  size_t i, found = 0;
  char text[200];
  for (i = 0; i < 400; ++i) {
    int used = sprintf(text, "row %u of some table, ", next(10000));
    while (used < 60) used += sprintf(text + used, "value %u ", next(50));
    found += spaces_to_underscores(text);
    append(&rows, text);
  }
  sort_rows(&rows);
  for (i = 0; i < rows.used; ++i) write_row(out, rows.row[i]);
  fclose(out);
  printf("%zu\n", found);
  return 0;
}
