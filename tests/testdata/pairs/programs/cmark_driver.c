/* Renders generated Markdown to HTML: cmark_driver prose|emphasis|deep-emphasis|comments|quotes|nested [SIZE] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmark.h"

static size_t repeat(char *out, const char *part, int times) {
  size_t used = 0, length = strlen(part);
  while (times-- > 0) {
    memcpy(out + used, part, length);
    used += length;
  }
  return used;
}

static size_t make_text(char *out, const char *kind, int size) {
  if (!strcmp(kind, "emphasis")) return repeat(out, "*a_ ", size);
  if (!strcmp(kind, "deep-emphasis")) {
    size_t used = repeat(out, "> ", size);
    return used + repeat(out + used, "*a* ", size);
  }
  if (!strcmp(kind, "comments")) return repeat(out, "a<!-- b ", size);
  if (!strcmp(kind, "quotes")) return repeat(out, "a 'b ", size);
  if (!strcmp(kind, "links")) return repeat(out, "![[]()", size);
  if (!strcmp(kind, "nested")) {
    size_t used = repeat(out, "> ", size), i;
    out[used++] = 'a';
    out[used++] = '\n';
    for (i = 0; i < (size_t)size; ++i) used += repeat(out + used, "b\n\n> c\n", 1);
    return used;
  }
  return repeat(out, "# A heading & more\n\nSome *text* with `code`, a [link](http://example.org/a?b=c&d=e) and \"quotes\" <b>here</b>.\n\n* one\n* two\n\n", size);
}

int main(int argc, char **argv) {
  const char *kind = argc > 1 ? argv[1] : "prose";
  int size = argc > 2 ? atoi(argv[2]) : 40;
  char *text = malloc(150 * (size_t)size + 100);
  size_t used = make_text(text, kind, size);
  char *html = cmark_markdown_to_html(text, used, strcmp(kind, "quotes") ? CMARK_OPT_UNSAFE : CMARK_OPT_SMART);
  printf("%zu -> %zu\n", used, strlen(html));
  free(html);
  free(text);
  return 0;
}
