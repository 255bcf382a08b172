/* Parses a generated document: expat_driver [records|token] [BYTES_PER_PARSE] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "expat.h"

static long elements, text_bytes;
static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **attributes) { ++elements; (void)user; (void)name; (void)attributes; }
static void XMLCALL on_text(void *user, const XML_Char *text, int length) { text_bytes += length; (void)user; (void)text; }

static size_t make_records(char *out) {
  size_t used = sprintf(out, "<list>\n");
  int i;
  for (i = 0; i < 260; ++i)
    used += sprintf(out + used, "<record id=\"r%d\" kind%d=\"k%d\" state=\"open\"><name>record &amp; number %d</name><value>%d</value></record>\n", i, i % 40, i % 7, i, i * i);
  return used + sprintf(out + used, "</list>\n");
}

static size_t make_token(char *out) {
  size_t used = sprintf(out, "<list><record text=\"");
  memset(out + used, 'x', 24000);
  used += 24000;
  return used + sprintf(out + used, "\"/></list>\n");
}

int main(int argc, char **argv) {
  char *text = malloc(100000);
  size_t size = argc > 1 && !strcmp(argv[1], "token") ? make_token(text) : make_records(text), at;
  size_t step = argc > 2 ? (size_t)atoi(argv[2]) : size;
  XML_Parser parser = XML_ParserCreate(NULL);
  XML_SetHashSalt(parser, 12345);
  XML_SetElementHandler(parser, on_start, NULL);
  XML_SetCharacterDataHandler(parser, on_text);
  for (at = 0; at < size; at += step) {
    size_t part = size - at < step ? size - at : step;
    if (XML_Parse(parser, text + at, (int)part, at + part == size) == XML_STATUS_ERROR) return 1;
  }
  XML_ParserFree(parser);
  printf("%ld elements, %ld bytes of text\n", elements, text_bytes);
  free(text);
  return 0;
}
