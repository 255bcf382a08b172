/* Generates a document and parses it into a tree. */
#include <stdio.h>
#include <string.h>
#include "yajl/yajl_gen.h"
#include "yajl/yajl_tree.h"

static void text(yajl_gen gen, const char *s) { yajl_gen_string(gen, (const unsigned char *)s, strlen(s)); }

int main(void) {
  yajl_gen gen = yajl_gen_alloc(NULL);
  const unsigned char *out;
  size_t size;
  char error[200];
  int i;
  yajl_gen_array_open(gen);
  for (i = 0; i < 350; ++i) {
    yajl_gen_map_open(gen);
    text(gen, "id");
    yajl_gen_integer(gen, i);
    text(gen, "name");
    text(gen, "a name with \"quotes\" and a tab\t");
    text(gen, "share");
    yajl_gen_double(gen, i / 7.0);
    yajl_gen_map_close(gen);
  }
  yajl_gen_array_close(gen);
  yajl_gen_get_buf(gen, &out, &size);
  yajl_val tree = yajl_tree_parse((const char *)out, error, sizeof error);
  printf("%zu bytes, %zu entries\n", size, tree ? YAJL_GET_ARRAY(tree)->len : 0);
  yajl_tree_free(tree);
  yajl_gen_free(gen);
  return 0;
}
